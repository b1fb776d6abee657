"""The computer opponent: it searches while scans, lights and the network go on."""

import json
import threading
import urllib.request

from chipmodel.network import Network
from chipmodel.player import Player
from chipmodel.reeds import square

from .lab import LIFTED, lift_delays, play, started, us
from .network import HOST, Relay, has_connected


def computer(lab, lifts=2):
    """A search at full strength delays neither a scan nor a light, and ends with a move."""
    board = lab.board()
    board.power_up()
    started(board)
    board.run_ms(100)
    lab.expect("done" in board.command("set computer 10 black"), "`set computer 10 black`")
    play(board, "a2a4", rest=600)
    core, reeds = board.core, board.reeds
    slept, begun, count = core.slept, core.now, len(reeds.scans)
    board.run_ms(150)
    busy = 100 - 100 * (core.slept - slept) / (core.now - begun)
    lab.expect(busy > 99, f"the processor searches: it is busy {busy:.1f} % of the time")
    gaps = [us(b - a) for a, b in zip(reeds.scans[count:], reeds.scans[count + 1:])]
    lab.expect(max(gaps) < 1_100, f"{len(gaps) + 1} scans while it searches, {min(gaps):.1f} to {max(gaps):.1f} µs apart")
    delays = lift_delays(lab, board, [name for name in LIFTED if name != "a2"], lifts)
    lab.expect(delays[-1] < 20, f"{lifts} lifts while it searches: {delays[0]:.2f} to {delays[-1]:.2f} ms from the reed to the last bit of the frame")
    lab.expect("done" in board.command("set computer 2 black"), "`set computer 2 black` while it searches")
    moved = board.run_ms(3_000, lambda: len([name for name in board.strip.lit() if name[1] in "5678"]) >= 2)
    lab.expect(moved, f"its move is lit: {board.strip.lit()}")
    text = board.command("stats", 1_000)
    lab.note(next((line for line in text.splitlines() if line.startswith("stack")), "no stack in `stats`"))
    lab.note(next((line for line in text.splitlines() if line.startswith("last search")), "no search in `stats`"))
    lab.expect("scans lost 0" in text, "no scan is lost")
    lab.collect(board)


def latency(lab, lifts=8, moves=4):
    """Scans, lights, the link and pings while the processor has nothing else to do, and while it searches at full strength."""
    board = lab.board()
    network = Network(board)
    board.power_up()
    started(board)
    lab.expect(board.run_ms(8_000, lambda: network.leases > 0), "an address by DHCP")
    # Answers are lost until the board has resolved the host's address.
    for number in range(20):
        network.ping(number)
        if board.run_ms(100, lambda: network.pings[number][1]):
            break
    measure_latency(lab, board, network, lifts, "idle")
    lab.expect("done" in board.command("set computer 10 black"), "`set computer 10 black`")
    play(board, "a2a4", rest=600)
    slept, begun = board.core.slept, board.core.now
    measure_latency(lab, board, network, lifts, "searching")
    busy = 100 - 100 * (board.core.slept - slept) / (board.core.now - begun)
    lab.expect(busy > 99, f"the processor searches all the time: it is busy {busy:.1f} % of it")
    lab.expect("scans lost 0" in board.command("stats", 1_000), "no scan is lost")
    lab.collect(board)
    if not lab.tabiya:
        lab.note("the link is not measured: no relay program is given (--tabiya)")
        return
    server = Relay(lab.tabiya)
    try:
        measure_plies_of_relay(lab, server, moves)
        measure_link(lab, server, moves)
        measure_link_beside_search(lab, server, moves)
    finally:
        server.stop()


def measure_latency(lab, board, network, lifts, state):
    scans, first = len(board.reeds.scans), 1 + max(network.pings)
    delays = lift_delays(lab, board, [name for name in LIFTED if name != "a2"], lifts)
    for number in range(first, first + lifts):
        network.ping(number)
        board.run_ms(10 + lab.random.random())
    answers = [us(answer - asked) / 1000 for number, (asked, answer) in network.pings.items() if number >= first and answer]
    lab.expect(len(answers) == lifts, f"{state}: {len(answers)} of {lifts} pings are answered")
    scanned = board.reeds.scans[scans:]
    gaps = [us(after - before) / 1000 for before, after in zip(scanned, scanned[1:])]
    lab.figure(f"scan_interval_{state}_ms", max(gaps), 1.1, f"longest interval of {len(gaps)} scans, {state}")
    lab.figure(f"lift_to_light_{state}_ms", delays[-1], 20, f"longest time of {lifts} lifts to their lights, {state}")
    lab.figure(f"icmp_ping_{state}_ms", max(answers), 5, f"longest time of {lifts} pings (ICMP) to their answers, {state}")


