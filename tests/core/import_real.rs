//! Real reports, where they are at hand: every value that is known of them, read through the importer.
//!
//! The files are not part of this package. Without them each test says so and passes.

use std::fs;
use std::path::{Path, PathBuf};

use occuscope::import::{Format, Kernel, Read, Report, read_report};

/// Where the reports lie beside a checkout; `OCCUSCOPE_SHARED` names another place.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared");

pub(crate) fn reports(folder: &str) -> Option<PathBuf> {
    let path = std::env::var_os("OCCUSCOPE_SHARED").map_or_else(|| PathBuf::from(SHARED), PathBuf::from).join(folder);
    if !path.is_dir() {
        eprintln!("skipped: no real reports here");
        return None;
    }
    Some(path)
}

pub(crate) fn open(folder: &Path, prefix: &str) -> (String, Vec<u8>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let path = paths.iter().find(|path| path.file_name().unwrap().to_str().unwrap().starts_with(prefix)).unwrap();
    (path.display().to_string(), fs::read(path).unwrap())
}

/// File, format, kernels.
const FILES: &[(&str, Format, usize)] = &[
    ("01", Format::Details, 8),
    ("02", Format::Details, 8),
    ("03", Format::Details, 1),
    ("04", Format::Raw, 3),
    ("05", Format::Details, 1),
    ("06", Format::Details, 4),
    ("07", Format::Details, 1),
    ("08", Format::Details, 1),
    ("09", Format::Details, 1),
    ("10", Format::Details, 1),
    ("11", Format::Raw, 24),
    ("12", Format::Details, 1),
    ("13", Format::Raw, 1),
    ("14", Format::Details, 1),
    ("15", Format::Details, 1),
    ("16", Format::Details, 1),
    ("17", Format::Details, 1),
    ("18", Format::GuiExport, 3),
    ("19", Format::Details, 1),
    ("20", Format::Details, 3),
    ("21", Format::Summary, 2),
];

