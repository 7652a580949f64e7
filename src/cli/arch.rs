//! `occuscope arch`: the GPUs that are known, and the facts about them.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::choose::{Chosen, choose_either};
use super::output::{self, QUIET, STRONG};
use super::table::{Align, lines};
use crate::arch::{Arch, Catalog, Gpu};
use crate::fmt::{bytes, grouped};
use crate::shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  occuscope arch list
  occuscope arch show 8.0
  occuscope arch show \"RTX 4090\" --format json")]
pub struct ArchArgs {
    #[command(subcommand)]
    command: ArchCommand,
}

#[derive(Debug, Subcommand)]
enum ArchCommand {
    /// All compute capabilities with their products
    List(Common),
    /// The facts about one compute capability or product
    Show {
        /// Compute capability, such as 8.0 or sm_80, or a product, such as "RTX 4090"
        #[arg(value_name = "CC_OR_GPU")]
        which: String,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Debug, Args)]
struct Common {
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// A GPU file of your own; may be given several times
    #[arg(long, value_name = "FILE")]
    arch: Vec<PathBuf>,
}

pub(super) fn run(args: &ArchArgs) -> anyhow::Result<u8> {
    match &args.command {
        ArchCommand::List(common) => list(common)?,
        ArchCommand::Show { which, common } => show(which, common)?,
    }
    Ok(0)
}

fn list(common: &Common) -> anyhow::Result<()> {
    let catalog = shell::catalog(&common.arch)?;
    match common.format {
        Format::Json => {
            let archs: Vec<ArchJson<'_>> = catalog.archs().map(|arch| ArchJson::new(&catalog, arch, None)).collect();
            output::print_json(&archs)
        }
        Format::Text => output::print_text(&list_text(&catalog)),
    }
}

fn show(which: &str, common: &Common) -> anyhow::Result<()> {
    let catalog = shell::catalog(&common.arch)?;
    let chosen = choose_either(&catalog, which)?;
    match common.format {
        Format::Json => output::print_json(&ArchJson::new(&catalog, chosen.arch, chosen.gpu)),
        Format::Text => output::print_text(&show_text(&catalog, chosen)),
    }
}

