"""The computer opponent: it searches while scans and lights go on."""

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
