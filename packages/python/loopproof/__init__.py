"""Loopproof proves that an agent loop is right, and plays the model provider in the tests of an application."""

from loopproof._binary import find_binary
from loopproof.mock import Run, Server, Verdict, Violation

__all__ = ["Run", "Server", "Verdict", "Violation", "find_binary"]
