"""docker-compose.yml says only what the code knows."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from shoal.server.settings import Settings
from tests.packaging.commands import NotUnderstood, shoal_lines, understand, variables

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = sorted(name for name, service in SERVICES.items() if service["image"] == "shoal")


def commands_of(service: dict[str, Any]) -> list[list[str]]:
    """What a service runs, without the word `shoal`."""
    if "entrypoint" not in service:
        return [service["command"]]
    assert service["entrypoint"] == ["sh", "-ec"]
    return shoal_lines("\n".join(service["command"]))


@pytest.mark.parametrize("name", OURS)
def test_every_command_and_flag_exists(name: str) -> None:
    commands = commands_of(SERVICES[name])
    assert commands
    for words in commands:
        understand(words)


def test_a_flag_that_does_not_exist_would_be_noticed() -> None:
    with pytest.raises(NotUnderstood):
        understand(["serve", "--no-such-flag"])
    with pytest.raises(NotUnderstood):
        understand(["bot", "dance"])


@pytest.mark.parametrize("name", OURS)
def test_every_variable_exists(name: str) -> None:
    known = variables() | {f"SHOAL_{field.upper()}" for field in Settings.model_fields}
    assert set(SERVICES[name].get("environment", {})) <= known


def test_the_settings_are_valid() -> None:
    for name in ("server-1", "server-2", "director"):
        given = {
            key.removeprefix("SHOAL_").lower(): value
            for key, value in SERVICES[name]["environment"].items()
        }
        settings = Settings(**given)
        assert settings.redis_url == "redis://redis:6379/0"


def test_redis_keeps_what_it_acknowledged_and_evicts_nothing() -> None:
    command = " ".join(SERVICES["redis"]["command"])
    assert "--appendonly yes" in command
    assert "--appendfsync always" in command
    assert "--maxmemory-policy noeviction" in command
    assert "redis:/data" in SERVICES["redis"]["volumes"]


def test_there_are_two_servers_one_director_and_every_baseline_bot() -> None:
    commands = [" ".join(words) for name in OURS for words in commands_of(SERVICES[name])]
    assert sum(each.startswith("serve --no-director") for each in commands) == 2
    assert commands.count("director") == 1
    for bot in ("random", "greedy", "planner"):
        assert any(each.startswith(f"bot run {bot} ") for each in commands)


def test_a_bot_speaks_to_a_service_and_port_that_exist() -> None:
    for name in OURS:
        address = SERVICES[name].get("environment", {}).get("SHOAL_SERVER")
        if address:
            host, port = address.split(":")
            assert SERVICES[host]["environment"]["SHOAL_PORT"] == port


def test_the_image_copies_folders_that_exist_and_the_lock() -> None:
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text()
    for line in dockerfile.splitlines():
        if line.startswith("COPY "):
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), source
    assert "--require-hashes --no-deps -r requirements.lock" in dockerfile
