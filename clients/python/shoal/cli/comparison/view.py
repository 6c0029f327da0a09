"""What a test says: a line while it runs, and what it found."""

from collections.abc import Iterator, Mapping
from typing import Final

from shoal.cli.comparison.course import Course
from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.scoring import ADJUSTED, PLAIN
from shoal.cli.output import note, say
from shoal.sequential import Estimate, Rule, Sample, Scale, Verdict, estimate

UNDECIDED: Final = "undecided"

_NAMES: Final = ("plain", "adjusted")
_WORDS: Final = (", as it was played", ", without luck")


def line(course: Course) -> str:
    """Return how a test stands, as one line."""
    sample, blocks = course.sample, course.sample.blocks
    parts = [f"{blocks} block{'s' * (blocks != 1)}"]
    if blocks:
        scores = sample.scores
        parts.append(f"A {scores.a:.1%}, B {scores.b:.1%}")
        parts.append(elo(estimate(sample, course.scale)))
        name = _NAMES[not course.scale.adjusted]
        parts += [f"{name} {found.elo:+.0f}" for found in _beside(course)]
    if course.rule is not None:
        low, high = course.rule.lower, course.rule.upper
        parts.append(f"ratio {course.standing.log_ratio:+.2f} ({low:.2f} to {high:.2f})")
    elif course.most:
        parts.append(f"of {course.most}")
    return ", ".join(parts)


def elo(found: Estimate) -> str:
    """Return an Elo difference with its interval."""
    if found.low is None or found.high is None:
        return f"B {found.elo:+.0f} Elo"
    return f"B {found.elo:+.0f} Elo ({found.low:+.0f} to {found.high:+.0f})"


def decision(course: Course) -> str:
    """Return what was decided: H0, H1, undecided, or "" for a test of a fixed size."""
    if course.rule is None:
        return ""
    verdict = course.standing.verdict
    return UNDECIDED if verdict is Verdict.OPEN else verdict.value


def result_json(
    plan: Plan, course: Course, *, interrupted: bool, state: str
) -> Mapping[str, object]:
    """Return everything that was found, for JSON."""
    sample, rule = course.sample, course.rule
    return {
        **plan.as_json(),
        "decision": decision(course) or None,
        "interrupted": interrupted,
        "blocks": sample.blocks,
        "matches": sample.blocks * plan.scale.matches,
        "scores": ADJUSTED if course.scale.adjusted else PLAIN,
        **_figures(sample, course.scale, rule),
        **dict.fromkeys(_NAMES),
        **{_NAMES[scale.adjusted]: _figures(each, scale, rule) for each, scale in course.samples},
        "elo0": rule and rule.elo0,
        "elo1": rule and rule.elo1,
        "alpha": rule and rule.alpha,
        "beta": rule and rule.beta,
        "lower": rule and rule.lower,
        "upper": rule and rule.upper,
        "faults": dict(course.faults),
        "state": state or None,
    }


def _figures(sample: Sample, scale: Scale, rule: Rule | None) -> Mapping[str, object]:
    """Return what the blocks say by some scores."""
    found = estimate(sample, scale)
    return {
        "score_a": sample.scores.a,
        "score_b": sample.scores.b,
        "elo": found.elo,
        "elo_low": found.low,
        "elo_high": found.high,
        "log_ratio": None if rule is None else rule.standing(sample, scale).log_ratio,
    }


def _beside(course: Course) -> Iterator[Estimate]:
    """Yield what the scores say that do not decide, if there are others."""
    for sample, scale in course.samples:
        if scale.adjusted != course.scale.adjusted:
            yield estimate(sample, scale)


def show(plan: Plan, course: Course) -> None:
    """Print what was found."""
    say(f"{_headline(course)}.")
    blocks = course.plain.blocks
    won, fair = course.plain.scores, course.adjusted.scores
    both = len(course.samples) > 1
    for side, spec, part, without in (("A", plan.a, won.a, fair.a), ("B", plan.b, won.b, fair.b)):
        beside = f", {without:.1%} without luck" if both else ""
        say(f"{side}  {spec}: {part:.1%} of the points{beside}")
    words = _WORDS[course.scale.adjusted] if both else ""
    say(f"{elo(estimate(course.sample, course.scale))}, 95 % interval{words}")
    for found in _beside(course):
        say(f"{elo(found)}{_WORDS[not course.scale.adjusted]}")
    say(f"{blocks} blocks, {blocks * plan.scale.matches} matches, seed {plan.seed}")
    if course.rule is not None:
        rule = course.rule
        ratio = course.standing.log_ratio
        say(f"log-likelihood ratio {ratio:+.2f}; it ends at {rule.lower:.2f} and {rule.upper:.2f}")
    for side, count in sorted(course.faults.items()):
        note(
            f"{side}: a method failed {count} times; where it was choose(), the default was played"
        )


def _headline(course: Course) -> str:
    rule = course.rule
    if rule is None:
        return "A fixed number of blocks: the interval is all there is to say"
    match course.standing.verdict:
        case Verdict.H1:
            return f"B is better than A: {rule.elo1:+g} Elo is likelier than {rule.elo0:+g}"
        case Verdict.H0:
            return f"B is not better than A: {rule.elo0:+g} Elo is likelier than {rule.elo1:+g}"
        case Verdict.OPEN:
            return f"Undecided between {rule.elo0:+g} and {rule.elo1:+g} Elo"
