#!/usr/bin/env python3
"""Counts the libraries of the program and checks them: licenses that are allowed, a line for each direct one and for each that is
there in two versions (`LIBRARIES.md`), none that speaks to a network. Exits with 1 and says what is wrong.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ALLOWED = {
    "MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC", "Zlib",
    "Unicode-3.0", "Unlicense", "CC0-1.0", "OFL-1.1", "Ubuntu-font-1.0", "MPL-2.0",
}  # fmt: skip
NETWORK = {
    "reqwest", "hyper", "ureq", "curl", "rustls", "native-tls", "openssl", "tokio", "tungstenite", "quinn", "h2", "isahc", "attohttpc",
    "socket2",
}  # fmt: skip


def is_allowed(expression):
    """An SPDX expression, with the old "/" for a choice."""
    expression = expression.replace("/", " OR ")
    flat = re.sub(r"\(([^()]*)\)", lambda inner: "MIT" if is_allowed(inner[1]) else "none", expression)
    choices = [choice.split(" AND ") for choice in flat.split(" OR ")]
    return any(all(part.strip() in ALLOWED for part in choice) for choice in choices)


def tree(*options):
    """Names, versions and licenses of what is part of the program on Linux, not of what only runs while it is built."""
    command = ["cargo", "tree", "--locked", "-e", "normal,no-proc-macro", "--target", "x86_64-unknown-linux-gnu", "--prefix", "none"]
    lines = subprocess.run([*command, "--format", "{p}|{l}", *options], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = {tuple(line.removesuffix(" (*)").split("|")) for line in lines.splitlines() if line}
    split = sorted((*package.split(" ")[:2], license) for package, license in found)
    return [library for library in split if library[0] != "occuscope"]


def explained(heading):
    text = (HERE / "LIBRARIES.md").read_text()
    rows = text.split(f"## {heading}\n")[1].split("\n## ")[0].splitlines()
    names = [row.split("|")[1] for row in rows if row.startswith("|")][2:]
    return {name.strip() for cell in names for name in cell.split(",")}


def main():
    libraries, direct = tree(), {name for name, _, _ in tree("--depth", "1")}
    names = [name for name, _, _ in libraries]
    twice = {name for name in names if names.count(name) > 1}
    wrong = [f"license of {name} {version}: {license}" for name, version, license in libraries if not is_allowed(license or "none")]
    wrong += [f"speaks to a network: {name}" for name in sorted(NETWORK & set(names))]
    for heading, found in (("Direct", direct), ("In two versions", twice)):
        wrong += [f"{heading}: {name} has no line in LIBRARIES.md" for name in sorted(found - explained(heading))]
        wrong += [f"{heading}: {name} has a line in LIBRARIES.md and is gone" for name in sorted(explained(heading) - found)]
    print(f"{len(libraries)} libraries, {len(direct)} direct, {len(twice)} in two versions; {len(wrong)} things wrong")
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
