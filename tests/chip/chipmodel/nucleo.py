"""A Nucleo-144 with everything that is wired to it."""

import os
import struct
import subprocess

from .clocks import Pwr, Rcc
from .core import UNITS_PER_S, UNITS_PER_US, Core
from .dma import Dma
from .ethernet import Ethernet
from .flash import Flash
from .gpio import Gpio
from .led_strip import Strip
from .nvic import Nvic
from .reeds import Reeds
from .small import Dbgmcu, Exti, Iwdg, Rng, Syscfg
from .spi import Spi
from .timer import Timer
from .usart import Usart

UID = bytes.fromhex("39002b00085133383532" "3937")
DMA1_LINES = [11, 12, 13, 14, 15, 16, 17, 47]
DMA2_LINES = [56, 57, 58, 59, 60, 68, 69, 70]


class Board:
    """The board. It is off until `power_up`."""

    def __init__(self, image, chip, journal=None, seed=1):
        self.image, self.chip = image, chip
        self.core = core = Core(image, chip, seed)
        core.uc.mem_write(chip.unique_id, UID)
        core.uc.mem_write(chip.flash_size_at, struct.pack("<H", chip.flash_len // 1024))
        self.nvic = Nvic(core)
        self.rcc = Rcc(core, 0x4002_3800)
        self.pwr = Pwr(core, 0x4000_7000)
        self.flash = Flash(core, 0x4002_3C00, journal)
        self.ports = {letter: Gpio(core, letter) for letter in "ABCDEFGHIJK"}
        self.reeds = Reeds(core, self.ports)
        self.timer = Timer(core, 0x4000_1800)
        self.strip = Strip(core)
        self.dma1 = Dma(core, "DMA1", 0x4002_6000, 21, DMA1_LINES)
        self.dma2 = Dma(core, "DMA2", 0x4002_6400, 22, DMA2_LINES)
        self.spi = Spi(core, 0x4000_3C00, self.dma1, 5, 0, (self.ports["C"], 12), self.strip)
        serial_pins = [(self.ports["D"], 8), (self.ports["D"], 9)]
        self.usart = Usart(core, 0x4000_4800, self.dma1, receive=(1, 4), transmit=(3, 4), pins=serial_pins)
        self.rng = Rng(core, 0x5006_0800)
        self.iwdg = Iwdg(core, 0x4000_3000)
        self.syscfg = core.syscfg = Syscfg(core, 0x4001_3800)
        self.exti = Exti(core, 0x4001_3C00)
        self.dbgmcu = Dbgmcu(core, 0xE004_2000)
        self.eth = Ethernet(core, 0x4002_8000, self.ports)
        self.rcc.resettable = {("APB1RSTR", 6): self.timer, ("APB1RSTR", 15): self.spi, ("APB1RSTR", 18): self.usart,
                               ("APB1RSTR", 28): self.pwr, ("APB2RSTR", 14): self.syscfg, ("AHB2RSTR", 6): self.rng}
        core.on_reset.append(self.rcc.note_reset)
        core.on_reset.append(self.restart_log)
        self.log = bytearray()

    def power_up(self):
        self.core.power_up()

    def run_ms(self, ms, until=None):
        """Runs for this time, or until a condition is true."""
        return self.core.run(int(ms * 1000 * UNITS_PER_US), until)

    @property
    def seconds(self):
        return self.core.now / UNITS_PER_S

    # The log, which a probe reads from RAM.

    def restart_log(self, _reason):
        self.core.after_us(5_000, self.drain_log)

    def drain_log(self):
        control = self.image.symbols["_SEGGER_RTT"]
        if self.core.load(control, 10) == b"SEGGER RTT":
            _, buffer, size, write, read, _ = struct.unpack("<6I", self.core.load(control + 24, 24))
            if buffer >= self.chip.dma_ram[0] and size and write < size and read < size:
                while read != write:
                    end = write if write > read else size
                    self.log += self.core.load(buffer + read, end - read)
                    read = end % size
                self.core.set_word(control + 24 + 16, read)
        self.core.after_us(5_000, self.drain_log)

    def log_lines(self):
        """The log so far, if defmt-print is installed."""
        try:
            tool = subprocess.run(["defmt-print", "-e", self.image.path, "stdin"], input=bytes(self.log), capture_output=True,
                                  timeout=60, env={**os.environ, "NO_COLOR": "1"})
            return tool.stdout.decode(errors="replace").splitlines()
        except (OSError, subprocess.TimeoutExpired) as problem:
            return [f"(no log: {problem})"]

    # The console.

    def command(self, line, ms=400):
        """Types a line, and returns the output up to the next prompt."""
        before = len(self.usart.shown)
        self.usart.type(line.encode() + b"\r")
        self.run_ms(ms, lambda: self.usart.shown[before:].endswith(b"\r\n> "))
        return self.usart.shown[before:].decode(errors="replace")

    def blocks(self):
        """All register blocks of the chip, except those of the processor."""
        return [block for block in {id(block): block for block, _ in self.core.blocks.values()}.values() if block.PERIPHERAL]

    def violations(self):
        """What the firmware did against the rules of the chip, with the place in the code."""
        return [f"{text} ({count} times, {self.image.place(pc)})" for (pc, text), count in self.core.violations.items()]
