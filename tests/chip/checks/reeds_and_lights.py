"""Scans, wiring checks and lights."""

from chipmodel.reeds import RISE_US, START, square
from chipmodel import reeds as reeds_module

from .lab import LIFTED, lift_delays, play, started, switches, us

FULL = (1 << 64) - 1


def scan(lab, seconds=0.3):
    """The executor, the timer and the switches."""
    board = lab.board()
    board.power_up()
    started(board)
    board.run_ms(100)
    core, reeds = board.core, board.reeds
    slept, begun, count = core.slept, core.now, len(reeds.scans)
    board.run_ms(1000 * seconds)
    gaps = [us(b - a) for a, b in zip(reeds.scans[count:], reeds.scans[count + 1:])]
    lab.expect(abs(sum(gaps) / len(gaps) - 1000) < 1, f"{len(gaps) + 1} scans in {seconds} s, {min(gaps):.1f} to {max(gaps):.1f} µs apart")
    lab.note(f"the processor sleeps {100 * (core.slept - slept) / (core.now - begun):.1f} % of the time")
    for closed in [0, FULL, lab.random.getrandbits(64)]:
        reeds.closed = closed
        reeds.update()
        board.run_ms(60)
        grid = switches(board.command("selftest", 2_000))
        lab.expect(grid == closed, f"`selftest` reads the switches {closed:016x}")
    lab.expect(reeds.most == 1, "one wire is pulled at a time")
    # The example in docs/hardware.md.
    reeds.closed = 0xFF << 24
    reeds.backwards = 1 << square("e4")
    reeds.touching = [(14, 15)]
    reeds.update()
    board.run_ms(100)
    text = board.command("selftest", 2_000)
    lab.expect("file g touches file h" in text and "e4: the diode is the wrong way round" in text and "x x x x . x x x" in text,
               "both faults of the example in docs/hardware.md are found")
    lab.collect(board)


def slow_wires(lab):
    """How slow the wires may be. Only a note: the firmware allows 30 µs."""
    for rise in (20, 28, 30, 31, 40):
        reeds_module.RISE_US = rise
        board = lab.board(pieces=START)
        board.reeds.is_watched = False
        board.power_up()
        started(board)
        board.run_ms(200)
        grid = switches(board.command("selftest", 2_000))
        lab.note(f"wires with a rise time of {rise} µs: {'read correctly' if grid == START else f'read as {grid:016x}'}")
    reeds_module.RISE_US = RISE_US


def lights(lab, lifts=3):
    """Frames, timing, and the time from a lifted piece to its lights."""
    board = lab.board()
    board.power_up()
    started(board)
    board.run_ms(150)
    strip, reeds, core = board.strip, board.reeds, board.core
    reeds.lift("e2")
    board.run_ms(150)
    lit = strip.lit()
    lab.expect(set(lit) == {"e2", "e3", "e4"}, f"with e2 lifted, these squares are lit: {lit}")
    reeds.place("e2")
    board.run_ms(300)
    delays = lift_delays(lab, board, LIFTED, lifts)
    lab.expect(delays[-1] < 20, f"{lifts} lifts: {delays[0]:.2f} to {delays[-1]:.2f} ms from the reed to the last bit of the frame")
    lab.expect(not strip.bad, f"{len(strip.frames)} frames of 64 x 24 bits, pulses {sorted(strip.times, key=str)} ns, within both data sheets {strip.bad[:2]}")
    lab.expect(board.ports["C"].values["OSPEEDR"] >> 24 & 3 == 1, "the data pin has medium speed")
    play(board, "e2e4")
    lab.collect(board)
