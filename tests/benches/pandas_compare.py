"""Called by pandas_compare.sh: one file, read in turns by this crate's `read` and by pandas and polars.

Every turn is a process of its own; a turn is timed inside it, without starting Python or loading a package. The other side
does what a script would do: read the file, keep the metrics that matter, and pivot them to one row a launch. "pandas, whole"
is `read_csv(path)`, as most scripts have it; "pandas" is told beforehand which columns to read, and that all are text.
"""

import json
import statistics
import subprocess
import sys

METRICS = {
    "details": [
        "Registers Per Thread", "Static Shared Memory Per Block", "Dynamic Shared Memory Per Block",
        "Driver Shared Memory Per Block", "Shared Memory Configuration Size", "Block Size", "Grid Size", "# SMs",
        "Block Limit SM", "Block Limit Registers", "Block Limit Shared Mem", "Block Limit Warps",
        "Theoretical Active Warps per SM", "Theoretical Occupancy", "Achieved Occupancy", "Achieved Active Warps Per SM",
        "Waves Per SM", "Duration", "Elapsed Cycles", "Memory Throughput", "DRAM Throughput", "L1/TEX Cache Throughput",
        "L2 Cache Throughput", "Compute (SM) Throughput",
    ],
    "raw": [
        "gpu__time_duration.sum", "launch__block_size", "launch__grid_size", "launch__registers_per_thread",
        "launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic",
        "launch__shared_mem_per_block_driver", "launch__shared_mem_config_size", "launch__sm_count",
        "launch__occupancy_limit_blocks", "launch__occupancy_limit_registers", "launch__occupancy_limit_shared_mem",
        "launch__occupancy_limit_warps", "launch__waves_per_multiprocessor", "sm__maximum_warps_per_active_cycle_pct",
        "sm__warps_active.avg.pct_of_peak_sustained_active",
    ],
}
HEAD = ["ID", "Process ID", "Kernel Name", "Block Size", "Grid Size", "CC"]

SCRIPT = """
import json, resource, sys, time
how, shape, path = sys.argv[1:4]
metrics, head = json.loads(sys.argv[4]), json.loads(sys.argv[5])
import numpy, pandas, polars
start = time.perf_counter()
if shape == "details":
    keys = head[:2]
    columns = head + ["Section Name", "Metric Name", "Metric Value"]
    if how != "polars":
        some = {"usecols": columns, "dtype": str} if how == "pandas" else {"low_memory": False}
        table = pandas.read_csv(path, index_col=False, **some)
        launches = table.drop_duplicates(keys)[head]
        table = table[table["Metric Name"].isin(metrics)].drop_duplicates(keys + ["Metric Name"])
        table["Metric Value"] = pandas.to_numeric(table["Metric Value"].str.replace(",", ""), errors="coerce")
        table = table.pivot(index=keys, columns="Metric Name", values="Metric Value").reset_index()
        result = launches.merge(table, on=keys, suffixes=(" shape", ""))
    else:
        lines = polars.scan_csv(path, infer_schema=False, truncate_ragged_lines=True).select(columns)
        lines = lines.filter(polars.col("Metric Name").is_in(metrics)).unique(keys + ["Metric Name"], keep="first")
        lines = lines.with_columns(polars.col("Metric Value").str.replace_all(",", "").cast(polars.Float64, strict=False))
        shapes = {name: name + " shape" for name in head if name in metrics}
        index = [shapes.get(name, name) for name in head]
        result = lines.rename(shapes).collect().pivot("Metric Name", index=index, values="Metric Value")
else:
    columns = head + metrics
    if how != "polars":
        some = {"usecols": columns, "dtype": str} if how == "pandas" else {"low_memory": False}
        result = pandas.read_csv(path, **some)[columns].iloc[1:]
        for name in metrics:
            result[name] = pandas.to_numeric(result[name].str.replace(",", ""), errors="coerce")
    else:
        lines = polars.scan_csv(path, infer_schema=False).select(columns).slice(1)
        numbers = polars.col(metrics).str.replace_all(",", "").cast(polars.Float64, strict=False)
        result = lines.with_columns(numbers).collect()
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
print(json.dumps({"seconds": seconds, "kernels": len(result), "peak_mb": peak}))
"""


def run(command):
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main():
    reader, shape, path, turns = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    extra = [shape, path, json.dumps(METRICS[shape]), json.dumps(HEAD)]
    ways = {
        "ours": [reader, path],
        "pandas, whole": [sys.executable, "-c", SCRIPT, "pandas, whole", *extra],
        "pandas": [sys.executable, "-c", SCRIPT, "pandas", *extra],
        "polars": [sys.executable, "-c", SCRIPT, "polars", *extra],
    }
    answers = {name: [] for name in ways}
    for _ in range(turns):
        for name, command in ways.items():
            answers[name].append(run(command))
    ours = statistics.median(answer["seconds"] for answer in answers["ours"])
    assert len({answer["kernels"] for all_of_one in answers.values() for answer in all_of_one}) == 1, answers
    for name, all_of_one in answers.items():
        seconds = statistics.median(answer["seconds"] for answer in all_of_one)
        peak = max(answer["peak_mb"] for answer in all_of_one)
        print(f"{shape:8} {name:14} {seconds:8.3f} s {seconds / ours:8.1f} x ours {peak:9.1f} MB at most")


main()
