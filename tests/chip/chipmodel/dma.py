"""A DMA controller with eight streams. Its clients are peripherals, which decide how fast a transfer goes."""

from .block import Block, field

TRANSFER_COMPLETE, HALF_TRANSFER, TRANSFER_ERROR = 5, 4, 3
# Where the flags of the four streams of a register begin.
FLAGS_AT = (0, 6, 16, 22)
FROM_PERIPHERAL, TO_PERIPHERAL = 0, 1
EN, TEIE, HTIE, TCIE, DIR, CIRCULAR, MINC, PSIZE, MSIZE = 1, 1 << 2, 1 << 3, 1 << 4, 3 << 6, 1 << 8, 1 << 10, 3 << 11, 3 << 13
CHSEL = 0xF << 25


class Dma(Block):
    """The registers, the flags and the interrupt lines. A client has `start_dma()` and `stop_dma()`."""

    REGISTERS = {0x00: "LISR", 0x04: "HISR", 0x08: "LIFCR", 0x0C: "HIFCR"}
    for _n in range(8):
        for _k, _name in enumerate(("CR", "NDTR", "PAR", "M0AR", "M1AR", "FCR")):
            REGISTERS[0x10 + 0x18 * _n + 4 * _k] = f"S{_n}{_name}"

    _CONTROL = {"EN": EN, "TEIE": TEIE, "HTIE": HTIE, "TCIE": TCIE, "DIR": DIR, "CIRC": CIRCULAR, "MINC": MINC, "PSIZE": PSIZE,
                "MSIZE": MSIZE, "CHSEL": CHSEL}
    _FLAGS = {f"{_name}{_n}": 1 << FLAGS_AT[_n] + _k for _n in range(4)
              for _name, _k in (("TCIF", TRANSFER_COMPLETE), ("HTIF", HALF_TRANSFER), ("TEIF", TRANSFER_ERROR))}
    FIELDS = {"LISR": _FLAGS, "HISR": _FLAGS, "LIFCR": _FLAGS, "HIFCR": _FLAGS, "S0CR": _CONTROL}

    def __init__(self, core, name, start, bit, lines):
        self.PERIPHERAL = name
        self.ENABLE = ("AHB1ENR", bit)
        self.lines = lines
        self.clients = {}
        super().__init__(core, start)
        for stream in range(8):
            self.writers[0x10 + 0x18 * stream] = lambda value, stream=stream: self.control(stream, value)
            for offset, name in ((0x18, "PAR"), (0x1C, "M0AR"), (0x14, "NDTR")):
                self.writers[offset + 0x18 * stream] = lambda value, stream=stream, name=name: self.set_up(stream, name, value)

    def reset(self):
        super().reset()
        self.reload = [0] * 8

    def interrupts(self):
        return [(f"{self.PERIPHERAL}_STREAM{stream}", line) for stream, line in enumerate(self.lines)]

    def set_up(self, stream, name, value):
        if self.is_on(stream):
            self.violation(f"stream {stream}: {name} written while it runs")
            return
        self.values[f"S{stream}{name}"] = value

    def client(self, stream):
        """The peripheral that a stream serves, by the channel that is selected."""
        return self.clients.get((stream, field(self.values[f"S{stream}CR"], CHSEL)))

    def control(self, stream, value):
        was = self.is_on(stream)
        self.values[f"S{stream}CR"] = value
        client = self.client(stream)
        if value & EN and not was:
            if self.flags(stream):
                self.violation(f"stream {stream} started with its flags set")
            if client is None:
                self.violation(f"stream {stream} has channel {field(value, CHSEL)}, which the model does not connect")
            elif client.check_dma(stream):
                self.reload[stream] = self.values[f"S{stream}NDTR"] & 0xFFFF
                client.start_dma(stream)
        elif was and not value & EN:
            if client is not None:
                client.stop_dma(stream)
            self.set_flag(stream, TRANSFER_COMPLETE)
        self.settle(stream)

    def check(self, stream, register, direction, user):
        """Whether a stream is set up for bytes between memory that DMA reaches and this register."""
        control, count = self.values[f"S{stream}CR"], self.values[f"S{stream}NDTR"] & 0xFFFF
        if self.values[f"S{stream}PAR"] != register:
            self.violation(f"stream {stream} accesses {self.values[f'S{stream}PAR']:#x}, not the data register of {user}")
        if field(control, DIR) != direction:
            self.violation(f"stream {stream} has the wrong direction for {user}")
        if control & (PSIZE | MSIZE) or not control & MINC:
            self.violation(f"stream {stream} does not transfer consecutive bytes")
        writes = direction == FROM_PERIPHERAL
        return self.core.check_dma(self.values[f"S{stream}M0AR"], count, f"{self.PERIPHERAL} stream {stream}", writes)

    def is_on(self, stream):
        return bool(self.values[f"S{stream}CR"] & EN)

    def place(self, stream):
        return ("LISR" if stream < 4 else "HISR"), FLAGS_AT[stream % 4]

    def flags(self, stream):
        register, shift = self.place(stream)
        return self.values[register] >> shift & 0x3D

    def set_flag(self, stream, bit):
        register, shift = self.place(stream)
        self.values[register] |= 1 << shift + bit
        self.settle(stream)

    def settle(self, stream):
        flags, control = self.flags(stream), self.values[f"S{stream}CR"]
        high = any(flags >> flag & 1 and control & enable
                   for flag, enable in ((TRANSFER_COMPLETE, TCIE), (HALF_TRANSFER, HTIE), (TRANSFER_ERROR, TEIE)))
        self.core.nvic.line(self.lines[stream], high)

    def write_LIFCR(self, value):
        self.values["LISR"] &= ~value
        for stream in range(4):
            self.settle(stream)

    def write_HIFCR(self, value):
        self.values["HISR"] &= ~value
        for stream in range(4, 8):
            self.settle(stream)

    def finish(self, stream):
        """Ends a transfer whose bytes have all been taken."""
        self.values[f"S{stream}CR"] &= ~EN
        self.values[f"S{stream}NDTR"] = 0
        self.set_flag(stream, TRANSFER_COMPLETE)

    # Byte by byte.

    def address(self, stream):
        return self.values[f"S{stream}M0AR"] + self.reload[stream] - (self.values[f"S{stream}NDTR"] & 0xFFFF)

    def take_byte(self, stream):
        """The next byte of memory, for a peripheral."""
        byte = self.core.load(self.address(stream), 1)[0]
        self.advance(stream)
        return byte

    def put_byte(self, stream, byte):
        """Writes a byte of a peripheral to memory."""
        self.core.store(self.address(stream), bytes([byte]))
        self.advance(stream)

    def advance(self, stream):
        left = (self.values[f"S{stream}NDTR"] & 0xFFFF) - 1
        self.values[f"S{stream}NDTR"] = left
        if left == self.reload[stream] // 2:
            self.set_flag(stream, HALF_TRANSFER)
        if left == 0:
            if self.values[f"S{stream}CR"] & CIRCULAR:
                self.values[f"S{stream}NDTR"] = self.reload[stream]
                self.set_flag(stream, TRANSFER_COMPLETE)
            else:
                self.finish(stream)
