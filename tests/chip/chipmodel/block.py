"""A block of registers of a peripheral."""


def field(value, mask):
    """The bits of a register in a field."""
    return (value & mask) // (mask & -mask)


class Block:
    """Registers of 32 bits that keep what is written, unless a subclass defines more.

    A subclass has methods `read_NAME(self)` and `write_NAME(self, value)` for the registers with an effect. Registers have the
    names and offsets of the crate stm32-metapac, and so have the fields that the model looks at; `metapac.py` compares them.
    """

    PERIPHERAL = None  # Name in stm32-metapac, such as "RCC".
    REGISTERS = {}     # Offset: name.
    FIELDS = {}        # Name of a register: {name of a field: its bits}.
    RESET = {}         # Name: value after a reset, if not 0.
    ENABLE = None      # (register of the RCC, bit) that switches the clock on.

    def __init__(self, core, start, size=0x400):
        self.core = core
        self.start = start
        core.attach(self, start, size)
        self.readers = {offset: getattr(self, f"read_{name}") for offset, name in self.REGISTERS.items()
                        if hasattr(self, f"read_{name}")}
        self.writers = {offset: getattr(self, f"write_{name}") for offset, name in self.REGISTERS.items()
                        if hasattr(self, f"write_{name}")}
        self.reset()

    def reset(self):
        self.values = {name: self.RESET.get(name, 0) for name in self.REGISTERS.values()}

    def is_clocked(self):
        if self.ENABLE is None:
            return True
        register, bit = self.ENABLE
        return bool(self.core.rcc.values[register] >> bit & 1)

    def interrupts(self):
        """The interrupts of the peripheral: pairs of a name in stm32-metapac and a number."""
        line = getattr(self, "INTERRUPT", None)
        return [] if line is None else [line]

    def wires(self):
        """The alternate function of each pin that the peripheral uses, such as ("PC12", 6)."""
        return []

    def streams(self):
        """The DMA requests of the peripheral: signal, stream and channel number, such as ("TX", "DMA1_CH5", 0)."""
        return []

    def switches(self):
        """The registers and bits of the RCC that enable and that reset the peripheral."""
        found = {}
        if self.ENABLE is not None:
            found["enable"] = self.ENABLE[0], 1 << self.ENABLE[1]
        for (register, bit), block in self.core.rcc.resettable.items():
            if block is self:
                found["reset"] = register, 1 << bit
        return found

    def violation(self, text):
        self.core.violation(f"{self.PERIPHERAL}: {text}")

    def read(self, offset, size):
        if not self.is_clocked():
            self.violation(f"read at {offset:#x} while its clock is off")
            return 0
        word = offset & ~3
        reader = self.readers.get(word)
        if reader is not None:
            value = reader()
        elif word in self.REGISTERS:
            value = self.values[self.REGISTERS[word]]
        else:
            self.violation(f"read of an unknown register at {offset:#x}")
            value = 0
        if size != 4:
            value = value >> 8 * (offset & 3) & (1 << 8 * size) - 1
        return value & 0xFFFF_FFFF

    def write(self, offset, value, size):
        if not self.is_clocked():
            self.violation(f"write at {offset:#x} while its clock is off")
            return
        word = offset & ~3
        writer = self.writers.get(word)
        if writer is not None:
            writer(value)
        elif word in self.REGISTERS:
            self.values[self.REGISTERS[word]] = value
        else:
            self.violation(f"write of {value:#x} to an unknown register at {offset:#x}")
