

# Horde: white has 36 pawns and no king. Black wins by capturing all of them, white by checkmate.

base_ending = ending


def may_double(start, side):
    """White pawns may also start from the first row."""
    return start // 8 in ((0, 1) if side == "white" else (6,))


base_play = play


def play(position, move):
    after = base_play(position, move)
    # A double step from the first row passes no square on which a pawn could capture.
    if move[2] == "double" and move[0] // 8 == 0:
        after["passed"] = None
    return after


def ending(position, moves):
    if not any(piece.isupper() for piece in position["board"]):
        return "black won"
    return base_ending(position, moves)


def is_dead(board):
    return False


def start_position():
    rows = ["P" * 8] * 4 + [".PP..PP.", "." * 8, "p" * 8, "rnbqkbnr"]
    return {"board": list("".join(rows)), "side": "white", "castling": [56, 63], "passed": None, "quiet": 0, "seen": {}}
