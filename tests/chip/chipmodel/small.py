"""Small peripherals: random number generator, watchdog, SYSCFG, EXTI and DBGMCU."""

from .block import Block
from .core import UNITS_PER_US

RNGEN, DRDY, CEIS, SEIS = 1 << 2, 1, 1 << 5, 1 << 6
PVU, RVU = 1, 1 << 1
MII_RMII_SEL = 1 << 23


class Rng(Block):
    """The random number generator. A word takes about a microsecond (40 cycles of 46 MHz)."""

    PERIPHERAL = "RNG"

    REGISTERS = {0x00: "CR", 0x04: "SR", 0x08: "DR"}
    FIELDS = {"CR": {"RNGEN": RNGEN}, "SR": {"DRDY": DRDY, "CEIS": CEIS, "SEIS": SEIS}}
    ENABLE = ("AHB2ENR", 6)
    WORD_US = 0.9

    def reset(self):
        super().reset()
        self.ready_at = None
        self.words = 0

    def write_CR(self, value):
        if value & RNGEN and not self.values["CR"] & RNGEN:
            self.ready_at = self.core.now + int(self.WORD_US * UNITS_PER_US)
        self.values["CR"] = value

    def write_SR(self, value):
        self.values["SR"] &= value | ~(CEIS | SEIS)

    def is_ready(self):
        return self.values["CR"] & RNGEN and self.ready_at is not None and self.core.now >= self.ready_at

    def read_SR(self):
        return self.values["SR"] | (DRDY if self.is_ready() else 0)

    def read_DR(self):
        if not self.is_ready():
            return 0
        self.ready_at = self.core.now + int(self.WORD_US * UNITS_PER_US)
        self.words += 1
        return self.core.random.getrandbits(32)


class Iwdg(Block):
    """The independent watchdog, which has its own oscillator. Only a reset stops it."""

    PERIPHERAL = "IWDG"

    REGISTERS = {0x00: "KR", 0x04: "PR", 0x08: "RLR", 0x0C: "SR"}
    FIELDS = {"SR": {"PVU": PVU, "RVU": RVU}, "PR": {"PR": 7}, "RLR": {"RL": 0xFFF}}
    RESET = {"RLR": 0xFFF}
    LSI_HZ = 32_000

    def reset(self):
        super().reset()
        self.open = False
        self.timeout = None
        self.fed = getattr(self, "fed", [])

    def write_KR(self, value):
        if value == 0x5555:
            self.open = True
            return
        self.open = False
        if value == 0xCCCC:
            self.restart(0xFFF)
        elif value == 0xAAAA and self.timeout is not None:
            self.fed.append(self.core.now)
            self.restart(self.values["RLR"])

    def restart(self, count):
        self.core.cancel(self.timeout)
        seconds = (count + 1) * (4 << self.values["PR"]) / self.LSI_HZ
        self.timeout_s = seconds
        self.timeout = self.core.after_us(seconds * 1e6, self.expire)

    def expire(self):
        self.core.pending_reset = "watchdog"

    def write_PR(self, value):
        self.guarded_write("PR", value & self.FIELDS["PR"]["PR"])

    def write_RLR(self, value):
        self.guarded_write("RLR", value & self.FIELDS["RLR"]["RL"])

    def guarded_write(self, name, value):
        if not self.open:
            self.violation(f"{name} written without the key")
            return
        bit = PVU if name == "PR" else RVU
        self.values["SR"] |= bit
        self.values[name] = value
        self.core.after_us(5 * 1e6 / self.LSI_HZ, lambda: self.updated(bit))

    def updated(self, bit):
        self.values["SR"] &= ~bit


class Syscfg(Block):
    """Selects RMII, among others."""

    PERIPHERAL = "SYSCFG"

    REGISTERS = {0x04: "PMC", 0x08: "EXTICR1", 0x0C: "EXTICR2", 0x10: "EXTICR3", 0x14: "EXTICR4", 0x20: "CMPCR"}
    FIELDS = {"PMC": {"MII_RMII_SEL": MII_RMII_SEL}}
    ENABLE = ("APB2ENR", 14)


class Exti(Block):
    PERIPHERAL = "EXTI"
    REGISTERS = {0x00: "IMR", 0x04: "EMR", 0x08: "RTSR", 0x0C: "FTSR", 0x10: "SWIER", 0x14: "PR"}


class Dbgmcu(Block):
    PERIPHERAL = "DBGMCU"
    REGISTERS = {0x00: "IDCODE", 0x04: "CR", 0x08: "APB1FZR", 0x0C: "APB2FZR"}
    RESET = {"IDCODE": 0x2001_6451}
