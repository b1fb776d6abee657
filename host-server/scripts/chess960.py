

# Chess960: chess with a random order of the pieces. Castling is a move of the king to the square of its own rook.

import random


def start_position():
    row = [None] * 8
    for role, columns in (("B", range(0, 8, 2)), ("B", range(1, 8, 2)), ("Q", range(8)), ("N", range(8)), ("N", range(8))):
        row[random.choice([column for column in columns if row[column] is None])] = role
    # The three squares that are left: the king between the rooks.
    for role in "RKR":
        row[row.index(None)] = role
    white = "".join(row)
    rooks = [column for column in range(8) if white[column] == "R"]
    return {
        "board": list(white + "P" * 8 + EMPTY * 32 + "p" * 8 + white.lower()),
        "side": "white",
        "castling": rooks + [56 + column for column in rooks],
        "passed": None,
        "quiet": 0,
        "seen": {},
    }


def castling_target(king, rook):
    return rook
