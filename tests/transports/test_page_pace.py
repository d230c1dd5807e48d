from pendesk.transports.page_pace import BUSY_SHARE, LONGEST_S, SHORTEST_S, PagePace


class Machine:
    """Its processor is as busy as it is said to be, second by second."""

    def __init__(self) -> None:
        self.wall = self.used = 0.0
        self.pace = PagePace(lambda: self.used, lambda: self.wall)

    def after(self, seconds: float, busy: float) -> float:
        self.wall += seconds
        self.used += seconds * busy
        return self.pace.pause_s()


def test_pages_of_a_server_with_little_to_do_wait_for_a_second():
    machine = Machine()
    assert {machine.after(1, 0.1) for _ in range(5)} == {SHORTEST_S}


def test_the_pause_grows_while_the_server_is_busier_than_it_may_be_up_to_a_limit():
    machine = Machine()
    pauses = [machine.after(1, 1.0) for _ in range(20)]
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (SHORTEST_S / BUSY_SHARE, LONGEST_S)


def test_it_stays_where_the_server_is_as_busy_as_it_may_be_and_shrinks_afterwards():
    machine = Machine()
    machine.after(1, 2 * BUSY_SHARE)
    longer = machine.after(1, BUSY_SHARE)
    assert abs(longer - 2 * SHORTEST_S) < 1e-9
    assert machine.after(1, 0.0) == SHORTEST_S


def test_between_two_looks_it_does_not_change():
    machine = Machine()
    assert machine.after(0.5, 1.0) == SHORTEST_S
