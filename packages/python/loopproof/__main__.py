"""python -m loopproof: the command, where its folder is not in the PATH."""

import os
import subprocess
import sys

from loopproof import find_binary

if __name__ == "__main__":
    command = [find_binary(), *sys.argv[1:]]
    if sys.platform == "win32":  # it has no exec that keeps the process
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)
