"""The 64 lights, which check the timing of every pulse against two data sheets."""

from .core import UNITS_PER_US

GAP_NS = 280_000  # The longest reset pause of the data sheets.
# Nanoseconds of a short pulse, the pause after it, a long pulse and the pause after that: WS2812B as first printed, and V5.
SHEETS = {"WS2812B": ((250, 550), (700, 1000), (650, 950), (300, 600)), "V5": ((220, 380), (580, 1000), (580, 1000), (220, 420))}


class Strip:
    """64 WS2812 in a serpentine, which decode bits by the length of the pulses."""

    def __init__(self, core):
        self.core = core
        self.frames = []       # (moment of the last bit in units, colours by square)
        self.colours = [(0, 0, 0)] * 64
        self.silent_since = 0
        self.bad = []
        self.times = set()
        self.listeners = []

    def receive(self, begun, bit, data):
        unit = 1000 / UNITS_PER_US
        wire = "".join(f"{byte:08b}" for byte in data)
        pulses = []
        index = wire.find("1")
        if index < 0:
            return
        silence = (begun - self.silent_since + index * bit) * unit
        if silence < GAP_NS and self.frames:
            self.bad.append((self.core.us, f"only {silence / 1000:.0f} µs of reset pause before a frame"))
        while index < len(wire):
            high = wire.find("0", index)
            high = len(wire) if high < 0 else high
            low = wire.find("1", high)
            low = len(wire) if low < 0 else low
            pulses.append(((high - index) * bit * unit, (low - high) * bit * unit))
            index = low
        bits = []
        for number, (up, down) in enumerate(pulses):
            is_one = up > 500
            bits.append(int(is_one))
            last = number == len(pulses) - 1
            for name, (short, after_short, long, after_long) in SHEETS.items():
                high, low = (long, after_long) if is_one else (short, after_short)
                if not high[0] <= up <= high[1] or not (last or low[0] <= down <= low[1]):
                    self.bad.append((self.core.us, f"{name}: {up:.0f} ns up, {down:.0f} ns down"))
            self.times.add((round(up), round(down)) if not last else (round(up), None))
        parts = [int("".join(map(str, bits[first:first + 8])), 2) for first in range(0, len(bits), 8)]
        if len(bits) != 64 * 24:
            self.bad.append((self.core.us, f"{len(bits)} bits in a frame"))
            return
        colours = [None] * 64
        for light in range(64):
            green, red, blue = parts[3 * light:3 * light + 3]
            row, column = divmod(light, 8)
            colours[8 * row + (7 - column if row % 2 else column)] = (red, green, blue)
        self.colours = colours
        self.silent_since = self.core.now
        self.frames.append((self.core.now, colours))
        for action in self.listeners:
            action(colours)

    def lit(self):
        """The lit squares with their colours."""
        return {"abcdefgh"[index % 8] + str(index // 8 + 1): colour for index, colour in enumerate(self.colours) if any(colour)}
