"""The Ethernet MAC with its DMA and descriptors, and the PHY (a LAN8742 at address 0) behind MDIO."""

import struct
import zlib

from .block import Block, field
from .clocks import ETHEN, ETHRXEN, ETHTXEN
from .core import UNITS_PER_US
from .small import MII_RMII_SEL

TS, TBUS, RS, RBUS, ERS, AIS, NIS = 1, 1 << 2, 1 << 6, 1 << 7, 1 << 14, 1 << 15, 1 << 16
RPS, TPS = 7 << 17, 7 << 20
RE, TE, CSTF = 1 << 2, 1 << 3, 1 << 25
PAM = 1 << 4
MB, MW, CR, MR, PA = 1, 1 << 1, 7 << 2, 0x1F << 6, 0x1F << 11
SR, EDFE = 1, 1 << 7
START_RECEIVE, START_TRANSMIT, FTF, DFRF = 1 << 1, 1 << 13, 1 << 20, 1 << 24
OWN = 1 << 31
STOPPED, WAITING, SUSPENDED = 0, 3, 4
RX_FIFO = 2048


class Phy:
    """The PHY. A cable is plugged in, and negotiation takes a while."""

    AGREE_US = 1_500_000
    IS_PRESENT = True
    PARTNER = 0x45E1  # The abilities of the other end: all modes of 10 and 100 Mbit/s.
    RESET_US = 300

    def __init__(self, core):
        self.core = core
        self.plugged = True
        self.reset()

    def reset(self):
        self.registers = {0: 0x3000, 2: 0x0007, 3: 0xC131, 4: 0x01E1, 5: 0x0000, 6: 0}
        self.reset_until = 0
        self.agreed_at = self.core.now + self.AGREE_US * UNITS_PER_US

    def is_up(self):
        return self.plugged and self.core.now >= self.agreed_at

    def read(self, register):
        if not self.IS_PRESENT:
            return 0xFFFF
        now = self.core.now
        if register == 0:
            return self.registers[0] | (0x8000 if now < self.reset_until else 0)
        if register == 1:
            return 0x7809 | (0x24 if self.is_up() else 0)
        if register == 5:
            return self.PARTNER if self.is_up() else 0
        if register == 31:
            return 0x1058 if self.is_up() else 0x40
        return self.registers.get(register, 0)

    def write(self, register, value):
        if register == 0:
            if value & 0x8000:
                self.reset()
                self.reset_until = self.core.now + self.RESET_US * UNITS_PER_US
                return
            if value & 0x0200:
                self.agreed_at = self.core.now + self.AGREE_US * UNITS_PER_US
            value &= ~0x0200
        self.registers[register] = value


