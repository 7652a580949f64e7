#!/usr/bin/env python3
"""Writes assets/THIRD_PARTY.md: the libraries that are compiled into Occuscope on any of the three systems, and their licenses.

    packaging/third_party.py           writes the file
    packaging/third_party.py --check   exits with 1 when the list of libraries in it is not the one of Cargo.lock

Texts come from the libraries' own sources, as cargo has fetched them. Equal texts are printed once.
"""
import json, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "assets" / "THIRD_PARTY.md"
PLATFORMS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc",
             "aarch64-apple-darwin", "x86_64-apple-darwin"]


def libraries():
    """Packages that are linked in, by name and version; tools of the build and of tests are not."""
    found = {}
    for platform in PLATFORMS:
        command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", platform]
        data = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        packages = {package["id"]: package for package in data["packages"]}
        nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
        proc_macro = lambda id: any("proc-macro" in target["kind"] for target in packages[id]["targets"])
        waiting, seen = [data["resolve"]["root"]], set()
        while waiting:
            id = waiting.pop()
            if id in seen or proc_macro(id):
                continue
            seen.add(id)
            waiting += [dep["pkg"] for dep in nodes[id]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        found |= {(packages[id]["name"], packages[id]["version"]): packages[id] for id in seen}
    return [package for (name, _), package in sorted(found.items()) if name != "occuscope"]


def kind(name):
    """What a file of a license is, by its name."""
    name = name.upper()
    return next((key for key in ["APACHE", "MIT", "ZLIB", "BSD", "ISC", "UNICODE", "BOOST", "UNLICENSE", "OFL", "UFL"] if key in name), "")


def texts(package):
    """One license of each choice: MIT where it is offered, since it is the shortest, else all texts that are there."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.rglob("*") if path.is_file() and len(path.relative_to(folder).parts) <= 3
                   and re.match(r"(LICEN[SC]E|COPYING|UNLICENSE|OFL|UFL)", path.name, re.I) and path.suffix not in (".rs", ".toml"))
    expression = package["license"] or ""
    if " OR " in expression or "/" in expression:
        own = [path for path in files if path.parent == folder]
        preferred = [path for path in own if kind(path.name) == "MIT"] or own[:1]
        files = preferred + [path for path in files if path.parent != folder]
    return [path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip() for path in files]


def document():
    packages = libraries()
    lines = ["# Libraries in Occuscope", "",
             "Made by `packaging/third_party.py`. Where a library offers a choice of licenses, it is used under the MIT license if",
             "that is one of them.", "", "| library | version | license |", "|---|---|---|"]
    lines += [f"| {p['name']} | {p['version']} | {p['license'] or 'see its text'} |" for p in packages]
    users = {}
    for package in packages:
        for text in texts(package):
            key = re.sub(r"\s+", " ", text)
            users.setdefault(key, (text, []))[1].append(package["name"])
    without = [p["name"] for p in packages if not texts(p)]
    for text, names in users.values():
        lines += ["", "## " + ", ".join(sorted(set(names))), "", "```text", text, "```"]
    if without:
        lines += ["", "These come without a text of their own; the expression in the list holds: " + ", ".join(without) + "."]
    return "\n".join(lines) + "\n"


def listed(text):
    return [line for line in text.splitlines() if line.startswith("| ")]


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        rows = {f"| {p['name']} | {p['version']} | {p['license'] or 'see its text'} |" for p in libraries()}
        missing = rows - set(listed(FILE.read_text(encoding="utf-8")))
        if missing:
            sys.exit("assets/THIRD_PARTY.md lacks these; run packaging/third_party.py:\n" + "\n".join(sorted(missing)))
        print(f"{len(rows)} libraries, all listed")
    else:
        FILE.write_text(document(), encoding="utf-8")
        print(f"{FILE}: {len(FILE.read_bytes()):,} bytes")
