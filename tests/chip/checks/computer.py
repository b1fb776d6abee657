"""The computer opponent: it searches while scans, lights and the network go on."""

from chipmodel.network import Network

from .lab import LIFTED, lift_delays, play, started, us


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


def latency(lab, lifts=8):
    """Scans, lights and the network while the processor has nothing else to do, and while it searches at full strength."""
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
    lab.figure(f"ping_{state}_ms", max(answers), 5, f"longest time of {lifts} pings to their answers, {state}")
