//! The command line as scripts see it: what it prints, its exit codes, and its errors.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

pub const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/tail_effect_a100.csv");

/// What a run printed, and its exit code.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

/// An empty folder of its own for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The program with no files of the user's own and no display.
fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_occuscope"));
    command.env("OCCUSCOPE_HOME", home).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    command
}

pub fn run_in(home: &Path, args: &[&str], input: &str) -> Ran {
    let mut child = command(home).args(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Written beside the reading: both pipes are small. A program that does not read its input closes it.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn run_with(args: &[&str], input: &str) -> Ran {
    run_in(Path::new("/nowhere"), args, input)
}

pub fn run(args: &[&str]) -> Ran {
    run_with(args, "")
}

/// Splits at spaces, which none of the arguments has.
fn occupancy(args: &str) -> Ran {
    run(&std::iter::once("occupancy").chain(args.split(' ')).collect::<Vec<_>>())
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_json_of_an_occupancy_is_a_contract() {
    let ran = occupancy("--gpu a100 --threads 256 --registers 64 --dynamic-smem 49152 --grid 1000 --format json");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answer = ran.json();
    let all = [
        "compute_capability",
        "gpu",
        "can_launch",
        "reasons",
        "blocks_per_sm",
        "active_warps_per_sm",
        "max_warps_per_sm",
        "theoretical_occupancy_percent",
        "limiters",
        "limits",
        "allocated",
        "waves",
        "steps",
    ];
    assert_eq!(keys(&answer), all);
    assert_eq!(answer["compute_capability"], "8.0");
    assert_eq!(answer["gpu"], "A100 SXM 40 GB");
    assert_eq!((&answer["can_launch"], &answer["reasons"]), (&json!(true), &json!([])));
    assert_eq!(
        (&answer["blocks_per_sm"], &answer["active_warps_per_sm"], &answer["max_warps_per_sm"]),
        (&json!(3), &json!(24), &json!(64))
    );
    assert_eq!(answer["theoretical_occupancy_percent"], 37.5);
    assert_eq!(answer["limiters"], json!(["shared_memory"]));
    assert_eq!(answer["limits"], json!({"warps": 8, "blocks": 32, "registers": 4, "shared_memory": 3, "barriers": null}));
    let allocated = json!({
        "registers_per_thread": 64,
        "registers_per_warp": 2048,
        "registers_per_block": 16384,
        "shared_memory_per_block_bytes": 50176,
    });
    assert_eq!(answer["allocated"], allocated);
    let waves = [
        "num_sms",
        "blocks_per_wave",
        "waves",
        "full_waves",
        "partial_wave_blocks",
        "partial_wave_max_time_percent",
        "slot_efficiency_percent",
        "grid_limited_occupancy_percent",
        "grid_limited_occupancy_per_elapsed_percent",
    ];
    assert_eq!(keys(&answer["waves"]), waves);
    assert_eq!(answer["waves"]["blocks_per_wave"], 324);
    assert_eq!((&answer["waves"]["full_waves"], &answer["waves"]["partial_wave_blocks"]), (&json!(3), &json!(28)));
    assert_eq!(answer["steps"][0]["rule"], "Warps per block");
}

#[test]
fn cannot_launch_is_an_answer() {
    let ran = occupancy("--cc 8.9 --threads 512 --registers 153 --format json");
    assert_eq!(ran.code, 0);
    let answer = ran.json();
    assert_eq!((&answer["can_launch"], &answer["blocks_per_sm"], &answer["gpu"]), (&json!(false), &json!(0), &Value::Null));
    assert_eq!(answer["reasons"].as_array().unwrap().len(), 1);
    assert_eq!((&answer["limiters"], &answer["waves"]), (&json!(["registers"]), &Value::Null));
    let text = occupancy("--cc 8.9 --threads 512 --registers 153");
    assert_eq!(text.code, 0);
    assert!(text.out.contains("Cannot launch. A block is charged 81,920 registers"), "{}", text.out);
}

#[test]
fn the_text_says_what_stops_the_next_block() {
    let ran = occupancy("--cc 8.0 --threads 256 --registers 64 --dynamic-smem 48K");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("Shared memory stops block 4. A block takes 49 KiB (48 asked, 1 reserved)."), "{}", ran.out);
    assert!(ran.out.contains("Shared memory          3  ← stops the next block"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "styles are for terminals");
}

#[test]
fn sizes_and_shapes_are_read_as_people_write_them() {
    let answer = |args: &str| occupancy(args).out;
    let bytes = answer("--cc sm_80 --threads 256 --registers 64 --static-smem 1024 --dynamic-smem 48128 --format json");
    assert_eq!(answer("--cc 8.0 --block 16x16 --registers 64 --static-smem 1K --dynamic-smem 47KiB --format json"), bytes);
    let wrong = occupancy("--cc 8.0 --threads 256 --dynamic-smem 48parsecs");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("\"48parsecs\" is not a size"), "{}", wrong.err);
}

#[test]
fn every_flag_reaches_the_engine() {
    let blocks = |args: &str| occupancy(&format!("{args} --format json")).json()["blocks_per_sm"].clone();
    assert_eq!(blocks("--cc 9.0 --threads 128 --barriers 16"), 4);
    assert_eq!(blocks("--cc 9.0 --threads 64 --static-smem 256 --carveout 4"), 12);
    assert_eq!(blocks("--cc 8.6 --threads 128 --dynamic-smem 49153 --no-opt-in"), 0);
    assert_eq!(blocks("--cc 8.6 --threads 128 --dynamic-smem 64K --max-dynamic-smem 50K"), 0);
    assert_eq!(blocks("--cc 5.2 --threads 128 --registers 85 --partitioned-caching on"), 4);
    assert_eq!(blocks("--cc 8.0 --threads 64 --registers 16 --static-smem 1K --cache-preference l1"), 4);
    assert_eq!(blocks("--cc 8.0 --threads 256 --cluster 2"), 0);
    assert_eq!(blocks("--cc 8.0 --threads 256 --launch-bounds 128,4"), 0);
    let waves = occupancy("--cc 8.0 --threads 256 --grid 4x4x2 --num-sms 4 --format json").json();
    assert_eq!((&waves["waves"]["num_sms"], &waves["waves"]["waves"]), (&json!(4), &json!(1.0)));
}

#[test]
fn wrong_input_is_refused_with_a_way_out() {
    for (args, said) in [
        ("--cc 13.0 --threads 256", "compute capability 13.0 is not known; the nearest are 12.0, 12.1"),
        ("--cc eight --threads 256", "\"eight\" is not a compute capability"),
        ("--gpu rtx409 --threads 256", "near are RTX 4090"),
        ("--gpu a100 --cc 9.0 --threads 256", "--gpu and --cc disagree: A100 SXM 40 GB has compute capability 8.0, not 9.0"),
        ("--cc 8.0 --threads 0", "a block has no threads"),
        ("--cc 8.0 --threads 32 --carveout 101", "the carve-out is 101 percent"),
        ("--cc 8.0", "--threads"),
        ("--threads 256", "--cc"),
        ("--cc 8.0 --threads 32 --block 8x8", "cannot be used with"),
        ("--cc 8.0 --batch rows.csv", "cannot be used with"),
        ("--registers 40 --batch rows.csv", "cannot be used with"),
        ("--batch nowhere.csv", "nowhere.csv"),
    ] {
        let ran = occupancy(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args}");
        assert!(ran.err.contains(said), "{args}: {}", ran.err);
    }
}

/// The rows of a CSV text with the header first.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn batch(input: &str) -> Ran {
    run_with(&["occupancy", "--batch", "-"], input)
}

const ADDED: &str = "blocks_per_sm,limiters,limit_warps,limit_blocks,limit_registers,limit_shared_memory,limit_barriers";

#[test]
fn a_batch_keeps_its_columns_and_adds_the_answers() {
    let ran = batch("name,cc,threads,regs,dyn_smem,note\nfirst,8.0,256,64,48K,\"a, b\"\nsecond,8.6,32,,,\n");
    assert_eq!((ran.code, ran.err.as_str()), (0, "note: not an input, and passed on as it is: name, note\n"));
    let expected = format!(
        "name,cc,threads,regs,dyn_smem,note,{ADDED}\n\
         first,8.0,256,64,48K,\"a, b\",3,shared_memory,8,32,4,3,inf\n\
         second,8.6,32,,,,16,blocks,48,16,64,100,inf\n"
    );
    assert_eq!(ran.out, expected);
}

#[test]
fn a_wrong_row_is_reported_and_the_rest_goes_on() {
    let ran = batch("cc,threads,regs\n8.0,256,41\n8.0,many,41\n13.0,256,41\n8.0,256\n8.0,0,41\n8.0,256,48,9\n8.0,1024,153\n");
    assert_eq!(ran.code, 2);
    let expected = format!(
        "cc,threads,regs,{ADDED}\n\
         8.0,256,41,5,registers,8,32,5,164,inf\n\
         8.0,many,41,,,,,,,\n\
         13.0,256,41,,,,,,,\n\
         8.0,256,,,,,,,,\n\
         8.0,0,41,,,,,,,\n\
         8.0,256,48,,,,,,,\n\
         8.0,1024,153,0,registers,2,32,0,164,inf\n"
    );
    assert_eq!(ran.out, expected);
    let errors: Vec<&str> = ran.err.lines().collect();
    assert_eq!(errors.len(), 5, "{}", ran.err);
    assert_eq!(errors[0], "error: line 3, column 2: threads is \"many\"; write a whole number, standard input");
    assert!(errors[1].starts_with("error: line 4, column 1: compute capability 13.0 is not known"), "{}", errors[1]);
    assert_eq!(errors[2], "error: line 5: the row has 2 cells, but the header has 3, standard input");
    assert!(errors[3].starts_with("error: line 6, column 2: a block has no threads"), "{}", errors[3]);
    assert_eq!(errors[4], "error: line 7: the row has 4 cells, but the header has 3, standard input");
}

#[test]
fn the_columns_of_a_batch_are_checked_before_its_rows() {
    for (input, said) in [
        ("", "the batch is empty"),
        ("cc,regs\n8.0,32\n", "there is no column threads"),
        ("cc,threads,threads\n8.0,32,32\n", "there are two columns threads"),
        ("cc,threads,reg\n8.0,32,40\n", "there is no input \"reg\"; did you mean regs?"),
        ("cc,Threads\n8.0,32\n", "there is no input \"Threads\"; did you mean threads?"),
        ("cc,threads,limiters,blocks_per_sm\n8.0,32,,\n", "blocks_per_sm, limiters would be added, but there is such a column already"),
    ] {
        let ran = batch(input);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{input}");
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn no_cell_of_a_batch_becomes_a_formula() {
    let ran = batch("cc,threads,carveout,=note\n8.0,256,-1,\"=HYPERLINK(\"\"x\"\")\"\n8.0,256,,-2.5e3\n8.0,256,,@a\n");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("cc,threads,carveout,'=note,blocks_per_sm"), "{}", lines[0]);
    assert!(lines[1].starts_with("8.0,256,-1,\"'=HYPERLINK(\"\"x\"\")\",8"), "{}", lines[1]);
    assert!(lines[2].starts_with("8.0,256,,-2.5e3,8") && lines[3].starts_with("8.0,256,,'@a,8"), "{}", ran.out);
}

fn golden(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    rows(&fs::read_to_string(path).unwrap())
}

#[test]
fn a_batch_answers_golden_rows() {
    for (name, cc) in [("golden_61.csv", "6.1"), ("golden_80.csv", "8.0"), ("golden_90.csv", "9.0"), ("golden_120.csv", "12.0")] {
        let mut table = golden(name);
        let header = table.remove(0);
        let slice: Vec<Vec<String>> = table.into_iter().step_by(23).collect();
        let lines: Vec<String> = slice.iter().map(|row| format!("{cc},{}", row.join(","))).collect();
        let ran = batch(&format!("cc,{}\n{}\n", header.join(","), lines.join("\n")));
        let answers = rows(&ran.out);
        let at = |column: &str| answers[0].iter().position(|name| name == column).unwrap();
        assert_eq!(answers.len(), slice.len() + 1, "{name}");
        let pairs = [
            ("active", "blocks_per_sm"),
            ("lim_warps", "limit_warps"),
            ("lim_blocks", "limit_blocks"),
            ("lim_regs", "limit_registers"),
            ("lim_smem", "limit_shared_memory"),
            ("lim_bars", "limit_barriers"),
        ];
        for answer in &answers[1..] {
            for (expected, answered) in pairs {
                assert_eq!(answer[at(expected)], answer[at(answered)], "{name}: {expected} in {answer:?}");
            }
        }
    }
}

#[test]
fn a_batch_answers_the_cases_that_others_got_wrong() {
    let table = golden("peers_cases.csv");
    let at = |column: &str| table[0].iter().position(|name| name == column).unwrap();
    let inputs = [
        ("id", "id"),
        ("cc", "cc"),
        ("threads", "threads"),
        ("regs", "regs"),
        ("smem_static", "static_smem"),
        ("smem_dynamic", "dyn_smem"),
        ("carveout_pct", "carveout"),
        ("barriers", "bars"),
        ("partitioned_gc", "gc"),
        ("optin", "optin"),
    ];
    let mut input = inputs.map(|(_, name)| name).join(",");
    for row in &table[1..] {
        input.push('\n');
        input.push_str(&inputs.map(|(column, _)| row[at(column)].as_str()).join(","));
    }
    let ran = batch(&input);
    assert_eq!((ran.code, ran.err.as_str()), (0, "note: not an input, and passed on as it is: id\n"));
    let expected = ["id", "blocks_per_sm", "lim_warps", "lim_blocks", "lim_regs", "lim_smem", "lim_barriers"];
    let answered = ["id", "blocks_per_sm", "limit_warps", "limit_blocks", "limit_registers", "limit_shared_memory", "limit_barriers"];
    let answers = rows(&ran.out);
    let of = |column: &str| answers[0].iter().position(|name| name == column).unwrap();
    assert_eq!(answers.len(), table.len());
    for (row, answer) in table[1..].iter().zip(&answers[1..]) {
        assert_eq!(expected.map(|column| row[at(column)].as_str()), answered.map(|column| answer[of(column)].as_str()));
        let sorted = |limiters: &str| {
            let mut all: Vec<String> = limiters.split('+').map(str::to_owned).collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&row[at("limiters")]), sorted(&answer[of("limiters")]), "{}", row[0]);
    }
}

#[test]
fn the_json_of_an_import_is_a_contract() {
    let ran = run(&["import", SAMPLE, "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answer = ran.json();
    let file = &answer["files"][0];
    assert_eq!(keys(file), ["path", "format", "tool_version", "notes", "kernels"]);
    assert_eq!((&file["format"], &file["tool_version"]), (&json!("details"), &Value::Null));
    assert_eq!(keys(&file["notes"][0]), ["line", "column", "severity", "message"]);
    let kernel = &file["kernels"][0];
    let expected = [
        "id",
        "process_id",
        "name",
        "compute_capability",
        "device_name",
        "num_sms",
        "block",
        "block_threads",
        "grid",
        "grid_blocks",
        "registers_per_thread",
        "static_smem_bytes",
        "dynamic_smem_bytes",
        "driver_smem_bytes",
        "smem_config_bytes",
        "reported",
        "computed",
        "computed_missing",
        "gap",
    ];
    assert_eq!(keys(kernel)[..expected.len()], expected);
    assert_eq!((&kernel["id"], &kernel["process_id"], &kernel["name"]), (&json!(0), &json!(8123), &json!("gemm_128x64_nn")));
    assert_eq!((&kernel["compute_capability"], &kernel["device_name"], &kernel["num_sms"]), (&json!("8.0"), &Value::Null, &json!(108)));
    assert_eq!((&kernel["block"], &kernel["block_threads"]), (&json!([256, 1, 1]), &json!(256)));
    assert_eq!((&kernel["grid"], &kernel["grid_blocks"]), (&json!([16, 22, 1]), &json!(352)));
    assert_eq!(keys(&kernel["reported"]), ["limits", "theoretical_occupancy_percent", "achieved_occupancy_percent", "waves_per_sm"]);
    assert_eq!(keys(&kernel["reported"]["limits"]), ["warps", "blocks", "registers", "shared_memory", "barriers"]);
    assert_eq!(kernel["reported"]["theoretical_occupancy_percent"], 25.0);
    assert_eq!((&kernel["computed"]["blocks_per_sm"], &kernel["computed"]["waves"]["partial_wave_blocks"]), (&json!(2), &json!(136)));
    assert_eq!(kernel["computed_missing"], json!([]));
    assert_eq!(keys(&kernel["gap"]), ["theoretical", "grid_limited", "achieved", "unfilled", "tail_up_to", "other"]);
    assert_eq!(kernel["compiled"], Value::Null);
}

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");

#[test]
fn compiled_kernels_are_a_table_and_a_key_of_their_own() {
    let log = format!("{FIXTURES}/ptxas/02_build_log.txt");
    let ran = run(&["import", &log]);
    assert_eq!(ran.code, 0);
    let table = [
        "Kernel      Compute  Registers  Static shared  Barriers  Spill stores  Spill loads  Stack  Max threads",
        "scale_rows      7.5         18          2 KiB         1             0            0      0            –",
        "scale_rows     12.0         16          2 KiB         1           8 B          8 B    8 B            –",
        "add_one         8.6         10              0         –             0            0      0            –",
    ];
    assert!(ran.out.contains(&table.join("\n")), "{}", ran.out);
    assert!(ran.out.contains(" · ptxas · 3 kernels"), "{}", ran.out);
    let code = format!("{FIXTURES}/cubin/lab.sm_90.cubin");
    let file = run(&["import", &code, "--format", "json"]).json()["files"][0].clone();
    let kernel = &file["kernels"][2];
    assert_eq!((&file["format"], &kernel["name"]), (&json!("cubin"), &json!("pick")));
    let compiled = json!({
        "mangled_name": "pick",
        "spill_store_bytes": null,
        "spill_load_bytes": null,
        "stack_bytes": 0,
        "max_threads_per_block": 128,
    });
    assert_eq!(kernel["compiled"], compiled);
    assert_eq!((&kernel["registers_per_thread"], &kernel["static_smem_bytes"], &kernel["barriers"]), (&json!(24), &json!(0), &json!(0)));
    assert_eq!((&kernel["block"], &kernel["computed"]), (&Value::Null, &Value::Null));
    assert_eq!(kernel["computed_missing"], json!(["block size", "dynamic shared memory per block"]));
}

#[test]
fn what_a_report_lacks_is_null_and_named() {
    let report = "\
\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"
\"0\",\"7\",\"app\",\"127.0.0.1\",\"add\",\"1\",\"7\",\"Occupancy\",\"Theoretical Occupancy\",\"%\",\"75.00\"
";
    let ran = run_with(&["import", "-", "--format", "json"], report);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let kernel = &ran.json()["files"][0]["kernels"][0];
    for key in ["compute_capability", "num_sms", "block", "grid", "registers_per_thread", "dynamic_smem_bytes", "computed", "gap"] {
        assert_eq!(kernel[key], Value::Null, "{key}");
    }
    assert_eq!(kernel["computed_missing"][0], "compute capability");
    let text = run_with(&["import", "-"], report);
    assert!(text.out.contains("Not computed, because the report does not state: compute capability, block size"), "{}", text.out);
}

#[test]
fn a_file_that_cannot_be_read_is_an_entry_with_a_way_out() {
    let folder = folder("unreadable");
    let other = folder.join("times.csv");
    fs::write(&other, "name,seconds\nadd,3\n").unwrap();
    let other = other.to_str().unwrap();
    let ran = run(&["import", other, "--format", "json"]);
    assert_eq!(ran.code, 1);
    let file = &ran.json()["files"][0];
    assert_eq!((&file["format"], &file["kernels"]), (&json!("other-text"), &json!([])));
    assert_eq!(file["notes"][0]["severity"], "error");
    assert!(file["notes"][0]["message"].as_str().unwrap().contains("ncu --import"), "{file}");

    let some = run(&["import", SAMPLE, "/nowhere/report.csv", "--format", "json"]);
    assert_eq!(some.code, 2);
    assert_eq!(some.json()["files"][1]["format"], Value::Null);
    assert_eq!(some.json()["files"][0]["kernels"].as_array().unwrap().len(), 12);
}

#[test]
fn the_text_of_an_import_is_a_table() {
    let ran = run(&["import", SAMPLE]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("ID  Kernel                  Block     Grid  Registers   Shared"), "{}", ran.out);
    assert!(ran.out.contains(" 0  gemm_128x64_nn            256    16×22        122   34 KiB          2         25 %"), "{}", ran.out);
    let unknown = run(&["import", SAMPLE, "--gpu", "rtx409"]);
    assert_eq!(unknown.code, 2);
}

#[test]
fn the_text_of_an_import_says_why_achieved_is_below_and_what_matters() {
    let ran = run(&["import", SAMPLE]);
    let (table, sentences) = ran.out.split_once("\n0  gemm_128x64_nn\n").expect("the first kernel");
    assert_eq!(table.matches("gemm_128x64_nn").count(), 1);
    assert!(
        sentences.starts_with("    Achieved lies 5.9 points below theoretical. Up to 4.6 of them are the tail: wave 2 fills"),
        "{sentences}"
    );
    assert!(sentences.contains("    412.6 µs · compute 61.4\u{a0}% · "), "{sentences}");
    let own = sentences.lines().filter(|line| line.starts_with("    "));
    assert!(own.clone().count() > 24 && own.map(|line| line.chars().count()).all(|letters| letters <= 100), "{sentences}");
}

#[test]
fn facts_are_listed_and_shown() {
    let list = run(&["arch", "list", "--format", "json"]);
    assert_eq!(list.code, 0);
    assert!(list.json().as_array().unwrap().iter().any(|arch| arch["compute_capability"] == "8.0"));
    let shown = run(&["arch", "show", "rtx 4090", "--format", "json"]).json();
    assert_eq!((&shown["compute_capability"], &shown["gpu"], &shown["max_blocks_per_sm"]), (&json!("8.9"), &json!("RTX 4090"), &json!(24)));
    assert!(run(&["arch", "show", "8.0"]).out.contains("Registers per SM"));
    assert_eq!(run(&["arch", "show", "13.0"]).code, 2);
}

const INVENTED: &str = "compute_capability = \"0.1\"\nname = \"Classroom\"\ninvented = true\nbased_on = \"8.0\"\nmax_blocks_per_sm = 3\n";

#[test]
fn own_gpu_files_are_read_from_the_command_line_and_from_the_directory() {
    let home = folder("own_files");
    let file = home.join("classroom.toml");
    fs::write(&file, INVENTED).unwrap();
    let args = ["occupancy", "--cc", "0.1", "--threads", "32", "--format", "json"];
    assert_eq!(run_in(&home, &args, "").code, 2);
    let named = run_in(&home, &[&args[..], &["--arch", file.to_str().unwrap()]].concat(), "");
    assert_eq!(named.json()["blocks_per_sm"], 3);
    fs::create_dir(home.join("arch")).unwrap();
    fs::rename(&file, home.join("arch/classroom.toml")).unwrap();
    assert_eq!(run_in(&home, &args, "").json()["blocks_per_sm"], 3);
}

#[test]
fn all_problems_of_own_gpu_files_are_reported_at_once() {
    let home = folder("wrong_files");
    let wrong = home.join("wrong.toml");
    fs::write(&wrong, INVENTED.replace("max_blocks_per_sm = 3", "max_blocks_per_sm = 0\nmax_threads = 7")).unwrap();
    let ran = run_in(&home, &["arch", "list", "--arch", "missing.toml", "--arch", wrong.to_str().unwrap()], "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    for said in ["missing.toml", "max_blocks_per_sm", "max_threads"] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
}

#[test]
#[cfg(all(unix, not(target_os = "macos")))]
fn without_a_display_one_sentence_says_what_to_use() {
    for (args, said) in [(&[][..], "occuscope occupancy"), (&[SAMPLE][..], "occuscope import FILE")] {
        let ran = run(args);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""));
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut input = "cc,threads\n".to_owned();
    input.push_str(&"8.0,256\n".repeat(50_000));
    let mut child = command(Path::new("/nowhere")).args(["occupancy", "--batch", "-"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn a_contradictory_decimal_mark_can_be_settled() {
    let report = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ncu/invented/09_contradictory.csv");
    let asked = run(&["import", report]);
    assert!(asked.out.contains("occuscope import --decimal comma reads the file the other way"), "{}", asked.out);
    let told = run(&["import", report, "--decimal", "comma"]);
    assert!(told.out.contains("read with a decimal comma, as told, but \"48.75\" in line 3"), "{}", told.out);
    assert_eq!((told.code, told.err.as_str()), (0, ""), "no progress where the error output is no terminal");
    assert_eq!(run(&["import", report, "--decimal", "point"]).code, 2);
}

#[test]
fn imports_print_tables_for_spreadsheets_and_documents() {
    let csv = run(&["import", SAMPLE, "--format", "csv"]);
    assert_eq!((csv.code, csv.out.lines().count()), (0, 13));
    assert!(csv.out.starts_with("file,id,process_id,name,compute_capability,block_threads,"), "{}", csv.out);
    let markdown = run(&["import", SAMPLE, "--format", "markdown"]);
    assert_eq!((markdown.code, markdown.out.lines().count()), (0, 14));
    assert!(markdown.out.starts_with("| File |"), "{}", markdown.out);
}

#[test]
fn a_folder_stands_for_its_files() {
    let folder = folder("import-folder");
    fs::copy(SAMPLE, folder.join("a.csv")).unwrap();
    fs::write(folder.join("b.txt"), "nothing of the kind").unwrap();
    let ran = run(&["import", folder.to_str().unwrap(), "--format", "csv"]);
    assert_eq!((ran.code, ran.out.lines().count()), (2, 13), "{ran:?}");
    assert!(ran.err.contains("b.txt"), "{}", ran.err);
    fs::remove_file(folder.join("a.csv")).unwrap();
    fs::remove_file(folder.join("b.txt")).unwrap();
    let empty = run(&["import", folder.to_str().unwrap()]);
    assert_eq!(empty.code, 1);
    assert!(empty.err.contains("no files"), "{}", empty.err);
}

#[test]
fn control_characters_in_names_reach_no_terminal() {
    let report = fs::read_to_string(SAMPLE).unwrap().replace("gemm_128x64_nn", "gemm\u{1b}[2J\u{202e}nn");
    let ran = run_with(&["import", "-"], &report);
    assert_eq!(ran.code, 0);
    assert!(!ran.out.contains('\u{1b}') && !ran.out.contains('\u{202e}'), "{}", ran.out);
}
