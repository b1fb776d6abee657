"""The reed matrix of docs/hardware.md: 64 reeds with diodes on 16 wires."""

from .core import UNITS_PER_US

RANKS = ["PD7", "PD6", "PD5", "PD4", "PD3", "PE4", "PE5", "PE6"]
FILES = ["PF13", "PE9", "PE11", "PF14", "PE13", "PF15", "PE8", "PE7"]
START = 0xFFFF_0000_0000_FFFF
# Rise time of a wire that is released: 50 kΩ and 200 pF.
RISE_US = 10
# Scans are 1 ms apart. A longer gap is a missed scan, except while the wiring is checked, and while a flash sector is erased and read
# for verification, if that stalls the processor. After the first scan of a start the journal is restored, which takes longer.
LONGEST_GAP_US = 1_500
LONGEST_START_US = 500_000
WIRING_CHECK_US = 5_000
VERIFY_US = 20_000


def square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


class Reeds:
    """The matrix. A closed reed pulls its file down with its rank; the diodes prevent the opposite direction."""

    def __init__(self, core, ports):
        self.core = core
        self.is_watched = True  # Whether missed scans are violations.
        self.first_scan = -1  # Of the current start.
        self.last_scan = -1
        self.wiring_checked_at = -(1 << 60)
        self.pins = [(ports[name[1]], int(name[2:])) for name in RANKS + FILES]
        self.closed = START
        self.held = 0
        self.let_go_at = [-(1 << 60)] * 16
        self.lows = {}
        self.scans = []
        self.most = 1
        self.cache = {}
        self.backwards = 0
        self.touching = []
        for letter in "DEF":
            ports[letter].changed = self.update
            ports[letter].outside = lambda letter=letter: self.levels(ports[letter])
        self.update()

    def place(self, name):
        self.closed |= 1 << square(name)
        self.update()

    def lift(self, name):
        self.closed &= ~(1 << square(name))
        self.update()

    def update(self):
        """Works out which wires are low, and when the others were released."""
        pulled = 0
        for index, (port, pin) in enumerate(self.pins):
            values = port.values
            if values["MODER"] >> 2 * pin & 3 == 1:
                if not values["ODR"] >> pin & 1:
                    pulled |= 1 << index
                if not values["OTYPER"] >> pin & 1:
                    self.core.violation("a wire of the matrix is not open drain")
        down = pulled
        while True:
            before = down
            for rank in range(8):
                row = self.closed >> 8 * rank & 0xFF
                back = self.backwards >> 8 * rank & 0xFF
                if down >> rank & 1:
                    down |= (row & ~back) << 8
                if down >> 8 & row & back:
                    down |= 1 << rank
            for one, other in self.touching:
                if down >> one & 1 or down >> other & 1:
                    down |= 1 << one | 1 << other
            if down == before:
                break
        released = self.held & ~down
        now = self.core.now
        if released:
            for index in range(16):
                if released >> index & 1:
                    self.let_go_at[index] = now
            self.all_up_at = now + RISE_US * UNITS_PER_US
        self.held = down
        self.cache = {}
        if pulled >> 8:
            # Only the check of the wiring pulls files.
            self.wiring_checked_at = now
        if pulled == 1 and self.pulled != 1:
            self.note_scan(now)
        if pulled & pulled - 1:
            self.most = max(self.most, bin(pulled).count("1"))
        self.pulled = pulled

    pulled = 0
    all_up_at = 0

    def note_scan(self, now):
        missed = self.missed_scan(now)
        if missed:
            self.core.violation(missed)
        if not self.has_scanned():
            self.first_scan = now
        self.last_scan = now
        self.scans.append(now)

    def has_scanned(self):
        """Whether there was a scan since the last reset."""
        reset_at = self.core.resets[-1][0] if self.core.resets else 0
        return self.first_scan >= reset_at

    def missed_scan(self, now):
        """Says how long the last scan is past, if that is too long."""
        if not self.is_watched or not self.has_scanned():
            return None
        core = self.core
        stalls = core.flash.erases[-2:] if core.chip.erase_stalls else []
        begun = max([self.last_scan, self.wiring_checked_at + WIRING_CHECK_US * UNITS_PER_US]
                    + [when + int((seconds * 1e6 + VERIFY_US) * UNITS_PER_US) for when, _, _, seconds in stalls])
        longest = LONGEST_START_US if self.last_scan == self.first_scan else LONGEST_GAP_US
        if now - begun <= longest * UNITS_PER_US:
            return None
        return f"missed scan: {(now - begun) / UNITS_PER_US:.0f} µs without a scan at {now / UNITS_PER_US / 1e6:.3f} s"

    def is_low(self, index):
        if self.held >> index & 1:
            return True
        return self.core.now - self.let_go_at[index] < RISE_US * UNITS_PER_US

    def levels(self, port):
        """The levels that a port reads."""
        settled = self.core.now >= self.all_up_at
        if settled and port.letter in self.cache:
            return self.cache[port.letter]
        levels = 0
        mine = set()
        for index, (other, pin) in enumerate(self.pins):
            if other is port:
                mine.add(pin)
                if port.pull(pin) != 1 and not self.held >> index & 1:
                    self.core.violation("a wire of the matrix floats")
                if not self.is_low(index):
                    levels |= 1 << pin
        for pin in range(16):
            if pin not in mine and (port.drives_high(pin) or (not port.drives_low(pin) and port.pull(pin) == 1)):
                levels |= 1 << pin
        if settled:
            self.cache[port.letter] = levels
        return levels
