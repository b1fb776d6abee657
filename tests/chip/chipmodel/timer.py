"""TIM12, a timer of 16 bits with two compare channels, which is the clock of embassy."""

from .block import Block
from .core import UNITS_PER_S

CEN, URS, UG = 1, 1 << 2, 1
UIF, CC1, CC2 = 1, 2, 4


class Timer(Block):
    PERIPHERAL = "TIM12"
    INTERRUPT = ("TIM8_BRK_TIM12", 43)
    REGISTERS = {0x00: "CR1", 0x08: "SMCR", 0x0C: "DIER", 0x10: "SR", 0x14: "EGR", 0x18: "CCMR_INPUT", 0x20: "CCER", 0x24: "CNT",
                 0x28: "PSC", 0x2C: "ARR", 0x34: "CCR1", 0x38: "CCR2"}
    FIELDS = {"CR1": {"CEN": CEN, "URS": URS}, "EGR": {"UG": UG}, "SR": {"UIF": UIF, "CCIF0": CC1, "CCIF1": CC2},
              "DIER": {"UIE": UIF, "CCIE0": CC1, "CCIE1": CC2}}
    RESET = {"ARR": 0xFFFF}
    ENABLE = ("APB1ENR", 6)

    def __init__(self, core, start):
        self.line = self.INTERRUPT[1]
        self.alarm = None
        super().__init__(core, start)

    def reset(self):
        super().reset()
        self.core.cancel(self.alarm)
        self.alarm = None
        self.origin = 0     # The time at which the count was 0.
        self.seen = 0       # Ticks up to which flags have been set.
        self.prescaler = 0  # A written prescaler applies from the next update.
        self.tick = 1.0

    def is_on(self):
        return self.values["CR1"] & CEN

    def ticks(self):
        """Counts since 0."""
        return int((self.core.now - self.origin) / self.tick) if self.is_on() else self.seen

    def set_tick(self):
        self.tick = UNITS_PER_S * (self.prescaler + 1) / self.core.rcc.timer_clock(1)
        if self.tick == int(self.tick):
            self.tick = int(self.tick)

    def catch_up(self):
        """Sets the flags of all events since the last call."""
        if not self.is_on():
            return
        now = self.ticks()
        period = self.values["ARR"] + 1
        for flag, target in ((UIF, 0), (CC1, self.values["CCR1"]), (CC2, self.values["CCR2"])):
            first = self.seen + 1 + (target - self.seen - 1) % period
            if target < period and first <= now:
                self.values["SR"] |= flag
        self.seen = now

    def settle(self):
        """Sets the interrupt line, and schedules the next flag with an enabled interrupt."""
        self.core.cancel(self.alarm)
        self.alarm = None
        self.core.nvic.line(self.line, bool(self.values["SR"] & self.values["DIER"] & (UIF | CC1 | CC2)))
        if not self.is_on():
            return
        period = self.values["ARR"] + 1
        waits = []
        for flag, target in ((UIF, 0), (CC1, self.values["CCR1"]), (CC2, self.values["CCR2"])):
            if self.values["DIER"] & flag and not self.values["SR"] & flag and target < period:
                waits.append(self.seen + 1 + (target - self.seen - 1) % period)
        if waits:
            moment = self.origin + min(waits) * self.tick
            self.alarm = self.core.at(-int(-moment // 1), self.ring)

    def ring(self):
        self.catch_up()
        self.settle()

    def write_CR1(self, value):
        self.catch_up()
        was = self.is_on()
        self.values["CR1"] = value
        if value & CEN and not was:
            self.set_tick()
            self.origin = self.core.now - self.seen * self.tick
        self.settle()

    def write_EGR(self, value):
        if value & UG:
            self.prescaler = self.values["PSC"]
            self.set_tick()
            self.origin, self.seen = self.core.now, 0
            if not self.values["CR1"] & URS:
                self.values["SR"] |= UIF
            self.settle()

    def read_SR(self):
        self.catch_up()
        return self.values["SR"]

    def write_SR(self, value):
        self.catch_up()
        self.values["SR"] &= value
        self.settle()

    def write_DIER(self, value):
        self.catch_up()
        self.values["DIER"] = value
        self.settle()

    def write_CCR1(self, value):
        self.catch_up()
        self.values["CCR1"] = value & 0xFFFF
        self.settle()

    def write_CCR2(self, value):
        self.catch_up()
        self.values["CCR2"] = value & 0xFFFF
        self.settle()

    def read_CNT(self):
        return self.ticks() % (self.values["ARR"] + 1)

    def write_CNT(self, value):
        self.catch_up()
        self.seen = value & 0xFFFF
        self.origin = self.core.now - self.seen * self.tick
        self.settle()
