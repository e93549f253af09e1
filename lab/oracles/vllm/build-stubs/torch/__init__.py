"""Enough of torch for setup.py of vLLM to tell its metadata, which pip asks for when it downloads the source."""

__version__ = "2.9.0"


class version:
    cuda = hip = xpu = None
