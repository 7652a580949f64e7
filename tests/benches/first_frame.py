#!/usr/bin/env python3
"""Time from exec to the first frame, memory, and what an idle window does: the program beside an empty window, in turns.

    first_frame.py PROGRAM EMPTY_WINDOW [TURNS]

Needs an X display that nothing else draws on, such as Xvfb's, and libX11. The screen is painted in a color that no window has; the
first frame is there when a point of it has another one. Prints medians and their spread.
"""

import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

COLOR = 0xFF00FF
X = ctypes.CDLL("libX11.so.6")
X.XOpenDisplay.restype = ctypes.c_void_p
X.XDefaultRootWindow.restype = ctypes.c_ulong
X.XGetImage.restype = ctypes.c_void_p
X.XGetPixel.restype = ctypes.c_ulong
X.XGetPixel.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
X.XDestroyImage.argtypes = [ctypes.c_void_p]
for function in ("XDefaultRootWindow", "XFlush", "XDefaultScreen"):
    getattr(X, function).argtypes = [ctypes.c_void_p]
X.XSetWindowBackground.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong]
X.XClearWindow.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
X.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2 + [ctypes.c_ulong, ctypes.c_int]
X.XDisplayWidth.argtypes = X.XDisplayHeight.argtypes = [ctypes.c_void_p, ctypes.c_int]

display = X.XOpenDisplay(None) or sys.exit("no X display")
root = X.XDefaultRootWindow(display)
screen = X.XDefaultScreen(display)
# Where both windows have a plain background: near the middle of the screen.
POINT = X.XDisplayWidth(display, screen) // 2, X.XDisplayHeight(display, screen) // 2


def pixel():
    image = X.XGetImage(display, root, POINT[0], POINT[1], 1, 1, 0xFFFFFFFF, 2)
    color = X.XGetPixel(image, 0, 0) & 0xFFFFFF
    X.XDestroyImage(image)
    return color


def memory(pid):
    """Resident and proportional memory in MB; the second shares what other programs have mapped too."""
    found = {}
    for line in open(f"/proc/{pid}/smaps_rollup"):
        words = line.split()
        if words[0] in ("Rss:", "Pss:"):
            found[words[0]] = int(words[1]) / 1024
    return found["Rss:"], found["Pss:"]


def ticks(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def turn(command, idle_seconds):
    X.XSetWindowBackground(display, root, COLOR)
    X.XClearWindow(display, root)
    X.XFlush(display)
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        process = subprocess.Popen(command, env={**os.environ, "OCCUSCOPE_HOME": home}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while pixel() == COLOR:
                if process.poll() is not None or time.perf_counter() - start > 60:
                    sys.exit(f"{command[0]}: no window came up")
                time.sleep(0.001)
            taken = time.perf_counter() - start
            # User time until then tells what the program does itself when the machine is full of other work.
            used = ticks(process.pid) * 10
            time.sleep(2)
            resident, proportional = memory(process.pid)
            before = ticks(process.pid)
            time.sleep(idle_seconds)
            idle = ticks(process.pid) - before
        finally:
            process.kill()
            process.wait()
    time.sleep(0.3)
    return taken * 1e3, used, resident, proportional, idle


def main():
    program, empty = sys.argv[1:3]
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seen = {"program": [], "empty": []}
    # One turn of each that does not count: what they load is in memory then, for both alike.
    for index in range(turns + 1):
        for name, command in (("program", [program]), ("empty", [empty])):
            result = turn(command, 10 if name == "program" and index == turns else 0)
            if index:
                seen[name].append(result)
    median = {}
    for name, results in seen.items():
        columns = list(zip(*results))
        median[name] = [statistics.median(column) for column in columns]
        first, cpu, resident, proportional = median[name][:4]
        print(
            f"{name}: first frame {first:.0f} ms ({min(columns[0]):.0f} to {max(columns[0]):.0f}), {cpu:.0f} ms of processor time,"
            f" resident {resident:.1f} MB, proportional {proportional:.1f} MB"
        )
    ratio = [ours / theirs if theirs else float("nan") for ours, theirs in zip(median["program"], median["empty"])]
    print(f"first frame ratio: {ratio[0]:.2f}")
    print(f"processor time ratio: {ratio[1]:.2f}")
    print(f"resident ratio: {ratio[2]:.2f}")
    print(f"proportional ratio: {ratio[3]:.2f}")
    print(f"idle: {seen['program'][-1][4]} ticks of 10 ms in 10 seconds")


main()
