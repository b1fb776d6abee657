"""Checkers (English draughts): men are pawns, kings are kings.

Men move and capture diagonally forward, kings also backward, one square at a time. Who can capture must, and goes on capturing with the same
piece: the move ends where its last jump ends. A man that reaches the last row becomes a king, and its move ends. Who cannot move has
lost. 80 moves without a capture or a move of a man are a draw.
"""

OTHER = {"white": "black", "black": "white"}
FORWARD = {"white": 1, "black": -1}
LAST = {"white": 7, "black": 0}


def steps(piece):
    color, name = piece
    ways = (FORWARD[color], -FORWARD[color]) if name == "king" else (FORWARD[color],)
    return [(dx, dy) for dy in ways for dx in (-1, 1)]


def is_inside(square):
    return 0 <= square[0] <= 7 and 0 <= square[1] <= 7


def jumps(board, start, piece, taken=()):
    """All complete series of jumps of a piece: the squares where it lands, and the pieces that it takes."""
    found = []
    for dx, dy in steps(piece):
        over, end = (start[0] + dx, start[1] + dy), (start[0] + 2 * dx, start[1] + 2 * dy)
        if not is_inside(end) or end in board or over in taken or board.get(over, piece)[0] == piece[0]:
            continue
        if piece[1] == "pawn" and end[1] == LAST[piece[0]]:
            longer = []
        else:
            longer = jumps(board, end, piece, (*taken, over))
        found += [((end, *path), others) for path, others in longer] or [((end,), (*taken, over))]
    return found


def moves_of(side, board):
    """Each move by its start and the square that names it, with its end and what it takes."""
    moves, plain = {}, {}
    for start, piece in board.items():
        if piece[0] != side:
            continue
        rest = {square: other for square, other in board.items() if square != start}
        for path, taken in jumps(rest, start, piece):
            # A king can jump in a circle. A move must end on another square, so the one before names it.
            name = path[-1] if path[-1] != start else path[-2]
            moves.setdefault((start, name), (path[-1], taken))
        for dx, dy in steps(piece):
            end = (start[0] + dx, start[1] + dy)
            if is_inside(end) and end not in board:
                plain[start, end] = (end, ())
    return moves or plain


def answer(side, board, quiet):
    moves = moves_of(side, board)
    status = f"{OTHER[side]} won" if not moves else "draw" if quiet >= 80 else "running"
    return {
        "pieces": [{"color": color, "name": name, "x": x, "y": y} for (x, y), (color, name) in board.items()],
        "possible_moves": [
            {"from_x": start[0], "from_y": start[1], "to_x": end[0], "to_y": end[1]} for start, end in moves
        ] if status == "running" else [],
        "additional_data": {"quiet": quiet},
        "status": status,
    }


def get_starting_state():
    board = {}
    for y in (0, 1, 2, 5, 6, 7):
        for x in range(8):
            if (x + y) % 2 == 0:
                board[x, y] = ("white" if y < 3 else "black", "pawn")
    return answer("white", board, 0)


def make_move(pieces, move, next_turn, additional_data):
    board = {(piece["x"], piece["y"]): (piece["color"], piece["name"]) for piece in pieces}
    start = (move["from_x"], move["from_y"])
    end, taken = moves_of(OTHER[next_turn], board)[start, (move["to_x"], move["to_y"])]
    color, name = board.pop(start)
    for square in taken:
        del board[square]
    is_crowned = name == "pawn" and end[1] == LAST[color]
    board[end] = (color, "king" if is_crowned else name)
    return answer(next_turn, board, 0 if taken or name == "pawn" else additional_data["quiet"] + 1)