/// One kernel a line; a name may begin or end with `*`; `-` is a value that the file does not have.
/// Limits in the order block slots / registers / shared memory / warps / barriers.
const KERNELS: &str = "
file|id|name|block|grid|regs|smem|driver|config|limits|theoretical|achieved|waves|cc|sms
01|0|Kernel2(bool*,bool*,bool*,bool*,int)|512|8|16|0+0|-|0|32/8/32/4/-|100|22.95|0.03|-|-
01|1|Kernel(Node*,int*,bool*,bool*,bool*,int*,int)|512|8|21|0+0|-|0|32/5/32/4/-|100|10.84|0.03|-|-
01|7|Kernel(Node*,int*,bool*,bool*,bool*,int*,int)|512|8|21|0+0|-|0|32/5/32/4/-|100|21.57|0.03|-|-
02|0|cuda_compute_step_factor|192|506|20|0+0|-|0|32/14/32/10/-|93.75|48.18|0.63|-|-
02|1|cuda_compute_flux|192|506|58|0+0|-|0|32/5/32/10/-|46.88|38.71|1.27|-|-
02|2|cuda_time_step|192|506|22|0+0|-|0|32/14/32/10/-|93.75|53.30|0.63|-|-
03|0|calculate_temp(int,float*,*|256|7396|40|3072+0|-|32768|32/6/32/8/-|75|69.05|15.41|-|-
04|0|vecAdd|1024|1|8|0+0|-|0|32/8/32/2/-|100|28.30|0.03|6.1|20
05|0|copy_blocked[*|(256,1,1)|(1024,1,1)|32|0+0|0|32768|16/8/16/4/-|100|96.26|6.40|7.5|40
06|0|*_L992|(1024,1,1)|(108,1,1)|59|0+0|1024|8192|32/1/8/2/-|50|46.61|1|8.0|108
06|3|*_L1011|(640,1,1)|(216,1,1)|48|0+0|1024|16384|32/2/16/3/-|62.50|55.62|1|8.0|108
06|5|*_L1013|(256,1,1)|(108,1,1)|255|0+0|1024|8192|32/1/8/8/-|12.50|12.38|1|8.0|108
07|0|vecMUL(float *, float *, float *, int)|(256,1,1)|(4096,1,1)|16|0+0|1024|8192|16/16/8/6/-|100|82.32|14.22|8.6|48
08|0|SigmoidActivation(*|(256,1,1)|(40,1,1)|-|-|-|-|-/-/-/-/-|-|-|-|8.6|-
09|0|void unnamed>::gemm_tiled_kernel<32>(*|(32,32,1)|(64,64,1)|-|-|-|-|-/-/-/-/-|-|66.65|-|12.0|-
10|0|cutlass3x_sm100_tensorop_*|(384,1,1)|(9,32,1)|168|0+205696|1024|233472|32/1/1/5/9|18.75|15.53|1.89|10.0|152
11|0|void PersistentVariableLengthMergeStatesKernel<8, 16, 8, 4, __half, __half, int>(*|(16,8,1)|(1036,1,1)|40|0+8704|1024|135168|32/12/13/16/32|75|-|0.58|10.0|148
11|1|void BatchDecodeWithPagedKVCacheKernel<0, 2, 1, 16, 8, 4, 4, DefaultAttention<0, 0, 0, 0>, Params>(T9)|(8,4,4)|(128,8,1)|72|0+9216|1024|135168|32/7/13/16/32|43.75|-|0.99|10.0|148
12|0|void Kernel2<cutlass_80_tensorop_i16832gemm_s8_128x64_128x3_tn_align4>(Params)|(128,1,1)|(128,1,1)|148|0+73728~|1024|233472|32/3/3/16/32|18.75|6.21|0.29|10.0|148
13|0|void Kernel2<cutlass_80_tensorop_i16832gemm_s8_128x64_128x3_tn_align4>(Params)|(128,1,1)|(128,1,1)|148|0+73728|1024|233472|32/3/3/16/32|18.75|6.212837|0.29|10.0|148
14|0|enable_if<!T7, void>::type kernel<int, int, __nv_bfloat16, *|(32,4,1)|(224,1,1)|-|-|-|-|24/2/4/12/24|16.67|11.32|-|12.0|-
15|0|enable_if<!T7, void>::type kernel<int, int, __nv_bfloat16, *|(32,4,1)|(224,1,1)|-|-|-|-|24/2/4/12/24|16.67|11.32|-|12.0|-
16|0|enable_if<!T7, void>::type kernel<int, int, __nv_bfloat16, *|(32,4,1)|(224,1,1)|-|-|-|-|-/-/-/-/-|-|-|-|12.0|-
17|0|probe_timer_only|(1,1,1)|(1,1,1)|16|0+0|1024|16384|16/128/16/48/-|33.33|2.08|0.00|8.6|58
18|0|probe_timer_only|(1,1,1)|(1,1,1)|16|0+0|1024|16384|16/128/16/48/-|33.33|2.12|0.00|8.6|58
18|1|probe_dependent_ffma|(1,1,1)|(1,1,1)|16|0+0|1024|16384|16/128/16/48/-|33.33|2.08|0.00|8.6|58
18|2|probe_independent_ffma_8|(1,1,1)|(1,1,1)|16|0+0|1024|16384|16/128/16/48/-|33.33|2.08|0.00|8.6|58
19|0|k_integrate(int, int, const unsigned int *, int *, float *)|-|288|-|-|-|-|-/-/-/-/-|-|-|-|-|-
20|0|ampere_sgemm_128x64_nn|(512,1,1)|(128,1,1)|-|-|-|-|24/-/-/-/-|-|-|-|8.9|-
20|2|*|(512,1,1)|(1,123,1)|-|-|-|-|24/-/-/-/-|-|-|-|8.9|-
21|-|unnamed>::saxpyKernel(float, const float *, float *, unsigned long)|(256,1,1)|(4096,1,1)|-|-|-|-|-/-/-/-/-|100.00|74.92|-|11.0|-
21|-|unnamed>::saxpyKernel(float, const float *, float *, unsigned long)|(1,1,1)|(1048576,1,1)|-|-|-|-|-/-/-/-/-|50.00|28.52|-|11.0|-
";

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

fn value<T: ToString>(read: Option<Read<T>>) -> String {
    shown(read.map(|read| format!("{}{}", read.value.to_string(), if read.rounded { "~" } else { "" })))
}

fn extent(shape: Option<Read<occuscope::units::Dim3>>, count: Option<Read<u64>>) -> String {
    shape.map_or_else(|| value(count), |shape| format!("({},{},{})", shape.value.x, shape.value.y, shape.value.z))
}

/// The kernel in the words of the table above; the name is compared apart.
fn described(kernel: &Kernel) -> Vec<String> {
    let smem = match (kernel.static_smem_bytes, kernel.dynamic_smem_bytes) {
        (None, None) => "-".to_owned(),
        (fixed, dynamic) => format!("{}+{}", value(fixed), value(dynamic)),
    };
    let said = &kernel.reported;
    let limits = [said.limit_blocks, said.limit_registers, said.limit_shared_memory, said.limit_warps, said.limit_barriers];
    vec![
        extent(kernel.block, kernel.threads_per_block()),
        extent(kernel.grid, kernel.num_blocks()),
        value(kernel.registers_per_thread),
        smem,
        value(kernel.driver_smem_bytes),
        value(kernel.smem_config_bytes),
        limits.map(value).join("/"),
        value(said.theoretical_occupancy_percent),
        value(said.achieved_occupancy_percent),
        value(said.waves_per_sm),
        value(kernel.compute_capability),
        value(kernel.num_sms),
    ]
}

fn matches(pattern: &str, text: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(""), _) => true,
        (Some(end), _) => text.ends_with(end),
        (_, Some(start)) => text.starts_with(start),
        _ => pattern == text,
    }
}

fn same(expected: &str, found: &str) -> bool {
    let numbers = expected.parse::<f64>().ok().zip(found.parse::<f64>().ok());
    expected == found || numbers.is_some_and(|(a, b)| (a - b).abs() < 1e-9)
}

fn report(folder: &Path, file: &str) -> Report {
    let (path, bytes) = open(folder, file);
    read_report(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_known_value_of_the_real_tables_is_read() {
    let Some(folder) = reports("ncu") else { return };
    let mut used = vec![0; FILES.len()];
    for (file, format, num_kernels) in FILES {
        let report = report(&folder, file);
        assert_eq!((report.format, report.kernels.len()), (*format, *num_kernels), "{file}");
    }
    for line in KERNELS.trim().lines().skip(1) {
        let cells: Vec<&str> = line.split('|').collect();
        let at = FILES.iter().position(|(file, ..)| *file == cells[0]).unwrap();
        let report = report(&folder, cells[0]);
        let kernel = match cells[1].parse::<u64>() {
            Ok(id) => report.kernels.iter().find(|kernel| kernel.id == Some(id)).unwrap(),
            Err(_) => &report.kernels[used[at]],
        };
        used[at] += 1;
        assert!(matches(cells[2], &kernel.name), "{line}\n{}", kernel.name);
        for ((expected, found), what) in
            cells[3..].iter().zip(described(kernel)).zip(KERNELS.trim().lines().next().unwrap().split('|').skip(3))
        {
            assert!(same(expected, &found), "{line}\n{what}: expected {expected}, found {found}");
        }
    }
    assert!(used.iter().all(|count| *count > 0));
}

#[test]
fn what_only_some_real_tables_have_is_read() {
    let Some(folder) = reports("ncu") else { return };
    let kernel = |file: &str, at: usize| report(&folder, file).kernels.swap_remove(at);
    let exact = |read: Option<Read<f64>>| read.map(|read| read.value);

    let raw = kernel("13", 0);
    assert_eq!(exact(raw.measured.sm_active_cycles_avg), Some(16_200.824_324));
    assert_eq!(exact(raw.measured.sm_active_cycles_max), Some(19_181.0));
    assert_eq!(exact(raw.measured.sm_active_cycles_min), Some(0.0));
    assert_eq!(exact(raw.measured.duration_ns), Some(22_592.0));
    assert_eq!(raw.device_name.unwrap().value, "NVIDIA B200");
    assert_eq!(raw.device.smem_per_sm_bytes.unwrap().value, 233_472);

    let pascal = kernel("04", 0);
    assert_eq!(exact(pascal.measured.duration_ns), Some(2720.0));
    assert_eq!(pascal.device.max_blocks_per_sm.unwrap().value, 32);
    assert_eq!(pascal.device_name.unwrap().value, "NVIDIA GeForce GTX 1080");

    // A decimal comma: 117.344 ns is 117,344.
    let comma = report(&folder, "20");
    assert_eq!(exact(comma.kernels[0].measured.duration_ns), Some(117_344.0));
    assert_eq!(exact(comma.kernels[0].measured.compute_throughput_percent), Some(65.77));
    let warnings = comma.notes.iter().filter(|note| note.message.contains("the shape is used"));
    assert_eq!(warnings.count(), 4, "{:#?}", comma.notes);

    let summary = kernel("21", 0);
    assert_eq!(summary.invocations.unwrap().value, 14);
    assert_eq!(exact(summary.reported.achieved_occupancy_min_percent), Some(73.56));
    assert_eq!(exact(summary.reported.achieved_occupancy_max_percent), Some(79.38));

    let cluster = kernel("10", 0);
    assert_eq!(cluster.cluster_size.unwrap().value, 0);
    assert!(cluster.rules.iter().any(|rule| rule.text.contains("136")));
    assert_eq!(kernel("18", 2).process_id, Some(28_264));

    // 14 lines of output and two of the profiler; eleven of a traceback.
    let outside = |file: &str| {
        report(&folder, file)
            .notes
            .iter()
            .filter_map(|note| note.message.split(" outside the table").next().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    assert!(outside("01").contains(&"16 lines".to_owned()));
    assert!(outside("17").contains(&"11 lines".to_owned()));
}

#[test]
fn no_real_table_is_read_with_an_error_or_an_unreadable_cell() {
    let Some(folder) = reports("ncu") else { return };
    for (file, ..) in FILES {
        let notes = report(&folder, file).notes;
        let bad: Vec<_> =
            notes.iter().filter(|note| note.message.contains("not a number") || note.message.starts_with("this row")).collect();
        assert!(bad.is_empty(), "{file}: {bad:#?}");
    }
}

#[test]
fn other_real_files_are_refused_by_name() {
    let Some(folder) = reports("ncu/not_ncu") else { return };
    let kinds = [
        ("n1", "ncu-source-page"),
        ("n2", "ncu-session-page"),
        ("n3", "nsys-summary"),
        ("n4", "nsys-trace"),
        ("n5", "nvprof"),
        ("n6", "ncu-text"),
        ("n7", "other-table"),
    ];
    for (file, kind) in kinds {
        let (path, bytes) = open(&folder, file);
        let error = read_report(&bytes).expect_err(&path);
        assert_eq!(error.format(), kind, "{path}");
        assert!(error.to_string().contains("--csv"), "{error}");
    }
}

/// The model has no place for a metric.
#[derive(Debug)]
pub(crate) struct NotKept;

/// The metrics of the expected values and where the model has them.
pub(crate) fn metric(kernel: &Kernel, name: &str) -> Result<Option<f64>, NotKept> {
    let small = |read: Option<Read<u32>>| Ok(read.map(|read| f64::from(read.value)));
    #[expect(clippy::cast_precision_loss, reason = "sizes in these files are far below 2^53")]
    let large = |read: Option<Read<u64>>| Ok(read.map(|read| read.value as f64));
    let real = |read: Option<Read<f64>>| Ok(read.map(|read| read.value));
    let said = &kernel.reported;
    match name {
        "launch__block_size" => large(kernel.threads_per_block()),
        "launch__grid_size" => large(kernel.num_blocks()),
        "launch__registers_per_thread" => small(kernel.registers_per_thread),
        "launch__shared_mem_per_block_static" => large(kernel.static_smem_bytes),
        "launch__shared_mem_per_block_dynamic" => large(kernel.dynamic_smem_bytes),
        "launch__shared_mem_per_block_driver" => large(kernel.driver_smem_bytes),
        "launch__shared_mem_config_size" => large(kernel.smem_config_bytes),
        "launch__barrier_count" => small(kernel.barriers),
        "launch__cluster_size" => small(kernel.cluster_size),
        "launch__waves_per_multiprocessor" => real(said.waves_per_sm),
        "launch__occupancy_limit_registers" => small(said.limit_registers),
        "launch__occupancy_limit_shared_mem" => small(said.limit_shared_memory),
        "launch__occupancy_limit_warps" => small(said.limit_warps),
        "launch__occupancy_limit_blocks" => small(said.limit_blocks),
        "launch__occupancy_limit_barriers" => small(said.limit_barriers),
        "sm__maximum_warps_per_active_cycle_pct" => real(said.theoretical_occupancy_percent),
        "sm__maximum_warps_avg_per_active_cycle" => real(said.theoretical_warps_per_sm),
        "sm__warps_active.avg.pct_of_peak_sustained_active" => real(said.achieved_occupancy_percent),
        "sm__warps_active.avg.per_cycle_active" => real(said.achieved_warps_per_sm),
        "gpu__time_duration.sum" => real(kernel.measured.duration_ns),
        _ => Err(NotKept),
    }
}

#[test]
fn exports_of_binary_reports_hold_their_values() {
    let Some(folder) = reports("ncu-rep") else { return };
    let expected: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    for (file, report) in expected.as_object().unwrap() {
        let results = report["results"].as_array().unwrap();
        for page in ["raw", "details"] {
            let (path, bytes) = open(&folder, &format!("{}.{page}.csv", file.strip_suffix(".ncu-rep").unwrap()));
            let read = read_report(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert_eq!(read.kernels.len(), results.len(), "{path}");
            for (kernel, expected) in read.kernels.iter().zip(results) {
                check_against(kernel, expected, page == "raw", &path);
            }
        }
    }
}

fn check_against(kernel: &Kernel, expected: &serde_json::Value, is_raw: bool, path: &str) {
    let extents = |name: &str| expected[name].as_array().unwrap().iter().map(|extent| extent.as_u64().unwrap()).collect::<Vec<_>>();
    let of = |shape: occuscope::units::Dim3| [shape.x, shape.y, shape.z].map(u64::from).to_vec();
    assert_eq!(kernel.name, expected["kernel_demangled"], "{path}");
    assert_eq!(of(kernel.block.unwrap().value), extents("block"), "{path}");
    assert_eq!(of(kernel.grid.unwrap().value), extents("grid"), "{path}");
    assert_eq!(kernel.compute_capability.unwrap().value.to_string(), expected["cc"], "{path}");
    if is_raw {
        assert_eq!(kernel.device_name.as_ref().unwrap().value, expected["device"], "{path}");
        assert_eq!(u64::from(kernel.num_sms.unwrap().value), expected["sm_count"], "{path}");
        let limits = &expected["device_limits"];
        assert_eq!(u64::from(kernel.device.max_warps_per_sm.unwrap().value), limits["max_warps_per_multiprocessor"], "{path}");
        assert_eq!(u64::from(kernel.device.max_blocks_per_sm.unwrap().value), limits["max_blocks_per_multiprocessor"], "{path}");
        assert_eq!(u64::from(kernel.device.registers_per_sm.unwrap().value), limits["max_registers_per_multiprocessor"], "{path}");
        assert_eq!(kernel.device.smem_per_sm_bytes.unwrap().value, limits["max_shared_memory_per_multiprocessor"], "{path}");
        assert_eq!(kernel.device.reserved_smem_per_block_bytes.unwrap().value, limits["reserved_shared_memory_per_block"], "{path}");
        assert_eq!(kernel.device.optin_smem_per_block_bytes.unwrap().value, limits["max_shared_memory_per_block_optin"], "{path}");
    }
    for (name, expected) in expected["metrics"].as_object().unwrap() {
        // The details page leaves out some metrics; what it has is printed to two decimals.
        match metric(kernel, name) {
            Ok(Some(found)) => {
                assert!((found - expected.as_f64().unwrap()).abs() <= 0.005_000_1, "{path}: {name} is {found}, not {expected}");
            }
            Ok(None) => assert!(!is_raw, "{path}: {name} was not read"),
            Err(NotKept) => {}
        }
    }
    for name in expected["missing"].as_array().unwrap() {
        assert!(matches!(metric(kernel, name.as_str().unwrap()), Ok(None) | Err(NotKept)), "{path}: {name} should be missing");
    }
}