fn list_text(catalog: &Catalog) -> String {
    use Align::{Left, Right};
    let header = ["CC", "Name", "Warps/SM", "Blocks/SM", "Registers/SM", "Shared/SM", "Shared/block", "Products"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let (invented, real): (Vec<&Arch>, Vec<&Arch>) = catalog.archs().partition(|arch| arch.invented);
    rows.extend(real.into_iter().chain(invented).map(|arch| {
        vec![
            arch.compute_capability.to_string(),
            arch.name.clone(),
            arch.max_warps_per_sm().to_string(),
            arch.max_blocks_per_sm.to_string(),
            grouped(arch.registers_per_sm.into()),
            bytes(arch.smem_per_sm_bytes.into()),
            bytes(arch.optin_smem_per_block_bytes.into()),
            catalog.gpus_of(arch.compute_capability).count().to_string(),
        ]
    }));
    let lines = lines(&[Right, Left, Right, Right, Right, Right, Right, Right], &rows);
    lines.iter().enumerate().fold(String::new(), |mut out, (index, line)| {
        let style = if index == 0 { QUIET } else { anstyle::Style::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{style}{line}{style:#}");
        out
    })
}

fn show_text(catalog: &Catalog, Chosen { arch, gpu }: Chosen<'_>) -> String {
    let mut out = String::new();
    let cc = arch.compute_capability;
    let _ = match gpu {
        Some(gpu) => {
            writeln!(out, "{STRONG}{}{STRONG:#} · compute capability {cc}, {} · {}", gpu.name, arch.name, gpu.sms_in_words())
        }
        None => writeln!(out, "{STRONG}Compute capability {cc}{STRONG:#} · {}", arch.name),
    };
    out.push('\n');
    for line in lines(&[Align::Left, Align::Right], &fact_rows(arch)) {
        let _ = writeln!(out, "{line}");
    }
    let products: Vec<Vec<String>> = catalog.gpus_of(cc).map(|gpu| vec![gpu.name.clone(), gpu.sms_in_words()]).collect();
    if !products.is_empty() {
        let _ = writeln!(out, "\n{STRONG}Products{STRONG:#}");
    }
    for line in lines(&[Align::Left, Align::Right], &products) {
        let _ = writeln!(out, "{line}");
    }
    let uncertain = arch.uncertain.iter().chain(gpu.and_then(|gpu| gpu.uncertain.as_ref()));
    for uncertain in uncertain {
        let _ = writeln!(out, "\n{QUIET}Not certain: {uncertain}.{QUIET:#}");
    }
    out
}

fn fact_rows(arch: &Arch) -> Vec<Vec<String>> {
    let number = |value: u32| grouped(value.into());
    let size = |value: u32| bytes(value.into());
    let or_none = |value: Option<u32>| value.map_or_else(|| "none".to_owned(), number);
    let sizes: Vec<String> = arch.smem_configurations_bytes.iter().map(|size| crate::fmt::kib_number((*size).into())).collect();
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    vec![
        row("Threads per block", number(arch.max_threads_per_block)),
        row("Threads per SM", number(arch.max_threads_per_sm)),
        row("Warps per SM", number(arch.max_warps_per_sm())),
        row("Blocks per SM", number(arch.max_blocks_per_sm)),
        row("Sub-partitions", number(arch.sub_partitions)),
        row("Registers per SM", number(arch.registers_per_sm)),
        row("Registers per block", number(arch.max_registers_per_block)),
        row("Registers per thread", number(arch.max_registers_per_thread)),
        row("Register allocation unit", number(arch.register_allocation_unit)),
        row("Shared memory per SM", size(arch.smem_per_sm_bytes)),
        row("Shared memory per block", size(arch.default_smem_per_block_bytes)),
        row("  with opt-in", size(arch.optin_smem_per_block_bytes)),
        row("  reserved by the driver", size(arch.reserved_smem_per_block_bytes)),
        row("Shared memory allocation unit", size(arch.smem_allocation_unit_bytes)),
        row("Shared memory sizes (KiB)", sizes.join(" ")),
        row("Barriers per SM", arch.max_barriers_per_sm.map_or_else(|| "never limit".to_owned(), number)),
        row("Partitioned global caching", if arch.partitioned_caching { "yes" } else { "no" }.to_owned()),
        row("Largest portable cluster", or_none(arch.max_portable_cluster_size)),
    ]
}

/// One compute capability. Their keys are those of GPU files.
#[derive(Debug, Serialize)]
struct ArchJson<'c> {
    compute_capability: String,
    name: &'c str,
    /// The product that was asked for.
    gpu: Option<&'c str>,
    uncertain: &'c [String],
    invented: bool,
    max_threads_per_block: u32,
    max_threads_per_sm: u32,
    max_warps_per_sm: u32,
    max_blocks_per_sm: u32,
    sub_partitions: u32,
    registers_per_sm: u32,
    max_registers_per_block: u32,
    max_registers_per_thread: u32,
    register_allocation_unit: u32,
    smem_per_sm_bytes: u32,
    default_smem_per_block_bytes: u32,
    optin_smem_per_block_bytes: u32,
    reserved_smem_per_block_bytes: u32,
    smem_allocation_unit_bytes: u32,
    smem_configurations_bytes: &'c [u32],
    max_barriers_per_sm: Option<u32>,
    partitioned_caching: bool,
    max_portable_cluster_size: Option<u32>,
    gpus: Vec<GpuJson<'c>>,
}

#[derive(Debug, Serialize)]
struct GpuJson<'c> {
    name: &'c str,
    driver_names: &'c [String],
    aliases: &'c [String],
    num_sms: Option<u32>,
    memory_bytes_per_second: Option<u64>,
    typical: bool,
    uncertain: Option<&'c str>,
}

impl<'c> ArchJson<'c> {
    fn new(catalog: &'c Catalog, arch: &'c Arch, gpu: Option<&'c Gpu>) -> Self {
        Self {
            compute_capability: arch.compute_capability.to_string(),
            name: &arch.name,
            gpu: gpu.map(|gpu| gpu.name.as_str()),
            uncertain: &arch.uncertain,
            invented: arch.invented,
            max_threads_per_block: arch.max_threads_per_block,
            max_threads_per_sm: arch.max_threads_per_sm,
            max_warps_per_sm: arch.max_warps_per_sm(),
            max_blocks_per_sm: arch.max_blocks_per_sm,
            sub_partitions: arch.sub_partitions,
            registers_per_sm: arch.registers_per_sm,
            max_registers_per_block: arch.max_registers_per_block,
            max_registers_per_thread: arch.max_registers_per_thread,
            register_allocation_unit: arch.register_allocation_unit,
            smem_per_sm_bytes: arch.smem_per_sm_bytes,
            default_smem_per_block_bytes: arch.default_smem_per_block_bytes,
            optin_smem_per_block_bytes: arch.optin_smem_per_block_bytes,
            reserved_smem_per_block_bytes: arch.reserved_smem_per_block_bytes,
            smem_allocation_unit_bytes: arch.smem_allocation_unit_bytes,
            smem_configurations_bytes: &arch.smem_configurations_bytes,
            max_barriers_per_sm: arch.max_barriers_per_sm,
            partitioned_caching: arch.partitioned_caching,
            max_portable_cluster_size: arch.max_portable_cluster_size,
            gpus: catalog.gpus_of(arch.compute_capability).map(GpuJson::new).collect(),
        }
    }
}

impl<'c> GpuJson<'c> {
    fn new(gpu: &'c Gpu) -> Self {
        Self {
            name: &gpu.name,
            driver_names: &gpu.driver_names,
            aliases: &gpu.aliases,
            num_sms: gpu.num_sms,
            memory_bytes_per_second: gpu.memory_bytes_per_second,
            typical: gpu.typical,
            uncertain: gpu.uncertain.as_deref(),
        }
    }
}
