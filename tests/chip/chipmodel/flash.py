"""The flash controller and the journal's sectors, with power cuts in the middle of an operation."""

from .block import Block, field
from .core import FLASH, UNITS_PER_US

PG, SER, SNB, PSIZE, STRT, EOPIE, LOCK = 1, 2, 0x1F << 3, 3 << 8, 1 << 16, 1 << 24, 1 << 31
EOP, OPERR, WRPERR, PGAERR, PGPERR, ERSERR, BSY = 1, 2, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 16
LATENCY = 0xF
PROGRAM_US = 16


class PowerCut(Exception):
    """The supply was cut."""


class Flash(Block):
    """The controller's registers, and the bytes of the journal."""

    PERIPHERAL = "FLASH"
    REGISTERS = {0x00: "ACR", 0x04: "KEYR", 0x08: "OPTKEYR", 0x0C: "SR", 0x10: "CR", 0x14: "OPTCR"}

    def __init__(self, core, start, journal=None):
        core.flash = self
        self.chip = core.chip
        self.RESET = {"CR": LOCK, "OPTCR": self.chip.optcr}
        # The F767 has fewer sectors, and another name for the error of an erase.
        is_f767 = self.chip.erase_stalls
        sector, error = SNB & 0xF << 3 if is_f767 else SNB, "ERSERR" if is_f767 else "PGSERR"
        self.FIELDS = {
            "CR": {"PG": PG, "SER": SER, "SNB": sector, "PSIZE": PSIZE, "STRT": STRT, "EOPIE": EOPIE, "LOCK": LOCK},
            "SR": {"EOP": EOP, "OPERR": OPERR, "WRPERR": WRPERR, "PGAERR": PGAERR, "PGPERR": PGPERR, error: ERSERR, "BSY": BSY},
            "ACR": {"LATENCY": LATENCY},
        }
        self.origin = FLASH + self.chip.journal_start
        self.bytes = bytearray(journal if journal is not None else b"\xff" * 2 * self.chip.bank_len)
        self.erases = []
        self.words = 0
        self.operations = 0
        self.cut_at = None     # (number of the operation, how far into it from 0 to 1)
        self.cut_erase = None  # How far into the next erase.
        self.before_erase = None
        super().__init__(core, start)
        core.map_registers(self.origin, 2 * self.chip.bank_len, self.load, self.program)

    def reset(self):
        super().reset()
        self.keys = 0
        self.spoilt = False

    def write_KEYR(self, value):
        if self.spoilt:
            self.core.violation("a wrong key has locked the flash until the next reset")
        elif self.keys == 0 and value == 0x4567_0123:
            self.keys = 1
        elif self.keys == 1 and value == 0xCDEF_89AB:
            self.keys = 0
            self.values["CR"] &= ~LOCK
        else:
            self.spoilt = True

    def write_SR(self, value):
        self.values["SR"] &= ~(value & (EOP | OPERR | WRPERR | PGAERR | PGPERR | ERSERR))

    def write_CR(self, value):
        if self.values["CR"] & LOCK:
            self.core.violation("FLASH_CR written while it is locked")
            return
        self.values["CR"] = value & ~STRT
        if value & LOCK:
            self.values["CR"] = LOCK | value & ~STRT
        if value & STRT:
            if value & SER:
                self.erase(field(value, SNB), field(value, PSIZE))
            else:
                self.core.violation("STRT without a sector erase")

    def operate(self):
        """Counts an operation; returns how far it comes if the supply is cut in it."""
        self.operations += 1
        if self.cut_at is not None and self.operations == self.cut_at[0]:
            return self.cut_at[1]
        return None

    def erase(self, number, psize):
        if number not in self.chip.sector_numbers:
            self.values["SR"] |= ERSERR
            self.core.violation(f"flash sector {number} does not exist")
            return
        sector = self.chip.sector_numbers.index(number)
        if sector not in self.chip.journal_sectors:
            self.core.violation(f"flash sector {sector} is erased, which holds the program")
            return
        size = self.chip.bank_len
        first = self.chip.journal_sectors.index(sector) * size
        seconds = self.chip.erase_s.get(psize, 4.0)
        self.erases.append((self.core.now, sector, psize, seconds))
        self.before_erase = bytes(self.bytes)
        cut = self.operate() if self.cut_erase is None else self.cut_erase
        if cut is not None:
            # An erase first clears all cells, and then sets them one after the other.
            random = self.core.random
            for place in range(first, first + size, 4):
                old = int.from_bytes(self.bytes[place:place + 4], "little")
                word = old & random.getrandbits(32) if cut < 0.3 else random.getrandbits(32) | (old if cut > 0.9 else 0)
                if cut > 0.6 and random.random() < cut:
                    word = 0xFFFF_FFFF
                self.bytes[place:place + 4] = word.to_bytes(4, "little")
            raise PowerCut(f"{cut:.0%} into the erase of sector {sector}")
        self.bytes[first:first + size] = b"\xff" * size
        self.values["SR"] |= EOP if self.values["CR"] & EOPIE else 0
        units = int(seconds * 1e6) * UNITS_PER_US
        if self.chip.erase_stalls:
            self.core.stall(units)
        else:
            # The other bank of the flash can be read meanwhile, so the processor goes on. It polls BSY.
            self.values["SR"] |= BSY
            self.core.at(self.core.now + units, self.end_erase)

    def end_erase(self):
        self.values["SR"] &= ~BSY
        # A wait for the flash is bounded by the flash itself.
        self.core.last_sleep = self.core.base

    def read_SR(self):
        if self.values["SR"] & BSY and self.core.running:
            # Polled in a loop: shorten the wait for the host. Interrupts are served between two polls.
            self.core.stall(20 * UNITS_PER_US)
        return self.values["SR"]

    def load(self, address, size):
        offset = address - self.origin
        return int.from_bytes(self.bytes[offset:offset + size], "little")

    def program(self, address, size, value):
        offset = address - self.origin
        control = self.values["CR"]
        if control & LOCK or not control & PG:
            self.core.violation("a write to the flash without PG")
            self.values["SR"] |= ERSERR
            return
        if 1 << field(control, PSIZE) != size:
            self.values["SR"] |= PGPERR
            self.core.violation(f"{size} bytes written with PSIZE {field(control, PSIZE)}")
            return
        if offset % size:
            self.values["SR"] |= PGAERR
            return
        old = int.from_bytes(self.bytes[offset:offset + size], "little")
        if value & ~old:
            self.core.violation("the flash was programmed from 0 to 1")
        cut = self.operate()
        if cut is not None:
            kept = self.core.random.getrandbits(32) & self.core.random.getrandbits(32) if cut < 0.5 else self.core.random.getrandbits(32)
            self.bytes[offset:offset + size] = (old & (value | kept)).to_bytes(size, "little")
            raise PowerCut(f"in the word at {self.origin + offset:#x}")
        self.bytes[offset:offset + size] = (old & value).to_bytes(size, "little")
        self.words += 1
        self.core.stall(PROGRAM_US * UNITS_PER_US)
