"""How a bot stands on its ladders, as text."""

from shoal.client import pb


def standing_of(membership: pb.Membership) -> str:
    """Return how a bot stands on a ladder, in words."""
    if membership.stage == pb.MEMBERSHIP_STAGE_ACTIVE:
        if not membership.fault_count:
            return "paired whenever it runs and has room"
        count = membership.fault_count
        matches = "match" if count == 1 else f"{count} matches"
        return (
            f"paired, but its last {matches} went wrong by it "
            f"(paused after {membership.most_faults} in a row)"
        )
    trial = f"its trial, match {membership.trial_match_id}, is in play"
    if membership.stage == pb.MEMBERSHIP_STAGE_TRIAL:
        waits = "it plays one casual match before it is paired: it must run, and somebody with it"
        return trial if membership.trial_match_id else waits
    if membership.trial_match_id:
        return f"{membership.why}; {trial}"
    again = membership.retry_time.ToDatetime().strftime("%H:%M:%S")
    return f"{membership.why}; a trial follows from {again} UTC, when it runs"
