from __future__ import annotations

from mlzero.ui.tickets import Tickets


def test_opens_for_its_browser_and_for_its_time_only() -> None:
    now = [1000.0]
    tickets: Tickets[str] = Tickets(60, clock=lambda: now[0])
    token = tickets.issue("value", "mine")
    assert tickets.open(token, "mine") == "value"
    assert tickets.open(token, "yours") is None
    assert tickets.open(token, None) is None
    assert tickets.open("unknown", "mine") is None
    now[0] += 61
    assert tickets.open(token, "mine") is None


def test_expired_tickets_do_not_pile_up() -> None:
    now = [0.0]
    tickets: Tickets[int] = Tickets(10, clock=lambda: now[0])
    for number in range(5):
        tickets.issue(number, "c")
    now[0] = 11
    tickets.issue(9, "c")
    assert len(tickets._entries) == 1


def test_a_ticket_without_a_browser_opens_for_nobody() -> None:
    tickets: Tickets[int] = Tickets(10)
    assert tickets.open(tickets.issue(1, ""), "") is None