# The link. The relay is a real one, whose time is not the board's. So a move has reached it when the last data that it received before
# it passed the move on had crossed the cable, and a message of the relay begins when its data is put on the cable.

MOVE_TO_RELAY_MS, RELAY_TO_LIGHT_MS = 50, 20
# Moves against a remote opponent and against the computer rest for 400 ms before they count.
RESTED_MOVE_TO_RELAY_MS = 400 + MOVE_TO_RELAY_MS
# Pings and pongs of the WebSocket are shorter than any frame of the link. They come in the relay's time, which is faster than the board's.
SHORTEST_FRAME = 20


def has_moved(player, move):
    """Whether the last position that the relay has told a player is one after a move to an empty square, as a condition."""
    start, target = (square(name) ^ 0x38 for name in (move[:2], move[2:]))

    def is_so():
        boards = [message["board"] for message in player.messages() if message.get("type") == "game_state"]
        return bool(boards) and not boards[-1][start] and bool(boards[-1][target])

    return is_so


def time_move(lab, board, network, move, watcher):
    """Makes a move on the reeds; returns the milliseconds from placing the piece until the relay had it."""
    board.reeds.lift(move[:2])
    board.run_ms(150 + lab.random.random())
    placed = board.core.now
    board.reeds.place(move[2:])
    known = board.run_ms(3_000, has_moved(watcher, move))
    taken = [moment for moment, size in network.taken if moment > placed and size > SHORTEST_FRAME]
    lab.expect(known and bool(taken), f"{move} reaches the relay")
    return us(taken[-1] - placed) / 1000 if taken else 3_000


def time_message(board, network, is_lit):
    """Waits for a light that follows from a message of the relay; returns the milliseconds from its data on the cable."""
    before = len(network.given)
    is_done = board.run_ms(3_000, is_lit)
    given = [moment for moment, size in network.given[before:] if size > SHORTEST_FRAME]
    return us(board.core.now - given[0]) / 1000 if is_done and given else 3_000


def time_line(board, network, server, name, line, is_lit):
    """Has the owner's page send a line to the board; returns the milliseconds until its light."""
    body = json.dumps({"line": line}).encode()
    address = f"http://127.0.0.1:{server.port}/owner/boards/{name}/console"
    request = urllib.request.Request(address, body, {"content-type": "application/json"})
    page = threading.Thread(target=lambda: urllib.request.urlopen(request, timeout=60).read())  # noqa: S310
    page.start()
    time = time_message(board, network, is_lit)
    board.run_ms(3_000, lambda: not page.is_alive())
    page.join()
    return time


def time_brightness(lab, board, network, server, name, state, lines):
    """The owner switches the lights off and on again, with something lit."""
    times = []
    for number in range(lines):
        board.run_ms(20 + lab.random.random())
        is_off = number % 2 == 0
        line = "set brightness 0" if is_off else "set brightness 120"
        times.append(time_line(board, network, server, name, line, lambda: bool(board.strip.lit()) != is_off))
    text = f"longest time of {lines} lines of the owner's page from the cable to their lights, {state}"
    lab.figure(f"relay_line_to_light_{state}_ms", max(times), RELAY_TO_LIGHT_MS, text)


def connected(lab, server, name):
    paired = server.add(name)
    board = lab.board()
    network = Network(board)
    network.names["relay.home"] = HOST
    board.power_up()
    board.run_ms(8_000, lambda: network.leases > 0)
    board.command(f"set relay ws://relay.home:{server.port}")
    board.command("set key " + paired["key"])
    lab.expect(has_connected(board, 20_000), f"{name}: the link is up at {board.seconds:.2f} s")
    return board, network, paired["code"]


def watch(board, server, code):
    """A spectator of the game at the board, which has begun with two plies: then the relay opens a room for it."""
    board.run_ms(200)
    table = json.load(urllib.request.urlopen(f"http://127.0.0.1:{server.port}/games/{code}.table", timeout=60))  # noqa: S310
    guest = Player(server.port, "guest", table["watch"], "?watch=1")
    board.run_ms(500, lambda: any(message.get("type") == "game_state" for message in guest.messages()))
    return guest


