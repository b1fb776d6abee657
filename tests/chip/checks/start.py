"""Start-up: registers, a first start with its erases, a late or missing external clock."""

import re

from chipmodel.metapac import Metapac

from .lab import started

LED = 0  # LD1 is PB0.
BUTTON = 13  # B1 is PC13.


def registers(lab, metapac):
    """The registers of the model against stm32-metapac."""
    board = lab.board(fresh=True)
    crate = Metapac(metapac, lab.chip.metapac)
    problems = [problem for block in board.blocks() for problem in crate.compare(block)]
    blocks = board.blocks()
    count = sum(len(block.REGISTERS) for block in blocks)
    fields = sum(len(fields) for block in blocks for fields in block.FIELDS.values())
    pins, streams = (sum(len(part) for part in parts) for parts in ([block.wires() for block in blocks], [block.streams() for block in blocks]))
    switches = sum(len(block.switches()) for block in blocks)
    lab.expect(not problems, f"{count} registers and {fields} fields of {len(blocks)} peripherals, and {switches} bits of the RCC that switch them, are those of stm32-metapac; so are {pins} pins and {streams} DMA requests: {problems or 'all'}")
    # The comparison finds one wrong bit of each kind.
    for change, expected in ((("spi", "ENABLE", ("APB1ENR", 14)), "to enable SPI3"), (("rng", "FIELDS", {"CR": {"RNGEN": 8}}), "RNG_CR.RNGEN")):
        name, attribute, value = change
        block = getattr(lab.board(fresh=True), name)
        setattr(block, attribute, value)
        found = crate.compare(block)
        lab.expect(len(found) == 1 and expected in found[0], f"a wrong bit is found: {found}")


def first_start(lab):
    """From the reset vector to the first scan with a blank journal, which is erased."""
    board = lab.board(fresh=True)
    board.power_up()
    board.run_ms(30)
    ports = board.ports
    lab.expect(board.iwdg.timeout is not None, "the watchdog runs 30 ms after power-up")
    lab.expect(ports["B"].drives_high(LED), "LD1 is lit meanwhile")
    lab.expect(started(board), f"the board scans {board.seconds:.2f} s after power-up")
    board.run_ms(100)
    erases = board.flash.erases
    lab.expect([sector for _, sector, _, _ in erases] == list(lab.chip.journal_sectors)
               and all(psize == 2 for _, _, psize, _ in erases), f"both sectors of the journal are erased with 32-bit parallelism: {erases}")
    shown = board.usart.shown.decode()
    lab.expect("Tabiya" in shown and shown.count("erasing a flash sector") == 2, "the console prints the banner, and announces both erases")
    text = board.command("stats", 2_000)
    up = int(re.search(r"up (\d+) s", text).group(1))
    lab.expect(board.seconds - up < 1.5, f"{board.seconds:.1f} s after power-up the board has counted {up} s (H3)")
    lab.expect("clock external" in text and "started by power-on" in text, "`stats` has the clock source and the reset cause")
    lab.expect(lab.chip.full_hz == board.rcc.hclk, f"HCLK {board.rcc.hclk / 1e6:.0f} MHz, flash {board.flash.values['ACR'] & 15} wait states")
    if not lab.chip.usart_v3:
        lab.expect(board.flash.values["ACR"] >> 8 & 7 == 7, "the flash accelerator is on (H11)")
    lab.collect(board)
    lab._journal = bytes(board.flash.bytes)


def button(lab):
    """The button B1, held for five seconds from the start on, forgets the pairing; a shorter time does not."""
    board = lab.board()
    board.power_up()
    started(board)
    board.command("set relay ws://relay.home:8080")
    board.command("set key " + "5a" * 32)
    board.run_ms(200)
    for held_ms, forgets in [(2_000, False), (5_500, True)]:
        again = lab.board(journal=bytes(board.flash.bytes))
        again.ports["C"].pressed = 1 << BUTTON
        again.power_up()
        again.run_ms(held_ms)
        again.ports["C"].pressed = 0
        started(again)
        text = again.command("show", 1_000)
        lab.expect(("relay none" in text and "key none" in text) == forgets and ("relay.home" in text) != forgets,
                   f"with B1 held for {held_ms / 1000} s from the start, the pairing is {'forgotten' if forgets else 'kept'}")
        again.run_ms(200)
        once_more = lab.board(journal=bytes(again.flash.bytes))
        once_more.power_up()
        started(once_more)
        lab.expect(("key none" in once_more.command("show", 1_000)) == forgets, "  also after the next start")
        lab.collect(again)
        lab.collect(once_more)
    lab.collect(board)


def clocks(lab):
    """The external clock comes late, never, or stops."""
    late = lab.board()
    late.rcc.HSE_US = 2_000_000
    late.power_up()
    lab.expect(started(late) and "clock external" in late.command("stats", 2_000), f"with a clock that comes 2 s late, the board scans after {late.seconds:.2f} s")
    lab.collect(late)
    never = lab.board()
    never.rcc.HSE_US = None
    never.power_up()
    lab.expect(started(never) and "clock internal" in never.command("stats", 2_000), f"without the clock, the board scans after {never.seconds:.2f} s (H1)")
    lab.expect(never.rcc.hclk == lab.chip.full_hz, f"HCLK {never.rcc.hclk / 1e6:.0f} MHz from the internal oscillator")
    lab.expect(len(never.core.resets) == 1, "and without a reset")
    lab.collect(never)
    lost = lab.board()
    lost.reeds.is_watched = False
    lost.power_up()
    started(lost)
    begun = lost.seconds
    lost.rcc.lose_external_clock()
    lost.run_ms(40_000, lambda: len(lost.core.resets) > 1)
    lab.expect(len(lost.core.resets) == 2, f"{lost.seconds - begun:.1f} s after the clock has stopped, the watchdog resets the board")
    text = lost.command("stats", 2_000) if started(lost) else ""
    lab.expect("clock internal" in text and "started by watchdog" in text, "and it goes on with the internal oscillator")
    lab.collect(lost, resets=["watchdog"])
