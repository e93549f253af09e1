"""A container with the mock provider, for Testcontainers (pip install testcontainers).

    with LoopproofContainer("scripts", profile="openai,anthropic") as loopproof:
        client = openai.OpenAI(base_url=loopproof.base_url, api_key="any")
"""

from __future__ import annotations

import os
from pathlib import Path

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy


class LoopproofContainer(DockerContainer):
    """Plays the scripts of a folder. Further arguments are settings, which are named like the flags of loopproof serve."""

    def __init__(self, scripts: str | os.PathLike[str], image: str = "ghcr.io/loopproof/loopproof", **settings: str) -> None:
        super().__init__(image)
        self.with_exposed_ports(8080).with_env("LOOPPROOF_SCENARIO", "/scripts")
        self.with_volume_mapping(str(Path(scripts).resolve()), "/scripts", "ro")
        for name, value in settings.items():
            self.with_env("LOOPPROOF_" + name.upper(), value)
        self.waiting_for(HttpWaitStrategy(8080, "/loopproof/healthz"))

    @property
    def url(self) -> str:
        """The base URL of clients of Anthropic and Google."""
        return f"http://{self.get_container_host_ip()}:{self.get_exposed_port(8080)}"

    @property
    def base_url(self) -> str:
        """The base URL of clients of OpenAI."""
        return self.url + "/v1"
