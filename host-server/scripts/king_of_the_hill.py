

# King of the hill: chess, and whose king reaches one of the four squares in the centre has won.

HILL = (27, 28, 35, 36)
base_ending = ending


def ending(position, moves):
    for square in HILL:
        if position["board"][square] in "Kk":
            return f"{side_of(position['board'][square])} won"
    return base_ending(position, moves)


def is_dead(board):
    """A king can always walk to the centre."""
    return False
