"""The processor's own registers that the images use: NVIC, some of the SCB, the cycle counter and debug registers."""

from unicorn import arm_const as arm

LINES = 110

# The registers that the images use, by their offset from 0xE000_0000. An access to any other is a violation.
REGISTERS = {
    0x1000: "DWT_CTRL", 0x1004: "DWT_CYCCNT", 0x1FB0: "DWT_LAR",
    0xED0C: "AIRCR", 0xED14: "CCR", 0xED88: "CPACR", 0xEDF0: "DHCSR", 0xEDFC: "DEMCR", 0xEF00: "STIR", 0xEF50: "ICIALLU",
    **{0xE100 + bank + 4 * word: f"{name}{word}" for bank, name in ((0, "ISER"), (0x80, "ICER"), (0x180, "ICPR"))
       for word in range((LINES + 31) // 32)},
    **{0xE400 + first: f"IPR{first // 4}" for first in range(0, LINES, 4)},
}


class Nvic:
    """All addresses from 0xE000_0000 on, as one block."""

    PERIPHERAL = None
    REGISTERS = {}

    def __init__(self, core):
        self.core = core
        core.nvic = self
        core.attach(self, 0xE000_0000, 0x4_0000)
        self.reset()

    def reset(self):
        self.enabled = 0
        self.pending = 0
        self.level = 0
        self.busy = 0
        self.priority = [0] * LINES
        self.plain = {}
        self.counts_cycles = False
        self.cycle_count, self.cycle_mark = 0, 0
        self.cpacr = 0
        self.icache = False

    # The cycle counter. It goes on while the processor stalls.

    def cycles(self):
        passed = (self.core.now - self.cycle_mark) // self.core.cost if self.counts_cycles else 0
        return self.cycle_count + passed

    def sync_cycles(self):
        """Called before the clock changes."""
        self.cycle_count, self.cycle_mark = self.cycles(), self.core.now

    # For the peripherals.

    def line(self, number, high):
        """Sets the level of an interrupt line. The interrupt stays pending while it is high."""
        bit = 1 << number
        if high:
            if not self.level & bit:
                self.level |= bit
                self.pending |= bit
                if self.enabled & bit:
                    self.core.break_slice()
        else:
            self.level &= ~bit

    # For the processor.

    def priority_of(self, number):
        if number < 4:
            return number - 4
        return self.priority[number - 16]

    def next_exception(self):
        """The exception to take now, and whether one is pending that is masked."""
        ready = self.pending & self.enabled
        if not ready:
            return None, False
        best, best_priority = None, 1000
        while ready:
            bit = ready & -ready
            ready ^= bit
            number = 16 + bit.bit_length() - 1
            priority = self.priority_of(number)
            if priority < best_priority or (priority == best_priority and number < best):
                best, best_priority = number, priority
        register = self.core.register
        current = min([1000] + [self.priority_of(number) for number in self.core.active])
        basepri = register(arm.UC_ARM_REG_BASEPRI)
        if basepri:
            current = min(current, basepri)
        if register(arm.UC_ARM_REG_PRIMASK) & 1:
            current = min(current, 0)
        if register(arm.UC_ARM_REG_FAULTMASK) & 1:
            current = min(current, -1)
        return (best, False) if best_priority < current else (None, True)

    def entered(self, number):
        if number >= 16:
            self.busy |= 1 << number - 16
            self.pending &= ~(1 << number - 16)

    def left(self, number):
        if number >= 16:
            bit = 1 << number - 16
            self.busy &= ~bit
            if self.level & bit:
                self.pending |= bit

    # For the bus.

    def is_known(self, offset, verb):
        known = offset & ~3 in REGISTERS
        if not known:
            self.core.violation(f"{verb} of an unknown register of the processor at {0xE000_0000 + offset:#x}")
        return known

    def read(self, offset, size):
        if not self.is_known(offset, "read"):
            return 0
        if 0xE100 <= offset < 0xE400:
            base, kind = (offset & 0x7F), offset & 0xF80
            shift = 8 * base
            values = {0x100: self.enabled, 0x180: self.enabled, 0x280: self.pending}
            return values.get(kind, 0) >> shift & (1 << 8 * size) - 1
        if 0xE400 <= offset < 0xE400 + LINES:
            first = offset - 0xE400
            return int.from_bytes(bytes((self.priority + [0] * 4)[first:first + size]), "little")
        if offset == 0x1004:  # DWT_CYCCNT
            return self.cycles() & 0xFFFF_FFFF
        fixed = {0xED0C: 0xFA05_0000 | self.plain.get(0xED0C, 0) & 0x700, 0xED14: self.plain.get(0xED14, 0x4_0200), 0xED88: self.cpacr}
        if offset in fixed:
            return fixed[offset]
        return self.plain.get(offset, 0)

    def write(self, offset, value, size):
        core = self.core
        if not self.is_known(offset, "write"):
            return
        if 0xE100 <= offset < 0xE300:
            bits = value << 8 * (offset & 0x7F)
            kind = offset & 0xF80
            if kind == 0x100:
                self.enabled |= bits
            elif kind == 0x180:
                self.enabled &= ~bits
            elif kind == 0x280:
                self.pending &= ~bits
                self.pending |= self.level & ~self.busy & bits
            core.break_slice()
            return
        if offset == 0xEF00:  # STIR
            self.pending |= 1 << (value & 0x1FF)
            core.break_slice()
            return
        if 0xE400 <= offset < 0xE400 + LINES:
            for index in range(size):
                if offset - 0xE400 + index < LINES:
                    self.priority[offset - 0xE400 + index] = value >> 8 * index & 0xF0
            return
        if offset == 0xED0C:
            if value >> 16 != 0x05FA:
                core.violation("AIRCR written without its key")
                return
            if value & 4:
                core.pending_reset = "software"
                core.break_slice()
        if offset == 0xED14:
            self.icache = bool(value & 1 << 17)
            if value & 1 << 16:
                core.violation("the data cache is switched on, which DMA does not maintain")
        if offset == 0xED88:
            self.cpacr = value
            return
        if offset == 0x1000:
            self.sync_cycles()
            self.counts_cycles = bool(value & 1) and bool(self.plain.get(0xEDFC, 0) & 1 << 24)
        if offset == 0x1004:
            self.cycle_count, self.cycle_mark = value, core.now
        self.plain[offset] = value
