"""Check the deals in a record of Shoal: `python verify_deal.py RECORD.json`; docs/engine.md says how."""
import hashlib, hmac, itertools, json, struct, sys
from collections import Counter, defaultdict

COLORS = "dark_blue light_blue black yellow green purple grey light_orange pink orange white".split()
CARDS = """crab 2212101 boat 2222 fish 21211 swimmer 11110001 shark 111011 shell 1111101 octopus 0101111
penguin 000001011 sailor 0000000011 lighthouse 000001 shoal_of_fish 0000001 penguin_colony 00001 captain 00000001
mermaid 00000000004 jellyfish 000001001 lobster 001 cast_of_crabs 00001 starfish 1101 seahorse 00000000001""".split()
USES = {"round_started": "deal", "card_stolen": "steal", "card_caught": "lobster"}

def checks(record):  # yields what has to agree: its name, what the record says, what it should be
    secret, nonces = bytes.fromhex(record["server_seed"]), [bytes.fromhex(each or "") for each in record["nonces"]]
    yield "commitment", record["commitment"], hashlib.sha256(secret).hexdigest()
    seed = hmac.digest(secret, b"".join(bytes([len(nonce)]) + nonce for nonce in nonces), "sha256")
    kinds = [*zip(CARDS[::2], CARDS[1::2])][: 19 if "salt" in record["ruleset"]["name"] else 14]
    box = [f"{kind} {color}" for kind, row in kinds for color, n in zip(COLORS, row) for _ in range(int(n))]
    names, deck, came_for, counters = [*dict.fromkeys(box)], [], defaultdict(list), defaultdict(itertools.count)
    for use in [use for entry in record["entries"] for use in entry["chance"]]:
        purpose, of, came, pick = use["purpose"], use["of"], use["came"], isinstance(use["came"], int)
        under = {"deal": [*map(names.index, box)], "lobster": deck[: max(of - 4, 0)]}.get(purpose, [])
        cards = [*range(min(of, 99))] if pick else under + sorted((Counter(came) - Counter(under)).elements())
        came_for[purpose], deck = [*came_for[purpose], came], came if purpose in ("deal", "lobster") else deck
        which = [len(came_for["deal"]), next(counters[purpose, len(came_for["deal"])])]  # round, counter
        key = hmac.digest(seed, purpose.encode() + struct.pack(">xII", *which), "sha256")
        words = struct.iter_unpack(">H", b"".join(hashlib.sha256(key + bytes([0, 0, 0, i])).digest() for i in range(9)))
        for n in [len(cards)] if pick else range(len(cards), 1, -1):
            number = next(word for word, in words if word < 65536 - 65536 % n) % n
            cards[n - 1], cards[number] = cards[number], cards[n - 1]
        yield purpose, [use["round"], use["counter"], of, came], [*which, len(cards), number if pick else cards]
    events = [event for entry in record["entries"] for event in entry["events"] if event["kind"] in USES]
    said = Counter({name: len(came) for name, came in came_for.items() if name not in ("starter", "events")})
    yield "uses of chance", said, Counter(USES[event["kind"]] for event in events)
    tops = [[names[first], names[second]] for *_, second, first in came_for["deal"]]
    yield "piles", [event["piles"] for event in events if "piles" in event], tops
    yield "who starts", [event["starter"] for event in events if event.get("round") == 1], came_for["starter"]
try:
    wrong = next((each for each in checks(json.load(open(sys.argv[1], encoding="utf-8-sig"))) if each[1] != each[2]), 0)
except Exception:
    sys.exit(print("usage: verify_deal.py RECORD.json, as `shoal replay export` makes it", file=sys.stderr) or 2)
sys.exit(wrong and "NO MATCH: {}: {}, but it should be {}".format(*wrong) or print("ok: all chance comes of the seed"))