class Ethernet(Block):
    PERIPHERAL = "ETH"
    INTERRUPT = ("ETH", 61)
    REGISTERS = {0x00: "MACCR", 0x04: "MACFFR", 0x08: "MACHTHR", 0x0C: "MACHTLR", 0x10: "MACMIIAR", 0x14: "MACMIIDR",
                 0x18: "MACFCR", 0x1C: "MACVLANTR", 0x34: "MACDBGR", 0x38: "MACSR", 0x3C: "MACIMR", 0x40: "MACA0HR",
                 0x44: "MACA0LR", 0x1000: "DMABMR", 0x1004: "DMATPDR", 0x1008: "DMARPDR", 0x100C: "DMARDLAR",
                 0x1010: "DMATDLAR", 0x1014: "DMASR", 0x1018: "DMAOMR", 0x101C: "DMAIER", 0x1020: "DMAMFBOCR"}
    FIELDS = {
        "MACCR": {"RE": RE, "TE": TE, "CSTF": CSTF}, "MACFFR": {"PAM": PAM}, "MACMIIAR": {"MB": MB, "MW": MW, "CR": CR, "MR": MR, "PA": PA},
        "DMABMR": {"SR": SR, "EDFE": EDFE}, "DMAOMR": {"SR": START_RECEIVE, "ST": START_TRANSMIT, "FTF": FTF, "DFRF": DFRF},
        "DMASR": {"TS": TS, "TBUS": TBUS, "RS": RS, "RBUS": RBUS, "ERS": ERS, "AIS": AIS, "NIS": NIS, "RPS": RPS, "TPS": TPS},
        "DMAIER": {"TIE": TS, "TBUIE": TBUS, "RIE": RS, "RBUIE": RBUS, "ERIE": ERS, "AISE": AIS, "NISE": NIS},
    }
    RESET = {"MACCR": 0x8000, "DMABMR": 0x2_0101, "MACA0HR": 0x8000_FFFF, "MACA0LR": 0xFFFF_FFFF}
    ENABLE = ("AHB1ENR", 25)
    MDIO_US = 64 / 2.04
    ALTERNATE = 11
    # RMII, MDIO and MDC.
    PINS = ["PA1", "PA7", "PC4", "PC5", "PG13", "PB13", "PG11", "PA2", "PC1"]

    def __init__(self, core, start, ports):
        self.line, self.ports = self.INTERRUPT[1], ports
        self.phy = Phy(core)
        self.wire = None  # Called with every frame that is sent.
        self.sent, self.received, self.dropped = 0, 0, 0
        self.suspensions = 0
        super().__init__(core, start, 0x1400)

    def reset(self):
        super().reset()
        self.values["DMABMR"] = 0x2_0100
        self.rx_next = self.tx_next = 0
        self.rx_state = STOPPED
        self.tx_busy = False
        self.queue = []

    def wires(self):
        return [(name, self.ALTERNATE) for name in self.PINS]

    def is_wired(self):
        for name in self.PINS:
            if self.ports[name[1]].alternate(int(name[2:])) != self.ALTERNATE:
                self.violation(f"{name} is not connected to the MAC")
                return False
        if not self.core.syscfg.values["PMC"] & MII_RMII_SEL:
            self.violation("RMII is not selected")
            return False
        if ~self.core.rcc.values["AHB1ENR"] & (ETHEN | ETHTXEN | ETHRXEN):
            self.violation("one of the three clocks of the MAC is off")
            return False
        return True

    # MDIO.

    def write_MACMIIAR(self, value):
        self.values["MACMIIAR"] = value
        if value & MB:
            if field(value, CR) != self.core.chip.mdio_clock:
                self.violation(f"the clock of MDIO is out of range with CR {field(value, CR)}")
            self.core.after_us(self.MDIO_US, lambda: self.mdio(value))

    def mdio(self, value):
        phy, register = field(value, PA), field(value, MR)
        if value & MW:
            if phy == 0:
                self.phy.write(register, self.values["MACMIIDR"] & 0xFFFF)
        else:
            self.values["MACMIIDR"] = self.phy.read(register) if phy == 0 else 0xFFFF
        self.values["MACMIIAR"] &= ~MB

    # DMA.

    def write_DMABMR(self, value):
        if value & SR:
            self.reset()
            self.values["DMABMR"] |= SR
            if self.is_wired():
                self.core.after_us(1, self.reset_is_done)
        else:
            self.values["DMABMR"] = value
            if value & EDFE:
                self.violation("enhanced descriptors are not modelled")

    def reset_is_done(self):
        self.values["DMABMR"] &= ~SR

    def write_DMARDLAR(self, value):
        self.values["DMARDLAR"] = self.rx_next = value & ~3

    def write_DMATDLAR(self, value):
        self.values["DMATDLAR"] = self.tx_next = value & ~3

    def write_DMAOMR(self, value):
        old = self.values["DMAOMR"]
        self.values["DMAOMR"] = value & ~FTF
        if value & START_RECEIVE and not old & START_RECEIVE:
            self.rx_state = WAITING
        if value & START_TRANSMIT and not old & START_TRANSMIT:
            self.send()

    def read_DMASR(self):
        return self.values["DMASR"] | self.rx_state << 17 | (3 if self.tx_busy else 6) << 20

    def write_DMASR(self, value):
        self.values["DMASR"] &= ~(value & 0x1_E7FF)
        self.settle()

    def write_DMAIER(self, value):
        self.values["DMAIER"] = value
        self.settle()

    def raise_flag(self, flag):
        self.values["DMASR"] |= flag
        if self.values["DMAIER"] & flag:
            self.values["DMASR"] |= NIS if flag & (TS | TBUS | RS | ERS) else AIS
        self.settle()

    def settle(self):
        self.core.nvic.line(self.line, bool(self.values["DMASR"] & self.values["DMAIER"] & (NIS | AIS)))

    def write_DMATPDR(self, _value):
        self.core.after_us(0.1, self.send)

    def write_DMARPDR(self, _value):
        if self.rx_state == SUSPENDED:
            self.rx_state = WAITING
        self.core.after_us(0.1, self.take)

    def read_DMATPDR(self):
        return 0

    def check(self, address, size, what):
        return self.core.check_dma(address, size, f"the Ethernet DMA ({what})", writes=True)

    def send(self):
        if self.tx_busy or not self.values["DMAOMR"] & START_TRANSMIT or not self.values["MACCR"] & TE:
            return
        address = self.tx_next
        if not self.check(address, 16, "a descriptor"):
            return
        status, sizes, buffer, following = struct.unpack("<4I", self.core.load(address, 16))
        if not status & OWN:
            self.raise_flag(TBUS)
            return
        if not status >> 28 & 1 or not status >> 29 & 1:
            self.violation("a frame in several pieces is not modelled")
        length = sizes & 0x1FFF
        if not self.check(buffer, length, "a buffer"):
            return
        frame = self.core.load(buffer, length)
        frame += bytes(max(0, 60 - len(frame)))
        self.tx_busy = True
        self.core.after_us((8 + len(frame) + 4 + 12) * 0.08, lambda: self.close(address, status, following, frame))

    def close(self, address, status, following, frame):
        self.tx_busy = False
        self.core.set_word(address, status & ~OWN)
        if status >> 21 & 1:
            self.tx_next = self.values["DMATDLAR"]
        elif status >> 20 & 1:
            self.tx_next = following
        else:
            self.tx_next = address + 16
        self.sent += 1
        if status >> 30 & 1:
            self.raise_flag(TS)
        if self.wire and self.phy.is_up():
            self.wire(frame)
        self.send()

    # Receiving.

    def deliver(self, frame):
        """Receives a frame, without its checksum."""
        if not self.phy.is_up() or not self.values["MACCR"] & RE:
            self.dropped += 1
            return
        own = struct.pack("<IH", self.values["MACA0LR"], self.values["MACA0HR"] & 0xFFFF)
        target = frame[:6]
        if target != own and target != b"\xff" * 6 and not (target[0] & 1 and self.values["MACFFR"] & PAM):
            return
        frame = frame + bytes(max(0, 60 - len(frame)))
        if sum(len(other) + 4 for other in self.queue) + len(frame) + 4 > RX_FIFO:
            self.dropped += 1
            return
        self.queue.append(frame)
        if self.rx_state == SUSPENDED:
            self.rx_state = WAITING  # A new frame makes it poll the descriptor again.
        self.take()
        if self.rx_state == SUSPENDED and not self.values["DMAOMR"] & DFRF:
            # Without DFRF, what finds no descriptor is thrown away.
            self.dropped += len(self.queue)
            self.queue.clear()

    def take(self):
        while self.queue and self.rx_state == WAITING and self.values["DMAOMR"] & START_RECEIVE:
            address = self.rx_next
            if not self.check(address, 16, "a descriptor"):
                return
            status, control, buffer, following = struct.unpack("<4I", self.core.load(address, 16))
            if not status & OWN:
                self.rx_state = SUSPENDED
                self.suspensions += 1
                self.raise_flag(RBUS)
                return
            frame = self.queue.pop(0)
            # The check sum is stripped only where the type is a length, and by CSTF.
            if not self.values["MACCR"] & CSTF:
                frame += struct.pack("<I", zlib.crc32(frame))
            if len(frame) > (control & 0x1FFF) or not self.check(buffer, len(frame), "a buffer"):
                self.violation("a frame does not fit into its buffer")
                return
            self.core.store(buffer, frame)
            self.core.set_word(address, len(frame) << 16 | 1 << 9 | 1 << 8 | 1 << 5)
            if control >> 15 & 1:
                self.rx_next = self.values["DMARDLAR"]
            elif control >> 14 & 1:
                self.rx_next = following
            else:
                self.rx_next = address + 16
            self.received += 1
            self.raise_flag(RS)
