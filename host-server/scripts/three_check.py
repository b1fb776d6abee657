

# Three-check: chess, and who has given three checks has won.


def counted_checks(position):
    checks = dict(position.get("checks", {"white": 0, "black": 0}))
    if in_check(position["board"], position["side"]):
        checks[OTHER[position["side"]]] += 1
    return {**position, "checks": checks}


base_counted, base_ending = counted, ending


def counted(position):
    return base_counted(counted_checks(position))


def ending(position, moves):
    for side, checks in position["checks"].items():
        if checks >= 3:
            return f"{side} won"
    return base_ending(position, moves)


def is_dead(board):
    """With one piece beside the kings, checks are still possible."""
    return all(piece in ".Kk" for piece in board)
