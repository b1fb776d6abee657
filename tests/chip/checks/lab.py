"""What the checks share: boards with a prepared journal, moves, and the list of failures."""

import contextlib
import random
import re
import signal
import time

from chipmodel.core import UNITS_PER_US, Core
from chipmodel.flash import PowerCut
from chipmodel.nucleo import Board
from chipmodel.reeds import square

# Pieces of White that can move in the start position.
LIFTED = ["b1", "g1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"]

# Negotiation takes 1.5 s on real hardware. It is idle time, which costs the host most.
QUICK_NEGOTIATION_US = 50_000


class Hangs(Exception):
    """Something takes longer than its deadline."""


@contextlib.contextmanager
def deadline(seconds):
    """Raises `Hangs` in what takes longer than this, also while it waits for another process or a socket. Deadlines can be nested."""
    def ring(_signal, frame):
        while frame is not None:
            if frame.f_code is Core._slice.__code__:
                # An exception in a callback of Unicorn would be lost, so this tries again between two slices.
                signal.setitimer(signal.ITIMER_REAL, 0.001)
                return
            frame = frame.f_back
        raise Hangs(f"not done after {seconds:g} s")

    begun, handler = time.monotonic(), signal.signal(signal.SIGALRM, ring)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - begun)))


class Lab:
    """The image under test, and the results."""

    def __init__(self, image, chip, seed=1, tabiya=None):
        self.image, self.chip, self.seed, self.tabiya = image, chip, seed, tabiya
        self.random = random.Random(seed)
        self.failures = []
        self.figures = {}
        self._journal = None

    def note(self, text):
        print(f"    {text}", flush=True)

    def expect(self, good, text):
        print(f"  {'ok  ' if good else 'FAIL'} {text}", flush=True)
        if not good:
            self.failures.append(text)

    def figure(self, name, value, limit, text):
        """A figure that must be below its limit."""
        self.figures[name] = {"value": round(value, 3), "limit": limit}
        self.expect(value < limit, f"{text}: {value:.3f} ms, limit {limit} ms")

    def board(self, journal=None, fresh=False, pieces=None):
        """A board that is off. Its journal is blank (`fresh`), given, or as after a first start."""
        if journal is None and not fresh:
            journal = self.journal()
        board = Board(self.image, self.chip, journal, self.seed)
        board.eth.phy.AGREE_US = QUICK_NEGOTIATION_US
        self.seed += 1
        if pieces is not None:
            board.reeds.closed = pieces
            board.reeds.update()
        return board

    def journal(self):
        """The journal after a first start."""
        if self._journal is None:
            board = self.board(fresh=True)
            board.power_up()
            started(board)
            board.run_ms(200)
            self.collect(board)
            self._journal = bytes(board.flash.bytes)
        return self._journal

    def collect(self, board, resets=(), faults=False):
        """Fails if the firmware violated a rule of the chip, or had another reset or fault than the check expects. Call it when a board is no longer used."""
        for text in self.problems(board, resets, faults):
            self.expect(False, text)

    def problems(self, board, resets=(), faults=False):
        """Violations, resets that differ from the expected ones (by their reasons), and faults, unless some are expected."""
        found = board.violations()
        # A gap is judged at the scan after it. If no scan follows, it is judged here.
        missed = board.reeds.missed_scan(board.core.now)
        if missed:
            found.append(f"{missed}, and none follows")
        happened = [reason for _, reason in board.core.resets if reason != "power"]
        if happened != list(resets):
            when = [f"{reason} at {us(moment) / 1e6:.2f} s" for moment, reason in board.core.resets]
            found.append(f"the board was reset {happened}, and {list(resets)} is expected ({when}; {last_failure(board)})")
        texts = [f"{text} at {self.image.place(pc)} ({moment / 1e6:.2f} s)" for moment, pc, text in board.core.faults]
        if bool(texts) != faults:
            found.append(f"the faults {texts} happened, and {'some are' if faults else 'none is'} expected")
        return found


def last_failure(board):
    """The last line of `stats`: the panic or fault before the last reset."""
    lines = [line for line in board.command("stats", 2_000).split("\r\n") if line.startswith("last failure")]
    return lines[0] if lines else "no answer to `stats`"


def us(units):
    return units / UNITS_PER_US


def started(board, ms=20_000):
    """Runs until the board scans and its first erases are done, also after a reset. The F429 scans while it erases, but does nothing else."""
    before = len(board.reeds.scans)
    return board.run_ms(ms, lambda: len(board.reeds.scans) > before + 60 and not is_erasing(board))


def is_erasing(board):
    """Whether a sector was being erased in the last 100 ms; the next erase follows sooner."""
    quiet_us = 100_000
    return any(board.core.now < when + int((seconds * 1e6 + quiet_us) * UNITS_PER_US) for when, _, _, seconds in board.flash.erases[-2:])


def play(board, move, think=150, rest=300):
    """Makes a move without a capture."""
    board.reeds.lift(move[:2])
    board.run_ms(think)
    board.reeds.place(move[2:])
    board.run_ms(rest)


def lift_delays(lab, board, names, lifts):
    """Lifts pieces and puts them back; returns the times from the reed to the last bit of the frame in milliseconds, the shortest first."""
    delays = []
    for _ in range(lifts):
        name = lab.random.choice(names)
        board.run_ms(3 * lab.random.random())
        moment, before = board.core.now, len(board.strip.frames)
        board.reeds.lift(name)
        board.run_ms(100, lambda: any(any(colours[square(name)]) for _, colours in board.strip.frames[before:]))
        delays.append(us(board.core.now - moment) / 1000)
        board.run_ms(50)
        board.reeds.place(name)
        board.run_ms(200)
    return sorted(delays)


def game_of(board):
    """The placement and the number of plies, from `show`."""
    text = board.command("show", 1_000)
    found = re.search(r"game (\S+) .*after (\d+) pl", text)
    return (found.group(1), int(found.group(2))) if found else (text, -1)


def occupied(placement):
    """The occupied squares of the first field of a FEN."""
    bits = 0
    for row, text in enumerate(placement.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                bits |= 1 << 8 * (7 - row) + file
                file += 1
    return bits


def switches(text):
    """The closed switches, from `selftest`."""
    rows = [row.split() for row in re.findall(r"^(?:[.x?] ){7}[.x?]", text, re.M)]
    if len(rows) < 8:
        return None
    return sum(1 << 8 * (7 - index) + file for index, row in enumerate(rows[:8]) for file, mark in enumerate(row) if mark == "x")


def cut(action):
    """Runs an action in which the supply may be cut; returns where, or an empty text."""
    try:
        action()
    except PowerCut as power_cut:
        return str(power_cut)
    return ""
