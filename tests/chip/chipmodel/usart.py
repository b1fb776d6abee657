"""USART3, the serial port of the debug probe, with a terminal at the other end. Data goes by DMA or by program."""

from .block import Block
from .core import UNITS_PER_S
from .dma import FROM_PERIPHERAL, TO_PERIPHERAL

ORE, IDLE, RXNE, TC, TXE = 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7
TE, RE = 1 << 3, 1 << 2
DMAT, DMAR = 1 << 7, 1 << 6
UE_V3, UE_V2 = 1, 1 << 13
RXFRQ, TEACK, REACK = 1 << 3, 1 << 21, 1 << 22
EIE = 1

V3 = {0x00: "CR1", 0x04: "CR2", 0x08: "CR3", 0x0C: "BRR", 0x10: "GTPR", 0x14: "RTOR", 0x18: "RQR", 0x1C: "ISR", 0x20: "ICR",
      0x24: "RDR", 0x28: "TDR"}
V2 = {0x00: "SR", 0x04: "DR", 0x08: "BRR", 0x0C: "CR1", 0x10: "CR2", 0x14: "CR3", 0x18: "GTPR"}


class Usart(Block):
    """Version 3 has ISR, ICR, RDR and TDR; version 2 has SR and DR, and clears flags by reading both."""

    PERIPHERAL = "USART3"
    INTERRUPT = ("USART3", 39)
    ENABLE = ("APB1ENR", 18)
    ALTERNATE = 7
    TERMINAL_BAUD = 115_200

    def __init__(self, core, start, dma, receive, transmit, pins):
        self.v3 = core.chip.usart_v3
        self.REGISTERS = V3 if self.v3 else V2
        self.FIELDS = {
            "CR1": {"UE": UE_V3 if self.v3 else UE_V2, "TE": TE, "RE": RE, "IDLEIE": IDLE, "RXNEIE": RXNE, "TCIE": TC, "TXEIE": TXE},
            "CR3": {"DMAT": DMAT, "DMAR": DMAR, "EIE": EIE},
            "ISR" if self.v3 else "SR": {"ORE": ORE, "IDLE": IDLE, "RXNE": RXNE, "TC": TC, "TXE": TXE,
                                         **({"TEACK": TEACK, "REACK": REACK} if self.v3 else {})},
            **({"ICR": {"ORE": ORE, "IDLE": IDLE, "TC": TC}, "RQR": {"RXFRQ": RXFRQ}} if self.v3 else {}),
        }
        self.dma, self.pins = dma, pins
        self.requests = {"RX": receive, "TX": transmit}
        self.receive_stream, self.transmit_stream = receive[0], transmit[0]
        dma.clients[receive] = dma.clients[transmit] = self
        self.shown = bytearray()
        self.lost = 0
        super().__init__(core, start)

    def reset(self):
        super().reset()
        self.status = TC | TXE
        self.data = 0
        self.typed = []
        self.arriving = False
        self.shifting = None
        self.waiting = None
        self.idle = None
        self.status_was_read = False

    def wires(self):
        return [(f"P{port.letter}{number}", self.ALTERNATE) for port, number in self.pins]

    def streams(self):
        return [(signal, f"{self.dma.PERIPHERAL}_CH{stream}", request) for signal, (stream, request) in self.requests.items()]

    def is_on(self):
        return bool(self.values["CR1"] & (UE_V3 if self.v3 else UE_V2))

    def frame_units(self):
        """The time of a byte with this side's baud rate."""
        baud = self.core.rcc.apb(1) / (self.values["BRR"] or 1)
        error = baud / self.TERMINAL_BAUD - 1
        if abs(error) > 0.02:
            self.violation(f"the baud rate is {error:.1%} off")
        return int(UNITS_PER_S * 10 / baud)

    def settle(self):
        cr1, status = self.values["CR1"], self.status
        receives = cr1 & RXNE and status & (RXNE | ORE)
        high = receives or (cr1 & status & (IDLE | TC | TXE)) or (self.values["CR3"] & EIE and status & 0xE)
        self.core.nvic.line(self.INTERRUPT[1], bool(self.is_on() and high))

    # DMA.

    def check_dma(self, stream):
        receives = stream == self.receive_stream
        register = self.start + (0x24 if receives else 0x28) if self.v3 else self.start + 4
        return self.dma.check(stream, register, FROM_PERIPHERAL if receives else TO_PERIPHERAL, "USART3")

    def start_dma(self, stream):
        if stream == self.transmit_stream:
            self.feed()
        elif self.status & RXNE:
            self.hand_over()

    def stop_dma(self, _stream):
        pass

    def feed(self):
        """Has DMA write the next byte, if there is room for it."""
        while self.values["CR3"] & DMAT and self.dma.is_on(self.transmit_stream) and self.status & TXE:
            self.transmit(self.dma.take_byte(self.transmit_stream))

    def hand_over(self):
        """Has DMA read the received byte."""
        if self.values["CR3"] & DMAR and self.dma.is_on(self.receive_stream):
            self.status &= ~RXNE
            self.dma.put_byte(self.receive_stream, self.data)

    # Receiving.

    def type(self, data):
        """Has the terminal send bytes at full speed."""
        self.typed.extend(data)
        if not self.arriving:
            self.arriving = True
            self.core.at(self.core.now + int(UNITS_PER_S * 10 / self.TERMINAL_BAUD), self.arrive)

    def arrive(self):
        self.core.cancel(self.idle)
        byte = self.typed.pop(0)
        if self.is_on() and self.values["CR1"] & RE and not self.status & RXNE:
            self.data = byte
            self.status |= RXNE
            self.hand_over()
        else:
            if self.is_on() and self.values["CR1"] & RE:
                self.status |= ORE
            self.lost += 1
        next_byte = self.core.now + int(UNITS_PER_S * 10 / self.TERMINAL_BAUD)
        if self.typed:
            self.core.at(next_byte, self.arrive)
        else:
            self.arriving = False
            self.idle = self.core.at(next_byte, self.line_idle)
        self.settle()

    def line_idle(self):
        self.status |= IDLE
        self.settle()

    def read_data(self):
        self.status &= ~RXNE
        if self.status_was_read:
            self.status &= ~(IDLE | ORE)
            self.status_was_read = False
        self.settle()
        return self.data

    # Transmitting.

    def transmit(self, value):
        if not self.values["CR1"] & TE or not self.is_on():
            self.violation("data written while the transmitter is off")
            return
        if not self.status & TXE:
            self.violation("data written while the data register is full")
            return
        self.status &= ~TC
        if self.shifting is None:
            self.shifting = value & 0xFF
            self.core.at(self.core.now + self.frame_units(), self.sent)
        else:
            self.waiting = value & 0xFF
            self.status &= ~TXE
        self.settle()

    def sent(self):
        if [port.alternate(pin) for port, pin in self.pins] != [self.ALTERNATE] * 2:
            self.violation("its pins are not connected to it")
        self.shown.append(self.shifting)
        self.shifting, self.waiting = self.waiting, None
        self.status |= TXE
        if self.shifting is not None:
            self.core.at(self.core.now + self.frame_units(), self.sent)
        self.feed()
        if self.shifting is None:
            self.status |= TC
        self.settle()

    # Registers of both versions.

    def write_CR1(self, value):
        self.values["CR1"] = value
        self.settle()

    def write_CR3(self, value):
        self.values["CR3"] = value
        self.feed()
        if self.status & RXNE:
            self.hand_over()
        self.settle()

    # Version 3.

    def read_ISR(self):
        enabled = (TEACK if self.values["CR1"] & TE else 0) | (REACK if self.values["CR1"] & RE else 0)
        return 0x0200_0000 | enabled | self.status

    def write_ISR(self, _value):
        self.violation("ISR is read only")

    def write_ICR(self, value):
        self.status &= ~(value & (ORE | IDLE | TC | 7))
        self.settle()

    def write_RQR(self, value):
        if value & RXFRQ:
            self.status &= ~RXNE
        self.settle()

    def read_RDR(self):
        return self.read_data()

    def write_TDR(self, value):
        self.transmit(value)

    # Version 2.

    def read_SR(self):
        self.status_was_read = True
        return self.status

    def write_SR(self, value):
        self.status &= value | ~(TC | RXNE)
        self.settle()

    def read_DR(self):
        return self.read_data()

    def write_DR(self, value):
        self.transmit(value)
