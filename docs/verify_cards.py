"""Follow every card in a record of Shoal by yourself: `python verify_cards.py RECORD.json`.

Before the deal the server published a commitment, and every seat could add a nonce. If the commitment is
the hash of the seed that the record reveals, and everything that was drawn, stolen and shuffled follows
from that seed, the nonces and the moves, nobody chose the cards. verify_deal.py checks the
chance alone; this file follows the cards from there. It needs nothing but Python: docs/engine.md says
what it does, sections "Chance" and "Fairness".
"""

import hashlib
import hmac
import json
import sys
from collections import Counter

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
EVENT_CARDS = [
    *("", "hermit_crab", "sunfish", "water_rodeo", "dance_of_the_shells", "kraken", "tornado"),
    *("dance_of_the_mermaids", "treasure_chest", "diodon_fish", "angelfish", "dolphins"),
    "coral_reef",
]


def check(what, should_be, is_said):
    """Stop, unless two values agree."""
    if should_be != is_said:
        sys.exit(f"NO MATCH: {what}: the record says {is_said}, but it should be {should_be}")


class Chance:
    """What the record says of chance, beside what follows from the seed."""

    def __init__(self, seed, told):
        """Take the seed, and all uses of chance in the record."""
        self.seed, self.uses = seed, Counter()
        self.said = {
            (use["purpose"], use["round"], use["counter"]): (use["of"], use["came"]) for use in told
        }
        check("the uses of chance, each once", len(self.said), len(told))

    def numbers(self, purpose, round_number):
        """Return the next use of chance for a purpose, and the function that gives its number below n."""
        use = purpose, round_number, self.uses[purpose, round_number]
        self.uses[purpose, round_number] += 1
        name = purpose.encode() + b"\0" + b"".join(part.to_bytes(4, "big") for part in use[1:])
        key = hmac.digest(self.seed, name, "sha256")
        blocks = (hashlib.sha256(key + i.to_bytes(4, "big")).digest() for i in range(1 << 32))
        words = (
            int.from_bytes(block[at : at + 2], "big") for block in blocks for at in range(0, 32, 2)
        )
        return use, lambda n: next(word for word in words if word < 65536 - 65536 % n) % n

    def pick(self, purpose, round_number, count):
        """Return a number below `count`, which the record has to say too."""
        use, below = self.numbers(purpose, round_number)
        came = below(count)
        check(f"chance of {use}", (count, came), self.said.pop(use, None))
        return came

    def shuffle(self, purpose, round_number, cards, names):
        """Shuffle cards, of which the record has to say the same order, by their places among `names`."""
        use, below = self.numbers(purpose, round_number)
        for place in reversed(range(1, len(cards))):
            other = below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        came = [names.index(card) for card in cards]
        check(f"chance of {use}", (len(cards), came), self.said.pop(use, None))


def take(what, card, cards):
    """Take a card away from cards that have to have it."""
    check(what, card if card in cards else f"one of {cards}", card)
    cards.remove(card)


def verify(record):
    """Follow the cards through a record; return how many uses of chance there were."""
    secret = bytes.fromhex(record["server_seed"])
    check("the commitment", hashlib.sha256(secret).hexdigest(), record["commitment"])
    nonces = [bytes.fromhex(nonce or "") for nonce in record["nonces"]]
    seed = hmac.digest(secret, b"".join(bytes([len(nonce)]) + nonce for nonce in nonces), "sha256")
    lines = (
        BASE + "\n" + SALT if "salt" in record["ruleset"]["name"].split("-") else BASE
    ).splitlines()
    faces = [
        (line.split(": ")[0], *face.split())
        for line in lines
        for face in line.split(": ")[1].split(", ")
    ]
    names = [f"{kind} {color}" for kind, color, _ in faces]
    box = [f"{kind} {color}" for kind, color, copies in faces for _ in range(int(copies))]
    told = [use for entry in record["entries"] for use in entry["chance"]]
    chance, discards, event_deck = Chance(seed, told), EVENT_CARDS[1:], []
    for entry in record["entries"]:
        for event in entry["events"]:
            kind = event["kind"]
            seat, victim, card = (event.get(name) for name in ("seat", "victim", "card"))
            if kind == "round_started":
                number, deck, hands = event["round"], list(box), [[] for _ in nonces]
                chance.shuffle("deal", number, deck, names)
                check("the piles", [deck.pop(), deck.pop()], event["piles"])
                check("the cards left", len(deck), event["deck_size"])
                if number == 1:
                    check("who starts", chance.pick("starter", 0, len(nonces)), event["starter"])
            elif kind == "event_revealed":
                if not event_deck:
                    event_deck, discards = sorted(discards, key=EVENT_CARDS.index), []
                    chance.shuffle("events", 0 if number == 1 else number, event_deck, EVENT_CARDS)
                check("the event card", event_deck.pop(), event["event_card"])
            elif kind == "event_discarded" or (kind == "event_awarded" and seat is None):
                discards.append(event["event_card"])
            elif kind in ("cards_drawn", "deck_searched") or (
                kind == "cards_taken" and event["pile"] is None
            ):
                count = {"cards_drawn": 1, "cards_taken": 2, "deck_searched": 5}[kind]
                drawn = sorted((deck.pop() for _ in range(min(count, len(deck)))), key=names.index)
                check("the cards drawn", drawn, event["cards"])
                hands[seat] += drawn if kind == "cards_drawn" else []
            elif kind in ("cards_taken", "card_picked"):
                hands[seat] += event["cards"] if kind == "cards_taken" else [card]
            elif kind in ("card_kept", "card_caught"):
                take("the card kept, of those drawn", card, drawn)
                hands[seat].append(card)
                if kind == "card_kept":
                    check(
                        "the card discarded",
                        drawn,
                        [event["discarded"]] if event["discarded"] else [],
                    )
                else:
                    deck += drawn
                    chance.shuffle("lobster", number, deck, names)
            elif kind == "card_stolen":
                hands[victim].sort(key=names.index)
                check(
                    "the card stolen",
                    hands[victim].pop(chance.pick("steal", number, len(hands[victim]))),
                    card,
                )
                hands[seat].append(card)
            elif kind == "cards_swapped":
                for owner, gone, come in ((seat, "given", "gained"), (victim, "gained", "given")):
                    take("a card swapped, of the hand", event[gone], hands[owner])
                    hands[owner].append(event[come])
            elif kind in ("duo_played", "trio_played", "shield_laid"):
                for name in {"card", "first", "second", "third"} & event.keys():
                    take("a card played, of the hand", event[name], hands[seat])
            elif kind == "hand_revealed":
                check("the hand", sorted(hands[seat]), sorted(event["hand"]))
    check("chance that had no use", {}, chance.said)
    return len(told)


try:
    with open(sys.argv[1], encoding="utf-8-sig") as file:
        found = verify(json.load(file))
except Exception:  # whatever it is, it is no record
    print("usage: verify_cards.py RECORD.json, as `shoal replay export` makes it", file=sys.stderr)
    sys.exit(2)
print(f"ok: {found} uses of chance, and every card that was drawn or stolen by them")
