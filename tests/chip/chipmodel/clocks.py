"""Clocks and power: RCC and PWR, with the times after which oscillators and regulators are ready."""

from .block import Block, field
from .core import UNITS_PER_US
from .flash import LATENCY

HSI_HZ = 16_000_000
UNITS_PER_S = UNITS_PER_US * 1_000_000
HSION, HSIRDY, HSEON, HSERDY = 1, 1 << 1, 1 << 16, 1 << 17
PLLON, PLLRDY, PLLI2SON, PLLI2SRDY, PLLSAION, PLLSAIRDY = (1 << bit for bit in range(24, 30))
PLLM, PLLN, PLLP, PLLSRC, PLLQ = 0x3F, 0x1FF << 6, 3 << 16, 1 << 22, 0xF << 24
SW, SWS, HPRE, PPRE1, PPRE2 = 3, 3 << 2, 0xF << 4, 7 << 10, 7 << 13
LSION, LSIRDY, RMVF = 1, 1 << 1, 1 << 24
BORRSTF, PADRSTF, PORRSTF, SFTRSTF, WDGRSTF, WWDGRSTF, LPWRRSTF = (1 << bit for bit in range(25, 32))
RESET_FLAGS = 0xFE00_0000
ETHEN, ETHTXEN, ETHRXEN = 1 << 25, 1 << 26, 1 << 27
ODEN, ODSWEN, ODRDY, ODSWRDY = 1 << 16, 1 << 17, 1 << 16, 1 << 17
# Virtual time that a read of RCC_CR takes while the external clock is awaited. It shortens a wait of seconds for the host.
HSE_POLL_US = 500


