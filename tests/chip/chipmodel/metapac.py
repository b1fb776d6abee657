"""Compares the registers of the model with the crate stm32-metapac, from which the firmware's drivers have theirs."""

import re
from pathlib import Path

FUNCTION = re.compile(r"pub const fn (\w+)\(self(?:, n: usize)?\) -> ([^{]+)\{(.*?)\n    \}", re.S)
OFFSET = re.compile(r"self\.ptr\.add\((0x[0-9a-f]+)usize(?: \+ n \* (\d+)usize)?\)")
STRUCT = re.compile(r"\nimpl (\w+) \{\n(.*?)\n\}", re.S)


class Metapac:
    """The sources of the crate, for one chip."""

    def __init__(self, folder, chip):
        self.folder = Path(folder)
        source = self.folder.joinpath("src", "chips", chip, "pac.rs").read_text()
        self.modules = dict(re.findall(r'#\[path = "\.\./\.\./peripherals/(\w+)\.rs"\]\s*pub mod (\w+);', source))
        self.modules = {module: file for file, module in self.modules.items()}
        constants = re.findall(r"pub const (\w+): (\w+)::(\w+) = unsafe \{\s*\w+::\w+::from_ptr\((0x[0-9a-f_]+)usize", source)
        self.peripherals = {name: (module, kind, int(address.replace("_", ""), 16)) for name, module, kind, address in constants}
        self.interrupts = {name: int(number) for name, number in re.findall(r"^    (\w+) = (\d+),", source, re.M)}

    def registers(self, module, kind, base=0):
        """The registers of a block and of the blocks in it: offset, name, and whether it is one of an array."""
        source = self.folder.joinpath("src", "peripherals", f"{self.modules[module]}.rs").read_text()
        body = dict(STRUCT.findall(source))[kind]
        found = {}
        for name, result, code in FUNCTION.findall(body):
            place = OFFSET.search(code)
            if not place:
                continue
            offset, step = base + int(place.group(1), 16), place.group(2)
            bound = re.search(r"assert!\(n < (\d+)usize\)", code)
            count = int(bound.group(1)) if step and bound else 1
            if "Reg<" in result:
                for number in range(count):
                    found.setdefault(offset + number * int(step or 0), (name, bool(step)))
            else:
                for number in range(count):
                    inner = self.registers(module, result.strip(), offset + number * int(step or 0))
                    found.update({at: (register, array or bool(step)) for at, (register, array) in inner.items()})
        return found

    def compare(self, block):
        """What is different in a block of the model."""
        if block.PERIPHERAL not in self.peripherals:
            return [f"stm32-metapac has no {block.PERIPHERAL}"]
        module, kind, address = self.peripherals[block.PERIPHERAL]
        problems = []
        if address != block.start:
            problems.append(f"{block.PERIPHERAL} is at {address:#x}, not at {block.start:#x}")
        registers = self.registers(module, kind)
        for offset, name in block.REGISTERS.items():
            theirs, is_array = registers.get(offset, ("no register", False))
            ours = name.lower()
            # A register with several widths has one name for each in stm32-metapac, such as dr8 and dr16.
            theirs = re.sub(r"^dr\d+$", "dr", theirs)
            # Registers of an array have a number or a letter in the manual, and an argument in stm32-metapac.
            if ours != theirs and not (is_array and (ours.startswith(theirs) or ours.endswith(theirs))):
                problems.append(f"{block.PERIPHERAL} has {theirs} at {offset:#x}, not {name}")
        for interrupt, line in block.interrupts():
            if self.interrupts.get(interrupt) != line:
                problems.append(f"the interrupt {interrupt} is {self.interrupts.get(interrupt)}, not {line}")
        return problems

