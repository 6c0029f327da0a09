"""Command lines with a bad value for every option: what is said must name it, and say what to do."""

NOBODY = "127.0.0.1:1"
NO_ID = "0a0199f5c1a2b30123456789abcdef"
READ_ONLY = "/proc/sys/kernel/osrelease"
"""A file that nobody may write, not even an administrator."""

LONG = "x" * 201

COMPETITION = {
    **dict.fromkeys(("show", "pause", "resume", "drain", "actions"), "none"),
    "exclude-period": "none --from 2020-01-01 --until 2020-01-02",
    "force": f"none --bots {NO_ID}",
}
"""The commands of an organizer, with what they need to be asked of a server."""

WRONG = [
    ("nonsense", "No such command 'nonsense'", "shoal --help"),
    ("bot run", "Missing argument 'SPEC'", "shoal bot run --help"),
    ("bot run nobody", "'nobody' names no bot", "path.py:MyBot"),
    ("bot run none.py:Bot", "none.py", "no such file"),
    ("bot run random --token-file none", "none", "shoal bot register"),
    ("bot run random --token-file folder", "folder", "name a file"),
    ("bot run random --token-file empty", "empty", "shoal bot register"),
    ("bot run random --token-file binary", "binary", "shoal bot register"),
    ("bot run random --token-file stale", "does not know this token", "give the token file"),
    ("bot run random --json --token-file stale", "TOKEN_INVALID", "give the token file"),
    ("bot run random --ladder none", "'none'", "shoal ladder list"),
    ("bot run random --max-matches 0", "--max-matches (SHOAL_MAX_MATCHES)", "from 1 to 1000"),
    ("bot run random --matches x", "--matches", "number, 1 or more"),
    ("bot run random --wait soon", "--wait", "a number, 0 or more"),
    ("bot run random --server a/b", "'a/b'", "like localhost:7430"),
    (f"bot run random --wait 0 --server {NOBODY}", NOBODY, "check --server"),
    (f"bot run random --wait 0 --ladder main --server {NOBODY}", NOBODY, "check --server"),
    ("bot register bad:name --token-file new", "name", "1 to 40 of letters"),
    ("bot register one --token-file new", "'one'", "already"),
    ("bot register two --token-file token", "token exists already", "--token-file"),
    ("bot register two --token-file no/where", "--token-file no/where", "make its folder first"),
    ("bot register two --token-file token/x", "--token-file token/x", "name another place"),
    ("bot register two --token-file new --owner-token-file none", "none", "no such token file"),
    (
        "bot register two --token-file new --owner-token-file stale",
        "TOKEN_INVALID",
        "give the token file",
    ),
    ("bot register two --token-file new --baseline", "baselines", "only an admin token"),
    ("bot register two --token-file new --server a:x", "'a:x'", "like localhost:7430"),
    ("bot list --limit 0", "--limit", "number, 1 or more"),
    ("bot list --server a:x", "'a:x'", "like localhost:7430"),
    ("ladder list --server a:x", "'a:x'", "like localhost:7430"),
    ("ladder join --ladder none", "'none'", "shoal ladder list"),
    ("ladder join --token-file none", "none", "shoal bot register"),
    ("ladder join --token-file stale", "does not know this token", "give the token file"),
    ("ladder join --server ftp://here", "'ftp'", "https://host"),
    ("ladder leave --ladder none", "'none'", "shoal ladder list"),
    ("ladder leave --token-file none", "none", "shoal bot register"),
    ("ladder leave --server :x", "':x'", "like localhost:7430"),
    ("ladder standings --ladder none", "'none'", "shoal ladder list"),
    ("ladder standings --server a:x", "'a:x'", "like localhost:7430"),
    ("match show nope", "'nope'", "shoal match list"),
    ("match show nope --server a b", "(b)", "match show --help"),
    ("match list --bot one", "'one'", "shoal bot list"),
    ("match list --limit 0", "--limit", "number, 1 or more"),
    ("match list --server a:0", "'a:0'", "like localhost:7430"),
    ("match create", "'--bots'", "shoal match create --help"),
    ("match create --bots one,two", "'one'", "shoal bot list"),
    ("match create --bots one", "bot_ids", "2 to 4 bots, not 1"),
    ("match create --bots a,b --server a:x", "'a:x'", "like localhost:7430"),
    ("match create --bots a,b --ruleset none", "'none'", "salt-pepper"),
    ("match create --bots a,b --move-ms 9999999999", "--move-ms", "from 0 to 600000"),
    ("match create --bots a,b --bank long", "--bank", "60000+1000"),
    ("match create --bots a,b --bank 999999999", "time_control.bank_ms", "0 to 3600000"),
    ("match create --bots a,b --max-strikes 101", "--max-strikes", "from 0 to 100"),
    ("match create --bots a,b --max-illegal x", "--max-illegal", "from 0 to 100"),
    ("match create --bots a,b --match-ms 1e9", "--match-ms", "from 0 to 604800000"),
    ("match create --bots a,b --match-ms 5", "time_control.match_ms", "60000 to 604800000"),
    ("match create --bots a,b --token-file none", "none", "shoal bot register"),
    ("match abort nope --token-file admin", "'nope'", "shoal match list"),
    ("match abort nope", "NOT_ALLOWED", "only an admin token"),
    ("match void nope --token-file admin", "'nope'", "shoal match list"),
    ("match void nope", "NOT_ALLOWED", "only an admin token"),
    ("match void nope --server a/b", "'a/b'", "like localhost:7430"),
    *(
        row
        for command, words in COMPETITION.items()
        for row in (
            (f"competition {command} {words} --token-file admin", "'none'", "shoal ladder list"),
            (f"competition {command} {words}", "NOT_ALLOWED", "only an admin token"),
            (f"competition {command} {words} --token-file none", "none", "no such token file"),
            (f"competition {command} {words} --server a/b", "'a/b'", "like localhost:7430"),
        )
    ),
    *(
        (f"competition {command} {words} --token-file admin --why {LONG}", "why", "at most 200")
        for command, words in COMPETITION.items()
        if command not in {"show", "actions"}
    ),
    *(
        row
        for what in ("exclude", "readmit")
        for row in (
            (f"competition {what} none {NO_ID} --token-file admin", NO_ID, "no bot"),
            (f"competition {what} none {NO_ID} --token-file none", "none", "no such token file"),
            (f"competition {what} none {NO_ID} --server a/b", "'a/b'", "like localhost:7430"),
            (
                f"competition {what} none {NO_ID} --token-file admin --why {LONG}",
                "why",
                "at most 200",
            ),
        )
    ),
    ("competition actions none --limit 0", "--limit", "number, 1 or more"),
    (f"competition exclude none {NO_ID} --uncounted x", "'x'", "2026-03-01T18:00+01:00"),
    ("competition exclude-period none --from x --until 2020-01-02", "--from", "2026-03-01T18:00"),
    ("competition exclude-period none --from 2020-01-01", "--until", "exclude-period --help"),
    ("competition force none", "--bots", "competition force --help"),
    (
        f"competition force none --bots {NO_ID} --ruleset x --token-file admin",
        "'none'",
        "shoal ladder list",
    ),
    *(
        row
        for what in ("abort", "void")
        for row in (
            (f"match {what} nope --token-file none", "none", "no such token file"),
            (f"match {what} nope --token-file admin --why {LONG}", "why", "at most 200"),
        )
    ),
    ("match abort nope --server a/b", "'a/b'", "like localhost:7430"),
    ("play --against nobody", "'nobody' names no bot", "random, greedy, planner"),
    ("play --against random,random,random,random", "--against", "one to three bots"),
    ("play --ruleset none", "'none'", "salt-pepper"),
    ("play --seed x", "--seed", "whole number from 0 to"),
    ("play --seat 4", "--seat", "from 0 to 3"),
    ("play --seat 2", "--seat 2", "the seats 0 to 1"),
    ("rules show nope", "'nope'", "there are: crab"),
    ("replay show none", "none", "check the path"),
    ("replay show folder", "folder", "name a file"),
    ("replay show empty", "empty", "not a record"),
    ("replay show empty --seat x", "--seat", "number, 0 or more"),
    ("replay verify none", "none", "check the path"),
    ("replay export nope", "'nope'", "shoal match list"),
    ("replay export nope --server a/b", "'a/b'", "like localhost:7430"),
    ("replay export nope --out token", "token exists already", "--force"),
    ("replay export nope --out no/where", "--out no/where", "make it first"),
    ("replay export nope --out folder --force", "--out folder", "name a file in it"),
    ("replay schema more", "(more)", "shoal replay schema --help"),
    ("serve --port 65536", "--port (SHOAL_PORT)", "from 0 to 65535"),
    ("serve --workers 0", "--workers (SHOAL_WORKERS)", "a number from 1 to 64"),
    ("demo --seconds 0", "--seconds", "a number, 0.1 or more"),
    ("bench serve --seconds x", "--seconds", "a number, 0.1 or more"),
    ("bench engine --seconds x", "--seconds", "a number, 0.1 or more"),
    ("bench engine --seats 5", "--seats", "from 2 to 4"),
    ("bench engine --ruleset none", "'none'", "salt-pepper"),
    ("ladder simulate --bots 1", "--bots", "from 2 to 2000"),
    ("ladder simulate --days x", "--days", "a number, 0 or more"),
    ("ladder simulate --days 0", "--days", "give one of them"),
    ("ladder simulate --blocks -1", "--blocks", "number, 0 or more"),
    ("ladder simulate --seed x", "--seed", "whole number"),
    ("ladder simulate --slow 2", "--slow", "from 0 to 1"),
    ("ladder simulate --crashing -1", "--crashing", "from 0 to 1"),
    ("ladder simulate --churn x", "--churn", "from 0 to 1"),
    ("ladder simulate --drift -1", "--drift", "a number, 0 or more"),
    ("ladder simulate --at-once 0", "--at-once", "from 1 to 100"),
    ("ladder simulate --match-seconds 0", "--match-seconds", "a number, 1 or more"),
    ("ladder simulate --real-matches 0", "--real-matches", "number, 1 or more"),
    ("ladder simulate --sizes 2,5", "'2,5'", "from 2 to 4"),
    ("ladder simulate --bots 2 --sizes 3", "--bots 2", "give 3 or more"),
    ("ladder simulate --owners 1", "--owners 1", "give 2 or more"),
    ("ladder simulate --outcomes dice", "'dice'", "model or engine"),
    ("chaos --minutes 0", "--minutes", "a number, 0.05 or more"),
    ("chaos --seed x", "--seed", "whole number"),
    ("chaos --matches 0", "--matches", "number, 1 or more"),
    ("chaos --servers 0", "--servers", "number, 1 or more"),
    ("chaos --workers 0", "--workers", "number, 1 or more"),
    ("chaos --at-least -1", "--at-least", "number, 0 or more"),
    ("chaos --patience -1", "--patience", "a number, 0 or more"),
    ("chaos --workers 0", "--workers", "number, 1 or more"),
    ("chaos --thinking 0", "--thinking", "a number from 0.005 to 5"),
    ("chaos --faults none", "'none'", "server-kill"),
    ("chaos --folder token/x", "token/x", "name another place"),
    ("chaos --folder .", ".", "a folder of its own"),
]
"""Words, what the line must name, and what it must say to do."""

WRONG_SERVERS = [
    ("serve --host nowhere.invalid", "--host", "127.0.0.1"),
    ("serve --host 192.0.2.1", "--host", "0.0.0.0 all"),
    ("serve --port {port}", "cannot listen on 127.0.0.1:{port}", "another --port"),
    ("serve --port {port} --workers 2", "cannot listen on 127.0.0.1:{port}", "another --port"),
    ("serve --data-dir token", "--data-dir token", "folders alone above it"),
    ("serve --data-dir /proc/shoal", "--data-dir /proc/shoal", "make its folder first"),
    ("serve --data-dir data", "data", "choose another folder"),
    ("serve --redis-url nonsense", "Redis URL", "redis://host:6379/0"),
    ("serve --redis-url unix:///no/redis", "/no/redis: No such file", "check --redis-url"),
    ("director --redis-url redis://127.0.0.1:1", "refused", "check --redis-url"),
    ("director", "a director needs the store", "--redis-url"),
]
"""The same where the server itself must refuse to start; {port} is where one listens already."""
