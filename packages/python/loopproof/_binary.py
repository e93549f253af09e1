"""Finds the binary, which the wheel installs as the command loopproof."""

import os
import shutil
import sys
import sysconfig


def find_binary() -> str:
    """Return the path of the binary: the one that LOOPPROOF names, or that of this package, or one in the PATH."""
    if named := os.environ.get("LOOPPROOF"):
        return named
    name = "loopproof.exe" if sys.platform == "win32" else "loopproof"
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    if found := shutil.which("loopproof"):
        return found
    raise FileNotFoundError(
        f"the binary {name} is neither in {', '.join(_folders())} nor in the PATH; install the package loopproof again, or name "
        "the binary in the variable LOOPPROOF"
    )


def _folders() -> "list[str]":
    user = sysconfig.get_preferred_scheme("user")  # pip install --user
    beside = os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin")  # pip install --target
    return [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=user), beside]
