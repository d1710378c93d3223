from mlzero.budget import Budget


def test_counts_what_an_earlier_process_spent():
    now = [100.0]
    budget = Budget(60, spent_before=20, clock=lambda: now[0])
    now[0] += 15
    assert budget.spent == 35
    assert budget.left == 25


def test_never_goes_below_zero():
    now = [0.0]
    budget = Budget(10, clock=lambda: now[0])
    now[0] = 50.0
    assert budget.left == 0
