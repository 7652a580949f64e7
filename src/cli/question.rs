//! The flags that say which GPU is meant, and which launch on it: the same for every command that has them.

use std::path::PathBuf;

use clap::Args;

use super::choose::{Chosen, choose};
use super::launch_args::LaunchArgs;
use super::preset;
use crate::arch::Catalog;
use crate::engine::{Launch, Waves, evaluate};
use crate::session::presets::Preset;
use crate::session::{Action, Configuration, GpuChoice};
use crate::shell;

/// Which GPU.
#[derive(Clone, Debug, Default, Args)]
pub struct GpuArgs {
    /// Compute capability, such as 8.0 or sm_80
    #[arg(long, value_name = "CC")]
    cc: Option<String>,
    /// Product, such as "RTX 4090"; it implies the compute capability and the number of SMs
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
}

impl GpuArgs {
    const fn is_given(&self) -> bool {
        self.cc.is_some() || self.gpu.is_some()
    }

    fn choose<'c>(&self, catalog: &'c Catalog) -> anyhow::Result<Chosen<'c>> {
        choose(catalog, self.cc.as_deref(), self.gpu.as_deref())
    }

    /// How the window begins: with a preset, on this GPU. Nothing where neither is given.
    ///
    /// # Errors
    /// When one of them is not known.
    pub(super) fn first_actions(&self, preset: Option<&str>) -> anyhow::Result<Vec<Action>> {
        let preset: Option<Preset> = preset.map(preset::named).transpose()?;
        let mut actions: Vec<Action> = preset.map(|preset| Action::UsePreset(Box::new(preset))).into_iter().collect();
        if self.is_given() {
            let catalog = shell::catalog(&[])?;
            actions.push(Action::SelectGpu(self.choose(&catalog)?.choice()));
        }
        Ok(actions)
    }
}

/// A launch on a GPU.
#[derive(Debug, Args)]
pub struct QuestionArgs {
    #[command(flatten)]
    gpu: GpuArgs,
    /// Number of SMs, for the waves of a grid [default: those of --gpu]
    #[arg(long, value_name = "N")]
    num_sms: Option<u32>,
    #[command(flatten)]
    launch: LaunchArgs,
    /// A preset's launch and GPU; with --gpu or --cc, its launch on another one
    #[arg(long, value_name = "NAME", conflicts_with = "LaunchArgs")]
    preset: Option<String>,
    /// A GPU file of your own; may be given several times
    #[arg(long, value_name = "FILE")]
    arch: Vec<PathBuf>,
}

/// A launch on a GPU of a catalog.
#[derive(Clone, Debug)]
pub(super) struct Question<'c> {
    pub chosen: Chosen<'c>,
    pub launch: Launch,
    pub num_sms: Option<u32>,
}

impl QuestionArgs {
    /// The GPUs that are known here: the built-in ones, the user's, and those of `--arch`.
    pub(super) fn catalog(&self) -> anyhow::Result<Catalog> {
        shell::catalog(&self.arch)
    }

    /// The GPU and the launch that the flags describe: those of a preset, on another GPU where one is given, or those of the flags.
    pub(super) fn question<'c>(&self, catalog: &'c Catalog) -> anyhow::Result<Question<'c>> {
        let (chosen, launch) = match &self.preset {
            None => (self.gpu.choose(catalog)?, self.launch.launch()?),
            Some(name) => {
                let Configuration { gpu: of_preset, launch } = preset::named(name)?.configuration;
                let chosen = match of_preset {
                    _ if self.gpu.is_given() => self.gpu.choose(catalog)?,
                    GpuChoice::Product(name) => choose(catalog, None, Some(&name))?,
                    GpuChoice::Capability(capability) => choose(catalog, Some(&capability.to_string()), None)?,
                };
                (chosen, launch)
            }
        };
        let num_sms = self.num_sms.or(chosen.gpu.and_then(|gpu| gpu.num_sms));
        Ok(Question { chosen, launch, num_sms })
    }
}

impl Question<'_> {
    /// None without a grid, or where the number of SMs is not known.
    pub fn waves(&self) -> Option<Waves> {
        let (grid, num_sms) = self.launch.grid_blocks().zip(self.num_sms)?;
        Waves::new(&evaluate(self.chosen.arch, &self.launch), num_sms, grid)
    }
}
