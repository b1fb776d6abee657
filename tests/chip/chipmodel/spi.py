"""SPI3, whose data output drives the lights."""

from .block import Block, field
from .core import UNITS_PER_US
from .dma import TO_PERIPHERAL

MSTR, BR, SPE, LSBFIRST, SSI, SSM, DFF = 1 << 2, 7 << 3, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 11
BIDIOE, BIDIMODE = 1 << 14, 1 << 15
TXDMAEN, DS = 1 << 1, 0xF << 8
TXE, BSY, FTLVL = 1 << 1, 1 << 7, 3 << 11


class Spi(Block):
    """An SPI that only sends, fed by a DMA stream.

    With a FIFO, the data output (MOSI) shows bits of the last four bytes after a frame, as long as the SPI is enabled (H6 in the
    hardware review). When it is disabled, the output floats, and a resistor holds the wire low.
    """

    PERIPHERAL = "SPI3"

    REGISTERS = {0x00: "CR1", 0x04: "CR2", 0x08: "SR", 0x0C: "DR", 0x10: "CRCPR", 0x14: "RXCRCR", 0x18: "TXCRCR",
                 0x1C: "I2SCFGR", 0x20: "I2SPR"}
    ENABLE = ("APB1ENR", 15)
    ALTERNATE = 6

    def __init__(self, core, start, dma, stream, request, pin, strip):
        self.dma, self.stream, self.request, self.pin, self.strip = dma, stream, request, pin, strip
        self.FIELDS = {
            "CR1": {"MSTR": MSTR, "BR": BR, "SPE": SPE, "LSBFIRST": LSBFIRST, "SSI": SSI, "SSM": SSM, "BIDIOE": BIDIOE,
                    "BIDIMODE": BIDIMODE, **({} if core.chip.has_fifo else {"DFF": DFF})},
            "CR2": {"TXDMAEN": TXDMAEN, **({"DS": DS} if core.chip.has_fifo else {})},
            "SR": {"TXE": TXE, "BSY": BSY, **({"FTLVL": FTLVL} if core.chip.has_fifo else {})},
        }
        self.RESET = {"CR2": 0x700 if core.chip.has_fifo else 0, "SR": 2}
        self.FIFO = 4 if core.chip.has_fifo else 1
        dma.clients[stream, request] = self
        self.tails = []
        super().__init__(core, start)

    def reset(self):
        super().reset()
        self.begun = self.ends = None
        self.done = None
        self.ready = False
        self.data = b""

    def wires(self):
        port, number = self.pin
        return [(f"P{port.letter}{number}", self.ALTERNATE)]

    def streams(self):
        return [("TX", f"{self.dma.PERIPHERAL}_CH{self.stream}", self.request)]

    def start_dma(self, _stream):
        self.ready = True
        self.go()

    def stop_dma(self, _stream):
        self.ready = False
        if self.ends is not None and self.core.now < self.ends:
            self.violation("a frame of the lights was cut off")
            self.core.cancel(self.done)

    def write_CR1(self, value):
        was = self.values["CR1"]
        self.values["CR1"] = value
        if was & SPE and not value & SPE and self.ends is not None and self.core.now < self.ends:
            self.violation("SPE cleared while the SPI is sending")
        elif was & SPE and not value & SPE and self.ends is not None:
            self.tails.append(self.core.now - self.ends)  # Time in which the output shows stale bits.
        self.go()

    def write_CR2(self, value):
        self.values["CR2"] = value
        self.go()

    def write_DR(self, _value):
        self.violation("SPI3_DR written by the program")

    def bit_units(self):
        return UNITS_PER_US * 1e6 / self.core.rcc.apb(1) * (2 << field(self.values["CR1"], BR))

    def check_dma(self, stream):
        return self.dma.check(stream, self.start + 0xC, TO_PERIPHERAL, "SPI3")

    def go(self):
        cr1, cr2 = self.values["CR1"], self.values["CR2"]
        if not (self.ready and cr2 & TXDMAEN and cr1 & SPE and cr1 & MSTR):
            return
        self.ready = False
        dma, stream = self.dma, self.stream
        count = dma.values[f"S{stream}NDTR"] & 0xFFFF
        source = dma.values[f"S{stream}M0AR"]
        if self.core.chip.has_fifo and field(cr2, DS) != 7 or not self.core.chip.has_fifo and cr1 & DFF:
            self.violation("words of eight bits are expected")
        port, number = self.pin
        if port.alternate(number) != self.ALTERNATE:
            self.violation("the pin of the lights is not connected to the SPI")
        if not cr1 & (BIDIOE | BIDIMODE) and not (cr1 & SSM and cr1 & SSI):
            self.violation("the SPI is a master without its select held high (MODF)")
        self.source, self.count, self.data = source, count, self.core.load(source, count)
        self.lsb_first = bool(cr1 & LSBFIRST)
        self.bit = self.bit_units()
        self.begun = self.core.now
        self.ends = self.begun + int(count * 8 * self.bit)
        last = self.begun + int(max(0, count - self.FIFO - 1) * 8 * self.bit)
        self.done = self.core.at(last, self.all_taken)
        self.core.at(self.ends, self.all_sent)

    def all_taken(self):
        if self.core.load(self.source, self.count) != self.data:
            self.violation("the frame was changed while the DMA read it")
        self.dma.finish(self.stream)

    def all_sent(self):
        if self.core.chip.has_fifo and any(self.data[-4:]):
            self.violation("the data wire may be high after a frame: the last four bytes are not 0 (H6)")
        self.strip.receive(self.begun, self.bit, self.data)

    def read_SR(self):
        now = self.core.now
        if self.ends is None or now >= self.ends:
            return TXE
        left = int((self.ends - now) / (8 * self.bit))
        if not self.core.chip.has_fifo:
            return BSY | (0 if left >= 1 else TXE)
        level = 3 if left >= 4 else 2 if left >= 2 else 1 if left >= 1 else 0
        return level * (FTLVL & -FTLVL) | BSY | (0 if left >= 3 else TXE)
