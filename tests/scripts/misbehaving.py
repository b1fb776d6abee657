"""A rook on the a-file. Each move but that to the last row makes the script misbehave in another way."""

OTHER = {"white": "black", "black": "white"}


def state(y, turn):
    squares = range(y + 1, 8) if turn == "white" else ()
    king = {"from_x": 4, "from_y": 7, "to_x": 3, "to_y": 7}
    moves = [{"from_x": 0, "from_y": y, "to_x": 0, "to_y": to} for to in squares]
    return {
        "pieces": [
            {"color": "white", "name": "rook", "x": 0, "y": y},
            {"color": "black", "name": "king", "x": 4, "y": 7},
        ],
        "possible_moves": moves if turn == "white" else [king],
        "additional_data": {"moves": y},
        "status": "running",
    }


def get_starting_state():
    return state(0, "white")


def endless():
    while True:
        pass


def hungry():
    return bytearray(1 << 30)


def failing():
    raise ValueError("no such piece")


def importing():
    import os

    os._exit(0)


def reading():
    with open("/etc/passwd") as file:
        return file.read()


def lying():
    return {"pieces": "none", "possible_moves": [], "additional_data": None, "status": "running"}


MISDEEDS = {1: endless, 2: hungry, 3: failing, 4: importing, 5: reading, 6: lying}


def make_move(pieces, move, next_turn, additional_data):
    misdeed = MISDEEDS.get(move["to_y"])
    if misdeed:
        return misdeed()
    return state(move["to_y"], next_turn)