def measure_plies_of_relay(lab, server, moves):
    """A game with a remote opponent, whose plies come over the link."""
    board, network, code = connected(lab, server, "Remote")
    anna = Player(server.port, "anna", code)
    board.run_ms(500, lambda: any(message["type"] == "start" for message in anna.messages()))
    board.run_ms(100)
    own, replies = ["g1f3", "b1c3", "f3d4", "c3d5"], ["g8f6", "b8c6", "f6e4", "c6e5"]
    to_relay, to_light = [], []
    for move, reply in list(zip(own, replies))[:moves]:
        to_relay.append(time_move(lab, board, network, move, anna))
        board.run_ms(500 + 10 * lab.random.random())
        anna.send(type="move", start=reply[:2], end=reply[2:])
        to_light.append(time_message(board, network, lambda: {reply[:2], reply[2:]} <= set(board.strip.lit())))
        play(board, reply)
    lab.figure("rested_move_to_relay_idle_ms", max(to_relay), RESTED_MOVE_TO_RELAY_MS, f"longest time of {moves} moves on the reeds, which rest, to the relay, idle")
    lab.figure("relay_ply_to_light_idle_ms", max(to_light), RELAY_TO_LIGHT_MS, f"longest time of {moves} plies of the relay from the cable to their lights, idle")
    lab.expect("scans lost 0" in board.command("stats", 1_000), "no scan is lost")
    lab.collect(board)
    anna.close()


def measure_link(lab, server, moves):
    """A game of two people at the board, which the relay stores."""
    board, network, code = connected(lab, server, "Idle")
    play(board, "a2a4")
    play(board, "a7a5")
    guest = watch(board, server, code)
    own = ["b1c3", "b8c6", "g1f3", "g8f6"][:moves]
    to_relay = [time_move(lab, board, network, move, guest) for move in own]
    lab.figure("move_to_relay_idle_ms", max(to_relay), MOVE_TO_RELAY_MS, f"longest time of {moves} moves on the reeds to the relay, idle")
    board.run_ms(300)
    time_brightness(lab, board, network, server, "Idle", "idle", moves)
    lab.expect("scans lost 0" in board.command("stats", 1_000), "no scan is lost")
    lab.collect(board)
    guest.close()


def measure_link_beside_search(lab, server, moves):
    """A game against the computer, which the relay stores. No ply comes from the relay in it, so the lines of its owner are timed."""
    board, network, code = connected(lab, server, "Searching")
    board.command("set computer 1 black")
    play(board, "a2a4")
    moved = board.run_ms(5_000, lambda: len([name for name in board.strip.lit() if name[1] in "5678"]) >= 2)
    lab.expect(moved, f"the computer's move is lit: {board.strip.lit()}")
    make_reply(board)
    # For the relay this is another game, with a room of its own.
    board.command("set computer 10 black")
    board.run_ms(300)
    guest = watch(board, server, code)
    to_relay, busy = [], []
    for number, move in enumerate(["b1c3", "g1f3"]):
        # The search for a hint goes on until the move is made, and the search for the reply begins then.
        for _ in range(2):
            board.reeds.lift("e1")
            board.run_ms(150)
            board.reeds.place("e1")
            board.run_ms(150)
        board.run_ms(100)
        slept, begun = board.core.slept, board.core.now
        to_relay.append(time_move(lab, board, network, move, guest))
        if number == 0:
            board.run_ms(200)
            time_brightness(lab, board, network, server, "Searching", "searching", moves)
        busy.append(100 - 100 * (board.core.slept - slept) / (board.core.now - begun))
        # A takeback.
        play(board, move[2:] + move[:2], rest=1_000)
    lab.expect(min(busy) > 99, f"the processor searches all the time: it is busy {min(busy):.1f} % of it")
    lab.figure("rested_move_to_relay_searching_ms", max(to_relay), RESTED_MOVE_TO_RELAY_MS, f"longest time of {len(to_relay)} moves on the reeds, which rest, to the relay, searching")
    lab.expect("scans lost 0" in board.command("stats", 1_000), "no scan is lost")
    lab.collect(board)
    guest.close()


def make_reply(board):
    """Makes the computer's move, of a pawn or knight to an empty square, which is lit."""
    lit = [name for name in board.strip.lit() if name[1] in "5678"]
    start = next(name for name in lit if board.reeds.closed >> square(name) & 1)
    target = next(name for name in lit if not board.reeds.closed >> square(name) & 1)
    play(board, start + target, rest=600)
