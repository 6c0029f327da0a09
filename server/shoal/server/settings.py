"""The process's environment: every variable that the server reads, and its default."""

import re
from pathlib import Path
from typing import Literal, final

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from shoal.engine import RULESETS
from shoal.server.store.archive import Archive
from shoal.server.store.folder import default_folder
from shoal.server.store.outbox import KEPT_MS

HTTP_PORT_ABOVE = 1000
_LAST_PORT = 65535
_LEAST_RETENTION = KEPT_MS / 1000
_UNITS = {"d": 86_400, "h": 3_600, "m": 60}
_TIME = re.compile(r"([0-9]{1,5})([dhm])")
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?")
_LADDER = re.compile(r"([a-z0-9][a-z0-9-]{0,39})=([a-z-]+)")


@final
class Settings(BaseSettings):
    """Settings of `shoal serve` and `shoal director`; each is a variable `SHOAL_<NAME>`."""

    model_config = SettingsConfigDict(env_prefix="SHOAL_", extra="ignore", frozen=True)

    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(
        7430, ge=0, le=65535, description="The port to listen on; 0 takes a free one."
    )
    http: bool = Field(default=True, description="Whether everything is served over HTTP too.")
    http_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="The port for HTTP; 0 takes a free one. By default 1000 above the other port, and free"
        " where that one is.",
    )
    http_cors_origins: str = Field(
        "",
        description="The origins whose pages may use HTTP from a browser, such as https://example.org, with"
        " commas between; `*` for all of them. Empty: no page of another origin may.",
    )
    workers: int = Field(1, ge=1, le=64, description="How many server processes share the port.")
    redis_url: str = Field(
        "",
        description="Where the store is, of a cluster any of its nodes, with commas between several; "
        "empty starts a private Redis in the data directory.",
    )
    data_dir: Path = Field(
        default_factory=default_folder, description="Where the private Redis keeps its files."
    )
    archive_dir: str = Field(
        "",
        description="Where the director keeps finished matches as files when their time in the store is over,"
        " and servers read them; empty keeps all of them in the store, for ever.",
    )
    retention: str = Field(
        "7d",
        description="How long a match stays in the store after its end, where there is an archive: a number"
        " of days, hours or minutes (7d, 36h, 90m), ten minutes at least.",
    )
    publish_seconds: float = Field(
        180.0,
        ge=1,
        le=86_400,
        description="How often the director works published ratings out anew, where something has changed.",
    )
    registration: Literal["open", "closed"] = Field(
        "open", description="Whether anybody may register a bot, or only who has a token."
    )
    ladders: str = Field(
        "main=base",
        description="The ladders that are made if they are not there: name=ruleset, with commas between."
        " One that is there stays as it is.",
    )
    log_format: Literal["text", "json"] = Field("text", description="How log lines look.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least serious line that is logged."
    )
    reflection: bool = Field(default=True, description="Whether gRPC reflection is served.")
    grace_seconds: float = Field(
        5.0, ge=0, le=300, description="How long open calls may take when the server stops."
    )

    @field_validator("ladders")
    @classmethod
    def _check_ladders(cls, value: str) -> str:
        """Refuse what names no ladder, no ruleset, or one ladder twice."""
        _ladders(value)
        return value

    @field_validator("retention")
    @classmethod
    def _check_retention(cls, value: str) -> str:
        """Refuse what is no time, or one in which a failover could still bring something up."""
        if _seconds(value) < _LEAST_RETENTION:
            raise ValueError(f"{value!r} is not enough: 10m or more")
        return value

    @field_validator("http_cors_origins")
    @classmethod
    def _check_origins(cls, value: str) -> str:
        """Refuse what no browser would send as an origin."""
        for origin in _listed(value):
            if origin != "*" and not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is no origin, such as https://example.org")
        return value

    @property
    def cors_origins(self) -> list[str]:
        """The origins whose pages may use HTTP."""
        return _listed(self.http_cors_origins)

    @property
    def port_for_http(self) -> int:
        """The port to listen on for HTTP; 0 takes a free one."""
        if self.http_port is not None:
            return self.http_port
        above = self.port + HTTP_PORT_ABOVE
        return above if self.port and above <= _LAST_PORT else 0

    @property
    def archive(self) -> Archive | None:
        """The archive, None where there is none."""
        return Archive(Path(self.archive_dir)) if self.archive_dir else None

    @property
    def retention_seconds(self) -> float:
        """How long a match stays in the store after its end."""
        return _seconds(self.retention)

    @property
    def ladder_rulesets(self) -> dict[str, str]:
        """The ruleset of each ladder, by its name."""
        return _ladders(self.ladders)


def _listed(text: str) -> list[str]:
    """Return what a text lists with commas between."""
    return list(filter(None, map(str.strip, text.split(","))))


def _seconds(text: str) -> float:
    """Return a time that is written with its unit; raise ValueError."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{text!r} is not a number of days, hours or minutes, such as 7d, 36h or 90m"
        )
    number, unit = found.groups()
    return float(number) * _UNITS[unit]


def _ladders(text: str) -> dict[str, str]:
    """Return the ruleset of each ladder that a text names; raise ValueError."""
    ladders: dict[str, str] = {}
    for part in _listed(text):
        found = _LADDER.fullmatch(part)
        if found is None:
            raise ValueError(f"{part!r} is not name=ruleset, such as pepper=salt-pepper")
        name, rules = found.groups()
        if rules not in RULESETS:
            raise ValueError(f"no ruleset is called {rules!r}; there are {', '.join(RULESETS)}")
        if name in ladders:
            raise ValueError(f"the ladder {name!r} is named twice")
        ladders[name] = rules
    return ladders
