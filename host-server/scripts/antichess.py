

# Antichess: who can capture must, and who has no move left has won. The king is a piece like the others, and a pawn can become one:
# it is chosen five rows before the last one.

PROMOTIONS = {**PROMOTIONS, "k": 5}
base_legal_moves = legal_moves


def is_legal(position, move):
    return True


def legal_moves(position):
    moves = base_legal_moves(position)
    captures = [
        move for move in moves if position["board"][move[1]] != EMPTY or move[2] == "en passant"
    ]
    return captures or moves


def ending(position, moves):
    if not moves:
        return f"{position['side']} won"
    if is_dead(position["board"]) or position["quiet"] >= 150 or position["repeated"] >= 5:
        return "draw"
    return "running"


def is_dead(board):
    """Bishops on squares of different colours never meet."""
    others = [square for square in range(64) if board[square] != EMPTY]
    colors = {side: {(square // 8 + square % 8) % 2 for square in others if side_of(board[square]) == side} for side in OTHER}
    return all(board[square] in "Bb" for square in others) and not colors["white"] & colors["black"]


def start_position():
    board = list("RNBQKBNR" + "P" * 8 + EMPTY * 32 + "p" * 8 + "rnbqkbnr")
    return {"board": board, "side": "white", "castling": [], "passed": None, "quiet": 0, "seen": {}}
