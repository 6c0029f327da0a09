"""What a director remembers of who was here; times are those that the test gives."""

from shoal.server.director.attendance import Attendance


def test_who_was_here_lately_is_known_and_others_are_forgotten() -> None:
    """All were when the director began; later only who was seen, and no more of them is kept."""
    attendance = Attendance(10, 60, lately=100, began=0)
    assert attendance.was_here_lately("never", 99)
    assert not attendance.was_here_lately("never", 100)
    for second in range(1000):
        attendance.is_here(f"bot {second}", second)
    attendance.is_here("bot 950", 999)
    here = [each for each in range(1000) if attendance.was_here_lately(f"bot {each}", 1049)]
    assert here == list(range(950, 1000))
    assert attendance.size <= 100
