"""A king that may castle once: two pieces move in one turn. A king on the last rank wins."""


def piece(color, name, x, y):
    return {"color": color, "name": name, "x": x, "y": y}


def at(pieces, x, y):
    for one in pieces:
        if (one["x"], one["y"]) == (x, y):
            return one
    return None


def get_starting_state():
    pieces = [
        piece("white", "king", 4, 0),
        piece("white", "rook", 7, 0),
        piece("black", "king", 4, 7),
        piece("black", "pawn", 0, 6),
    ]
    return state(pieces, "white", {"may_castle": True})


def state(pieces, turn, data):
    moves = []

    def add(one, x, y):
        if 0 <= x < 8 and 0 <= y < 8:
            there = at(pieces, x, y)
            if there is None or there["color"] != turn:
                moves.append({"from_x": one["x"], "from_y": one["y"], "to_x": x, "to_y": y})
            return there is None
        return False

    for one in pieces:
        if one["color"] != turn:
            continue
        if one["name"] == "pawn":
            add(one, one["x"], one["y"] + (1 if turn == "white" else -1))
        if one["name"] == "king":
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy:
                        add(one, one["x"] + dx, one["y"] + dy)
        if one["name"] == "rook":
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                x, y = one["x"] + dx, one["y"] + dy
                while add(one, x, y):
                    x, y = x + dx, y + dy
    if turn == "white" and data["may_castle"] and not at(pieces, 5, 0) and not at(pieces, 6, 0):
        moves.append({"from_x": 4, "from_y": 0, "to_x": 6, "to_y": 0})
    status = "running"
    for one in pieces:
        if one["name"] == "king" and one["y"] == (7 if one["color"] == "white" else 0):
            status = one["color"] + " won"
    return {"pieces": pieces, "possible_moves": moves, "additional_data": data, "status": status}


def make_move(pieces, move, next_turn, additional_data):
    source = (move["from_x"], move["from_y"])
    target = (move["to_x"], move["to_y"])
    castles = source == (4, 0) and target == (6, 0) and additional_data["may_castle"]
    kept = [one for one in pieces if (one["x"], one["y"]) != target]
    for one in kept:
        if (one["x"], one["y"]) == source:
            one["x"], one["y"] = target
        elif castles and (one["x"], one["y"]) == (7, 0):
            one["x"] = 5
    moved = at(kept, *target)
    data = {"may_castle": additional_data["may_castle"] and moved["color"] != "white"}
    return state(kept, next_turn, data)
