"""Breakthrough: two rows of pawns, and who reaches the last row first has won.

A pawn moves one square forward, straight or diagonally, and captures diagonally only.
"""

OTHER = {"white": "black", "black": "white"}
FORWARD = {"white": 1, "black": -1}
LAST = {"white": 7, "black": 0}


def moves_of(side, board):
    moves = []
    for (x, y), color in board.items():
        if color != side:
            continue
        for dx in (0, -1, 1):
            end = (x + dx, y + FORWARD[side])
            there = board.get(end)
            if 0 <= end[0] <= 7 and 0 <= end[1] <= 7 and (there is None or (dx != 0 and there != side)):
                moves.append({"from_x": x, "from_y": y, "to_x": end[0], "to_y": end[1]})
    return moves


def status_of(side, board):
    for winner in ("white", "black"):
        if any(color == winner and y == LAST[winner] for (_, y), color in board.items()):
            return f"{winner} won"
        if OTHER[winner] not in board.values():
            return f"{winner} won"
    return "running" if moves_of(side, board) else f"{OTHER[side]} won"


def answer(side, board):
    status = status_of(side, board)
    return {
        "pieces": [{"color": color, "name": "pawn", "x": x, "y": y} for (x, y), color in board.items()],
        "possible_moves": moves_of(side, board) if status == "running" else [],
        "additional_data": None,
        "status": status,
    }


def get_starting_state():
    rows = {0: "white", 1: "white", 6: "black", 7: "black"}
    return answer("white", {(x, y): color for y, color in rows.items() for x in range(8)})


def make_move(pieces, move, next_turn, additional_data):
    board = {(piece["x"], piece["y"]): piece["color"] for piece in pieces}
    board[move["to_x"], move["to_y"]] = board.pop((move["from_x"], move["from_y"]))
    return answer(next_turn, board)
