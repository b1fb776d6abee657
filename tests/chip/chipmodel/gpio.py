"""A GPIO port."""

from .block import Block


class Gpio(Block):
    """One port."""

    REGISTERS = {0x00: "MODER", 0x04: "OTYPER", 0x08: "OSPEEDR", 0x0C: "PUPDR", 0x10: "IDR", 0x14: "ODR", 0x18: "BSRR",
                 0x1C: "LCKR", 0x20: "AFRL", 0x24: "AFRH"}

    def __init__(self, core, letter):
        self.letter = letter
        self.PERIPHERAL = f"GPIO{letter}"
        number = ord(letter) - ord("A")
        self.ENABLE = ("AHB1ENR", number)
        self.RESET = {"A": {"MODER": 0xA800_0000, "OSPEEDR": 0x0C00_0000, "PUPDR": 0x6400_0000},
                      "B": {"MODER": 0x0000_0280, "OSPEEDR": 0xC0, "PUPDR": 0x100}}.get(letter, {})
        self.changed = None  # Called after every change of an output.
        self.outside = None  # Asked for the levels of all pins, if other parts drive some of them.
        self.pressed = 0     # Pins that a button connects to 3.3 V.
        super().__init__(core, 0x4002_0000 + 0x400 * number)

    def reset(self):
        super().reset()
        if getattr(self, "changed", None):
            self.changed()

    def mode(self, pin):
        return self.values["MODER"] >> 2 * pin & 3

    def pull(self, pin):
        return self.values["PUPDR"] >> 2 * pin & 3

    def alternate(self, pin):
        if self.mode(pin) != 2:
            return None
        return self.values["AFRL" if pin < 8 else "AFRH"] >> 4 * (pin % 8) & 0xF

    def drives_low(self, pin):
        return self.mode(pin) == 1 and not self.values["ODR"] >> pin & 1

    def drives_high(self, pin):
        return self.mode(pin) == 1 and self.values["ODR"] >> pin & 1 and not self.values["OTYPER"] >> pin & 1

    def write_BSRR(self, value):
        old = self.values["ODR"]
        self.values["ODR"] = new = (old & ~(value >> 16)) | value & 0xFFFF
        if new != old and self.changed:
            self.changed()

    def write_ODR(self, value):
        self.values["ODR"] = value & 0xFFFF
        if self.changed:
            self.changed()

    def write_MODER(self, value):
        self.values["MODER"] = value
        if self.changed:
            self.changed()

    def write_OTYPER(self, value):
        self.values["OTYPER"] = value & 0xFFFF
        if self.changed:
            self.changed()

    def write_PUPDR(self, value):
        self.values["PUPDR"] = value
        if self.changed:
            self.changed()

    def write_IDR(self, value):
        self.violation("IDR is read only")

    def read_BSRR(self):
        return 0

    def read_IDR(self):
        if self.outside:
            return self.outside()
        levels = 0
        for pin in range(16):
            if self.pressed >> pin & 1 or self.drives_high(pin) or (not self.drives_low(pin) and self.pull(pin) == 1):
                levels |= 1 << pin
        return levels


