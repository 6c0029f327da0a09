"""Check the deals of a record of Shoal by yourself: `python verify_deal.py RECORD.json`.

Before the deal the server published a commitment, and every seat could add a nonce. If the commitment is
the hash of the seed that the record reveals, and each deck follows from that seed and the nonces, nobody
chose the cards. This file needs nothing but Python: docs/engine.md says what it does, section "Fairness".
"""

import hashlib
import hmac
import json
import sys

BASE = """crab: dark_blue 2, light_blue 2, black 1, yellow 2, green 1, grey 1
boat: dark_blue 2, light_blue 2, black 2, yellow 2
fish: dark_blue 2, light_blue 1, black 2, yellow 1, green 1
swimmer: dark_blue 1, light_blue 1, black 1, yellow 1, light_orange 1
shark: dark_blue 1, light_blue 1, black 1, green 1, purple 1
shell: dark_blue 1, light_blue 1, black 1, yellow 1, green 1, grey 1
octopus: light_blue 1, yellow 1, green 1, purple 1, grey 1
penguin: purple 1, light_orange 1, pink 1
sailor: pink 1, orange 1
lighthouse: purple 1
shoal_of_fish: grey 1
penguin_colony: green 1
captain: light_orange 1
mermaid: white 4"""
SALT = """jellyfish: purple 1, pink 1
lobster: black 1
cast_of_crabs: green 1
starfish: dark_blue 1, light_blue 1, yellow 1
seahorse: white 1"""


def box(lines):
    """Return every card, in the order in which they are before a shuffle."""
    kinds = [line.split(": ") for line in lines.splitlines()]
    faces = [(kind, *face.split()) for kind, all_faces in kinds for face in all_faces.split(", ")]
    return [f"{kind} {color}" for kind, color, copies in faces for _ in range(int(copies))]


def numbers(seed, purpose, round_number):
    """Return the function that gives the next number below n of this use of chance."""
    use = purpose.encode() + b"\0" + round_number.to_bytes(4, "big") + bytes(4)
    key = hmac.digest(seed, use, "sha256")
    blocks = (hashlib.sha256(key + i.to_bytes(4, "big")).digest() for i in range(1 << 32))
    words = (
        int.from_bytes(block[at : at + 2], "big") for block in blocks for at in range(0, 32, 2)
    )
    return lambda n: next(word for word in words if word < 65536 - 65536 % n) % n


def check(what, should_be, is_said):
    """Say that two values agree, or stop."""
    if should_be != is_said:
        sys.exit(f"NO MATCH: {what}: the record says {is_said}, but it should be {should_be}")
    print(f"ok: {what}: {is_said}")


record = json.load(open(sys.argv[1], encoding="utf-8"))
secret = bytes.fromhex(record["server_seed"])
check("the commitment", hashlib.sha256(secret).hexdigest(), record["commitment"])
nonces = [bytes.fromhex(nonce or "") for nonce in record["nonces"]]
seed = hmac.digest(secret, b"".join(bytes([len(nonce)]) + nonce for nonce in nonces), "sha256")
events = [event for entry in record["entries"] for event in entry["events"]]
for event in (event for event in events if event["kind"] == "round_started"):
    deck = box(f"{BASE}\n{SALT}" if "salt" in record["ruleset"]["name"].split("-") else BASE)
    draw = numbers(seed, "deal", event["round"])
    for place in reversed(range(1, len(deck))):
        other = draw(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    print(f"round {event['round']}, the deck from its top:", ", ".join(reversed(deck)))
    check("the piles", [deck.pop(), deck.pop()], event["piles"])
    check("cards left", len(deck), event["deck_size"])
    if event["round"] == 1:
        check("who starts", numbers(seed, "starter", 0)(len(nonces)), event["starter"])
