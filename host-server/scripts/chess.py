"""Chess with all its rules: castling, en passant, promotion to any piece, stalemate, and draws that need no claim.

A move has only two squares, so the square where a promotion ends says which piece it is. On the column of the last square: the last row is a
queen, two rows before it a knight, three a rook, four a bishop. Castling is a move of the king by two squares.
"""

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
LETTERS = {name: letter for letter, name in NAMES.items()}
# The promoted pieces, and how many rows before the last one they are chosen.
PROMOTIONS = {"q": 0, "n": 2, "r": 3, "b": 4}
# Squares are numbered from 0 (a1) to 63 (h8). White pieces have capital letters; an empty square is a full stop.
EMPTY = "."


def squares(square, steps, far):
    """The squares in each direction, up to the edge or only the next one."""
    found = []
    for dx, dy in steps:
        line = []
        x, y = square % 8 + dx, square // 8 + dy
        while 0 <= x <= 7 and 0 <= y <= 7:
            line.append(8 * y + x)
            if not far:
                break
            x, y = x + dx, y + dy
        if line:
            found.append(line)
    return found


STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
ROOK = [squares(square, STRAIGHT, True) for square in range(64)]
BISHOP = [squares(square, DIAGONAL, True) for square in range(64)]
KNIGHT = [squares(square, JUMPS, False) for square in range(64)]
KING = [squares(square, STRAIGHT + DIAGONAL, False) for square in range(64)]
LINES = {"r": ROOK, "b": BISHOP, "n": KNIGHT, "k": KING, "q": [ROOK[square] + BISHOP[square] for square in range(64)]}
# Where a pawn of each side captures.
CAPTURES = {
    "white": [[line[0] for line in squares(square, [(-1, 1), (1, 1)], False)] for square in range(64)],
    "black": [[line[0] for line in squares(square, [(-1, -1), (1, -1)], False)] for square in range(64)],
}
FORWARD = {"white": 8, "black": -8}
OTHER = {"white": "black", "black": "white"}


def side_of(piece):
    return None if piece == EMPTY else "white" if piece.isupper() else "black"


def letter(role, side):
    return role.upper() if side == "white" else role


def is_attacked(board, square, by):
    """Whether a piece of this side could capture on the square."""
    for role, table in LINES.items():
        attacker = letter(role, by)
        if attacker in board:
            for line in table[square]:
                for target in line:
                    if board[target] != EMPTY:
                        if board[target] == attacker:
                            return True
                        break
    pawn = letter("p", by)
    return any(board[origin] == pawn for origin in CAPTURES[OTHER[by]][square])


def in_check(board, side):
    king = letter("k", side)
    return king in board and is_attacked(board, board.index(king), OTHER[side])


# A move is (start, end, kind). The kind is "" or "double", "en passant", "castle" (then the end is the rook), or a promoted piece.


def pawn_moves(position, start):
    board, side = position["board"], position["side"]
    forward = FORWARD[side]
    ends = []
    if board[start + forward] == EMPTY:
        ends.append(start + forward)
        if may_double(start, side) and board[start + 2 * forward] == EMPTY:
            yield start, start + 2 * forward, "double"
    for end in CAPTURES[side][start]:
        if side_of(board[end]) == OTHER[side]:
            ends.append(end)
        elif end == position["passed"]:
            yield start, end, "en passant"
    for end in ends:
        if end // 8 in (0, 7):
            for role in PROMOTIONS:
                yield start, end, role
        else:
            yield start, end, ""


def may_double(start, side):
    return start // 8 == (1 if side == "white" else 6)


def castling_moves(position, king):
    """Castling with each rook that has not moved. King and rook may start on any column."""
    board, side = position["board"], position["side"]
    for rook in position["castling"]:
        if rook // 8 != king // 8 or side_of(board[king]) != side:
            continue
        king_end, rook_end = castled(king, rook)
        path = span(king, king_end)
        if any(board[square] != EMPTY for square in {*path, *span(rook, rook_end)} - {king, rook}):
            continue
        if not any(is_attacked(board, square, OTHER[side]) for square in path):
            yield king, rook, "castle"


def span(one, other):
    return range(min(one, other), max(one, other) + 1)


def castled(king, rook):
    """Where king and rook are after castling."""
    row = king // 8 * 8
    return (row + 6, row + 5) if rook > king else (row + 2, row + 3)


def moves_of(position, start):
    """The moves of one piece, also those that leave the king in check."""
    board, side = position["board"], position["side"]
    role = board[start].lower()
    if role == "p":
        yield from pawn_moves(position, start)
        return
    for line in LINES[role][start]:
        for end in line:
            if side_of(board[end]) != side:
                yield start, end, ""
            if board[end] != EMPTY:
                break
    if role == "k" and position["castling"]:
        yield from castling_moves(position, start)


