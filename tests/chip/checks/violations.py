"""The rules of the model itself: what an image must not do is found."""

import time

from unicorn import arm_const as arm

from .lab import Hangs, deadline, started

SCAN_INTERRUPT = 52  # UART4, in which the executor of the scan runs.

# A load and a store by Thumb instructions: `ldr r0, [r1]`, `str r0, [r1]`, `b .`
LOAD, STORE, LOOP = b"\x08\x68", b"\x08\x60", b"\xfe\xe7"


def stopped_scans(lab):
    """A scan that stops for good is found, though no later scan shows the gap."""
    board = lab.board()
    board.power_up()
    started(board)
    board.run_ms(20)
    lab.expect(not lab.problems(board), "a board that scans has no problems")
    board.nvic.enabled &= ~(1 << SCAN_INTERRUPT)
    board.run_ms(1)
    count = len(board.reeds.scans)
    board.run_ms(20)
    found = lab.problems(board)
    lab.expect(len(board.reeds.scans) == count and len(found) == 1 and "missed scan" in found[0], f"the scan stops for good: {found}")
    board.nvic.enabled |= 1 << SCAN_INTERRUPT
    board.run_ms(20)
    found = lab.problems(board)
    lab.expect(len(board.reeds.scans) > count and len(found) == 1 and "missed scan" in found[0], f"and goes on 20 ms later: {found}")


def unknown_registers(lab):
    """An access to a register that the model does not have, or whose clock is off, is found, in a peripheral and in the processor."""
    unclocked, unknown, no_peripheral = "while its clock is off", "unknown register", "no peripheral"
    places = [
        (0x4002_3898, unknown, "RCC has no register at 0x98"),
        (0x4002_2800, unclocked, "the clock of GPIOK is off"),
        (0x4001_0000, no_peripheral, "TIM1 is not modelled"),
        (0xE000_0000, unknown, "the ITM is not modelled"),
        (0xE000_E010, unknown, "SysTick is not modelled"),
        (0xE000_E110, unknown, "there is no interrupt 128"),
        (0xE000_ED94, unknown, "the MPU is not modelled"),
    ]
    board = lab.board()
    board.power_up()
    for address, expected, why in places:
        for instruction, verb in ((LOAD, "read"), (STORE, "write")):
            execute(board, instruction, address)
            found = board.violations()
            lab.expect(len(found) == 1 and expected in found[0] and verb in found[0], f"a {verb} at {address:#x} is found ({why}): {found}")
            board.core.violations.clear()
    for instruction in (LOAD, STORE):
        execute(board, instruction, 0x4002_3840)
    lab.expect(not board.violations(), "and one of RCC_APB1ENR is none")


def execute(board, instruction, address):
    """Executes an instruction with this address in R1."""
    # Each instruction has a place of its own, because Unicorn keeps what it has translated.
    core, place = board.core, board.chip.dma_ram[0] + 0x100 * (LOAD, STORE).index(instruction)
    core.store(place, instruction + LOOP)
    core.set_register(arm.UC_ARM_REG_R1, address)
    core.pc = place
    core.run(1_000)


def hanging_check(lab):
    """A check that does not end fails."""
    board = lab.board()
    board.power_up()

    def run_for_ever():
        while True:
            board.run_ms(1_000)

    for what, hang in (("runs for ever", run_for_ever), ("waits for ever", lambda: time.sleep(3_600))):
        begun = time.monotonic()
        try:
            with deadline(3_600), deadline(0.3):
                hang()
        except Hangs as problem:
            lab.expect(time.monotonic() - begun < 30, f"a check that {what} is ended: {problem}")