class Rcc(Block):
    """Reset and clock control."""

    PERIPHERAL = "RCC"

    REGISTERS = {0x00: "CR", 0x04: "PLLCFGR", 0x08: "CFGR", 0x0C: "CIR", 0x10: "AHB1RSTR", 0x14: "AHB2RSTR", 0x18: "AHB3RSTR",
                 0x20: "APB1RSTR", 0x24: "APB2RSTR", 0x30: "AHB1ENR", 0x34: "AHB2ENR", 0x38: "AHB3ENR", 0x40: "APB1ENR",
                 0x44: "APB2ENR", 0x50: "AHB1LPENR", 0x54: "AHB2LPENR", 0x58: "AHB3LPENR", 0x60: "APB1LPENR", 0x64: "APB2LPENR",
                 0x70: "BDCR", 0x74: "CSR", 0x80: "SSCGR", 0x84: "PLLI2SCFGR", 0x88: "PLLSAICFGR"}
    FIELDS = {
        "CR": {"HSION": HSION, "HSIRDY": HSIRDY, "HSEON": HSEON, "HSERDY": HSERDY, "PLLON": PLLON, "PLLRDY": PLLRDY,
               "PLLI2SON": PLLI2SON, "PLLI2SRDY": PLLI2SRDY, "PLLSAION": PLLSAION, "PLLSAIRDY": PLLSAIRDY},
        "PLLCFGR": {"PLLM": PLLM, "PLLN": PLLN, "PLLP": PLLP, "PLLSRC": PLLSRC, "PLLQ": PLLQ},
        "CFGR": {"SW": SW, "SWS": SWS, "HPRE": HPRE, "PPRE1": PPRE1, "PPRE2": PPRE2},
        "CSR": {"LSION": LSION, "LSIRDY": LSIRDY, "RMVF": RMVF, "BORRSTF": BORRSTF, "PADRSTF": PADRSTF, "PORRSTF": PORRSTF,
                "SFTRSTF": SFTRSTF, "WDGRSTF": WDGRSTF, "WWDGRSTF": WWDGRSTF, "LPWRRSTF": LPWRRSTF},
        "AHB1ENR": {"ETHEN": ETHEN, "ETHTXEN": ETHTXEN, "ETHRXEN": ETHRXEN},
    }
    RESET = {"CR": 0x83, "PLLCFGR": 0x2400_3010, "AHB1ENR": 0x0010_0000, "CSR": 0x0E00_0000,
             "AHB1LPENR": 0x7EF7_B7FF, "APB1LPENR": 0xFFFF_CBFF, "APB2LPENR": 0x04F7_7FFB}
    HSE_US = 20          # Delay of the external clock. None: it never comes.
    HSE_HZ = 8_000_000
    PLL_US = 200

    def __init__(self, core, start):
        core.rcc = self
        extra = {0x8C: "DCKCFGR1", 0x90: "DCKCFGR2"} if core.chip.usart_v3 else {0x8C: "DCKCFGR"}
        self.REGISTERS = {**self.REGISTERS, **extra}
        self.resettable = {}
        self.listeners = []
        super().__init__(core, start)

    def reset(self):
        self.kept_flags = self.values["CSR"] & RESET_FLAGS if hasattr(self, "values") else 0
        super().reset()
        self.hclk = HSI_HZ

    def write_CR(self, value):
        old = self.values["CR"]
        flags = HSIRDY | HSERDY | PLLRDY | PLLI2SRDY | PLLSAIRDY
        self.values["CR"] = old & flags | value & ~flags
        if value & HSION and not old & HSIRDY:
            self.core.after_us(2, lambda: self.ready("CR", HSION, HSIRDY))
        if value & HSEON and not old & HSEON and self.HSE_US is not None:
            self.core.after_us(self.HSE_US, lambda: self.ready("CR", HSEON, HSERDY))
        for on, ready in ((PLLON, PLLRDY), (PLLI2SON, PLLI2SRDY), (PLLSAION, PLLSAIRDY)):
            if value & on and not old & on:
                self.core.after_us(self.PLL_US, lambda on=on, ready=ready: self.ready("CR", on, ready))
            if not value & on:
                self.values["CR"] &= ~ready
        if not value & HSEON:
            self.values["CR"] &= ~HSERDY

    def lose_external_clock(self):
        """The external clock stops, and with it the processor, whose PLL has no other source. The watchdog has its own oscillator."""
        self.HSE_US = None
        self.values["CR"] &= ~HSERDY
        self.core.stall(60 * UNITS_PER_S)

    def read_CR(self):
        value = self.values["CR"]
        if value & HSEON and not value & HSERDY and self.core.running:
            self.core.stall(HSE_POLL_US * UNITS_PER_US)
        return value

    def ready(self, register, on, flag):
        if self.values[register] & on:
            if flag == PLLRDY and self.values["PLLCFGR"] & PLLSRC and not self.values["CR"] & HSERDY:
                self.core.violation("the PLL has no source")
                return
            self.values[register] |= flag

    def pll_hz(self):
        config = self.values["PLLCFGR"]
        source = self.HSE_HZ if config & PLLSRC else HSI_HZ
        reference = source / field(config, PLLM)
        vco = reference * field(config, PLLN)
        if not 0.95e6 <= reference <= 2.1e6 or not 100e6 <= vco <= 432e6:
            self.core.violation(f"PLL out of range: {reference} Hz into it, {vco} Hz in it")
        return vco / (2 * (field(config, PLLP) + 1)), vco / (field(config, PLLQ) or 1)

    def write_CFGR(self, value):
        self.values["CFGR"] = value & ~SWS | self.values["CFGR"] & SWS
        self.core.after_us(0.2, self.switch)

    def switch(self):
        wanted = field(self.values["CFGR"], SW)
        flag = {0: HSIRDY, 1: HSERDY, 2: PLLRDY}.get(wanted, 0)
        if not self.values["CR"] & flag:
            self.core.violation("a clock was selected that is not ready")
            return
        self.values["CFGR"] = self.values["CFGR"] & ~SWS | wanted << 2
        sysclk = {0: HSI_HZ, 1: self.HSE_HZ, 2: self.pll_hz()[0]}[wanted]
        ahb = field(self.values["CFGR"], HPRE)
        self.hclk = sysclk / ({8: 2, 9: 4, 10: 8, 11: 16, 12: 64, 13: 128, 14: 256, 15: 512}[ahb] if ahb & 8 else 1)
        limits = self.core.chip.limits_hz
        if self.hclk > limits["HCLK"]:
            self.core.violation(f"HCLK at {self.hclk} Hz")
        if self.hclk > limits["no over-drive"] and not self.core.pwr.values["CSR1"] & ODSWRDY:
            self.core.violation("too fast without over-drive")
        latency = field(self.core.flash.values["ACR"], LATENCY)
        if self.hclk > (latency + 1) * 30e6:
            self.core.violation(f"{self.hclk} Hz with {latency} wait states")
        for name, divided in (("APB1", self.apb(1)), ("APB2", self.apb(2))):
            if divided > limits[name]:
                self.core.violation(f"{name} at {divided} Hz")
        self.core.set_cost(max(1, round(UNITS_PER_S / self.hclk)))
        for action in self.listeners:
            action()

    def apb(self, number):
        """The clock of a peripheral bus."""
        divider = field(self.values["CFGR"], PPRE1 if number == 1 else PPRE2)
        return self.hclk / (1 << (divider & 3) + 1 if divider & 4 else 1)

    def timer_clock(self, number):
        divider = field(self.values["CFGR"], PPRE1 if number == 1 else PPRE2)
        return self.apb(number) * (2 if divider & 4 else 1)

    def write_CSR(self, value):
        old = self.values["CSR"]
        self.values["CSR"] = old & (RESET_FLAGS | LSIRDY) | value & LSION
        if value & RMVF:
            self.values["CSR"] &= ~RESET_FLAGS
        if value & LSION and not old & LSION:
            self.core.after_us(40, lambda: self.ready("CSR", LSION, LSIRDY))
        if not value & LSION:
            self.values["CSR"] &= ~LSIRDY

    def note_reset(self, reason):
        """Sets the flags of the reset cause."""
        flags = {"power": BORRSTF | PADRSTF | PORRSTF, "software": PADRSTF | SFTRSTF, "watchdog": PADRSTF | WDGRSTF, "pin": PADRSTF}[reason]
        # Flags stay until the firmware clears them, except over a loss of power.
        self.values["CSR"] = flags if reason == "power" else self.kept_flags | flags

    def write_AHB1RSTR(self, value):
        self.pulse("AHB1RSTR", value)

    def write_AHB2RSTR(self, value):
        self.pulse("AHB2RSTR", value)

    def write_APB1RSTR(self, value):
        self.pulse("APB1RSTR", value)

    def write_APB2RSTR(self, value):
        self.pulse("APB2RSTR", value)

    def pulse(self, register, value):
        self.values[register] = value
        for (name, bit), block in self.resettable.items():
            if name == register and value >> bit & 1:
                block.reset()


class Pwr(Block):
    """Power control: voltage scale and over-drive."""

    PERIPHERAL = "PWR"

    REGISTERS = {0x00: "CR1", 0x04: "CSR1"}
    FIELDS = {"CR1": {"ODEN": ODEN, "ODSWEN": ODSWEN}, "CSR1": {"ODRDY": ODRDY, "ODSWRDY": ODSWRDY}}
    RESET = {"CR1": 0xC000, "CSR1": 0x4000}
    ENABLE = ("APB1ENR", 28)

    def __init__(self, core, start):
        core.pwr = self
        super().__init__(core, start)

    def write_CR1(self, value):
        old = self.values["CR1"]
        self.values["CR1"] = value
        if value & ODEN and not old & ODEN:
            self.core.after_us(40, lambda: self.ready(ODEN, ODRDY))
        if value & ODSWEN and not old & ODSWEN:
            if not self.values["CSR1"] & ODRDY:
                self.core.violation("over-drive was switched on before it was ready")
            self.core.after_us(30, lambda: self.ready(ODSWEN, ODSWRDY))

    def ready(self, on, flag):
        if self.values["CR1"] & on:
            self.values["CSR1"] |= flag