def play(position, move):
    """The position after a move."""
    start, end, kind = move
    side = position["side"]
    board = position["board"][:]
    piece, captured = board[start], board[end]
    board[start] = EMPTY
    if kind == "castle":
        king_end, rook_end = castled(start, end)
        board[end] = EMPTY
        board[king_end], board[rook_end] = piece, captured
    else:
        board[end] = letter(kind, side) if kind in PROMOTIONS else piece
        if kind == "en passant":
            board[end - FORWARD[side]] = EMPTY
    lost = (start, end)
    castling = [
        rook for rook in position["castling"]
        if rook not in lost and not (piece in "Kk" and rook // 8 == start // 8)
    ]
    is_final = piece in "Pp" or (captured != EMPTY and kind != "castle")
    return {
        **position,
        "board": board,
        "side": OTHER[side],
        "castling": castling,
        "passed": (start + end) // 2 if kind == "double" else None,
        "quiet": 0 if is_final else position["quiet"] + 1,
        "seen": {} if is_final or len(castling) != len(position["castling"]) else position["seen"],
    }


def is_legal(position, move):
    return not in_check(play(position, move)["board"], position["side"])


def legal_moves(position):
    side = position["side"]
    starts = [square for square in range(64) if side_of(position["board"][square]) == side]
    return [move for start in starts for move in moves_of(position, start) if is_legal(position, move)]


def target(position, move):
    """The square that says which move it is."""
    start, end, kind = move
    if kind in PROMOTIONS:
        return end - PROMOTIONS[kind] * FORWARD[position["side"]]
    return castling_target(start, end) if kind == "castle" else end


def castling_target(king, rook):
    return castled(king, rook)[0]


def counted(position):
    """The position with the count of its repetitions. A pawn that was passed counts only if it can be captured."""
    if position["passed"] is not None and not any(move[2] == "en passant" for move in legal_moves(position)):
        position["passed"] = None
    key = "".join(position["board"]) + str(position["passed"]) + position["side"][0]
    position["seen"] = {**position["seen"], key: position["seen"].get(key, 0) + 1}
    position["repeated"] = position["seen"][key]
    return position


def is_dead(board):
    """Whether no sequence of moves can checkmate."""
    others = [square for square in range(64) if board[square] not in ".Kk"]
    bishops = {(square // 8 + square % 8) % 2 for square in others if board[square] in "Bb"}
    only_bishops = all(board[square] in "Bb" for square in others)
    return (only_bishops and len(bishops) < 2) or (len(others) == 1 and board[others[0]] in "NnBb")


def ending(position, moves):
    """The status of the game."""
    if not moves:
        return f"{OTHER[position['side']]} won" if in_check(position["board"], position["side"]) else "draw"
    if is_dead(position["board"]) or position["quiet"] >= 150 or position["repeated"] >= 5:
        return "draw"
    return "running"


def start_position():
    board = list("RNBQKBNR" + "P" * 8 + EMPTY * 32 + "p" * 8 + "rnbqkbnr")
    return {"board": board, "side": "white", "castling": [0, 7, 56, 63], "passed": None, "quiet": 0, "seen": {}}


def answer(position):
    moves = legal_moves(position)
    status = ending(position, moves)
    board = position["board"]
    return {
        "pieces": [
            {"color": side_of(piece), "name": NAMES[piece.lower()], "x": square % 8, "y": square // 8}
            for square, piece in enumerate(board) if piece != EMPTY
        ],
        "possible_moves": [
            {"from_x": start % 8, "from_y": start // 8, "to_x": end % 8, "to_y": end // 8}
            for start, end in ((move[0], target(position, move)) for move in moves)
        ] if status == "running" else [],
        "additional_data": {key: value for key, value in position.items() if key not in ("board", "side")},
        "status": status,
    }


def get_starting_state():
    return answer(counted(start_position()))


def make_move(pieces, move, next_turn, additional_data):
    board = [EMPTY] * 64
    for piece in pieces:
        board[8 * piece["y"] + piece["x"]] = letter(LETTERS[piece["name"]], piece["color"])
    position = {**additional_data, "board": board, "side": OTHER[next_turn]}
    start, end = 8 * move["from_y"] + move["from_x"], 8 * move["to_y"] + move["to_x"]
    played = next(other for other in moves_of(position, start) if target(position, other) == end)
    return answer(counted(play(position, played)))
