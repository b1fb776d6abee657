"""Faults: a stopped clock, a hard fault, a stack overflow, no PHY, a blocked log, a watchdog with a fast oscillator."""

from chipmodel.small import SEIS
from unicorn import arm_const as arm

from .lab import game_of, last_failure, play, started

TIMER_INTERRUPT = 43


def watchdog(lab):
    """The clock of embassy stops: the watchdog resets the board, and the board reports it."""
    board = lab.board()
    board.reeds.is_watched = False
    board.power_up()
    started(board)
    board.nvic.enabled &= ~(1 << TIMER_INTERRUPT)
    begun, resets = board.seconds, len(board.core.resets)
    board.run_ms(40_000, lambda: len(board.core.resets) > resets)
    lab.expect(len(board.core.resets) > resets, f"without timer interrupts the watchdog resets the board after {board.seconds - begun:.1f} s")
    started(board)
    text = board.command("stats", 2_000)
    lab.expect("started by watchdog" in text and "watchdog 1" in text, "`stats` names the watchdog (H5)")
    lab.collect(board, resets=["watchdog"])


def hard_fault(lab):
    """A jump to an unmapped address, and a stack overflow, are kept over the reset."""
    board = lab.board()
    board.reeds.is_watched = False
    board.power_up()
    started(board)
    thread = lambda: not board.core.active and not board.core.sleeping  # noqa: E731
    board.core.run(until=thread, units=10_000_000)
    board.core.pc = 0x0900_0000
    resets = len(board.core.resets)
    board.run_ms(200, lambda: len(board.core.resets) > resets)
    started(board)
    line = last_failure(board)
    lab.expect("hard fault at 0x09000000" in line, f"a jump to nowhere: {line}")
    board.core.run(until=thread, units=10_000_000)
    board.core.set_register(arm.UC_ARM_REG_SP, lab.chip.stack_ram[0] + 0x40)
    resets = len(board.core.resets)
    board.run_ms(200, lambda: len(board.core.resets) > resets)
    started(board)
    line = last_failure(board)
    lab.expect("stack overflow" in line or "hard fault" in line, f"a stack pointer 64 bytes above its end: {line}")
    lab.expect(len(lab.problems(board)) == 2, "resets and faults that no check expects fail it")
    lab.collect(board, resets=["software", "software"], faults=True)


def no_phy(lab):
    """Without a PHY the board plays locally."""
    board = lab.board()
    board.eth.phy.IS_PRESENT = False
    board.power_up()
    lab.expect(started(board) and len(board.core.resets) == 1, f"without a PHY the board scans after {board.seconds:.2f} s (H9)")
    board.run_ms(100)
    play(board, "e2e4")
    lab.expect(game_of(board)[1] == 1, "and takes a move")
    lab.collect(board)


def blocked_log(lab):
    """A debug probe sets the log to blocking mode and disappears."""
    board = lab.board()
    board.power_up()
    started(board)
    control = lab.image.symbols["_SEGGER_RTT"] + 24
    board.drain_log = lambda: None
    board.run_ms(10)
    board.core.set_word(control + 20, 2)
    # The buffer is full up to three bytes.
    board.core.set_word(control + 16, board.core.word(control + 12) + 3)
    board.eth.phy.plugged = False
    board.run_ms(600)
    scans = len(board.reeds.scans)
    board.eth.phy.plugged = True
    board.run_ms(700)
    lab.expect(len(board.reeds.scans) > scans + 680, f"with a full log that blocks, {len(board.reeds.scans) - scans} scans in 0.7 s (H4)")
    lab.collect(board)


def fast_oscillator(lab):
    """The watchdog does not expire in the erases of a first start, for the whole range of its oscillator."""
    for lsi in (17_000, 47_000):
        board = lab.board(fresh=True)
        board.iwdg.LSI_HZ = lsi
        board.power_up()
        started(board)
        lab.expect(len(board.core.resets) == 1, f"LSI {lsi / 1000:.0f} kHz: no reset in two erases (timeout {board.iwdg.timeout_s:.1f} s)")
        lab.collect(board)


def two_banks(lab):
    """With the option byte of two flash banks the firmware refuses to start."""
    if lab.chip.usart_v3:
        board = lab.board()
        board.flash.RESET = {**board.flash.RESET, "OPTCR": 0xFFFF_AAFD & ~(1 << 29)}
        board.power_up()
        board.run_ms(1_000, lambda: len(board.core.resets) > 1)
        lab.expect(len(board.core.resets) > 1, "with nDBANK = 0 the firmware refuses to start")


def random_seed_error(lab):
    """A seed error of the random number generator is corrected."""
    board = lab.board()
    board.power_up()
    board.run_ms(20_000, lambda: board.rng.words > 0)
    board.rng.values["SR"] |= SEIS
    lab.expect(started(board), "a seed error of the random number generator is corrected")
    lab.collect(board)
