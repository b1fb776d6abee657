"""Compares the registers of the model with the crate stm32-metapac, from which the firmware's drivers have theirs."""

import re
from pathlib import Path

FUNCTION = re.compile(r"pub const fn (\w+)\(self(?:, n: usize)?\) -> ([^{]+)\{(.*?)\n    \}", re.S)
OFFSET = re.compile(r"self\.ptr\.add\((0x[0-9a-f]+)usize(?: \+ n \* (\d+)usize)?\)")
STRUCT = re.compile(r"\nimpl (\w+) \{\n(.*?)\n\}", re.S)
TYPE = re.compile(r"Reg<(?:regs::)?(\w+)")
REGISTER = re.compile(r"\n    impl (\w+) \{\n(.*?)\n    \}", re.S)
FIELD = re.compile(r"pub const fn (\w+)\(&self(?:, n: usize)?\) -> [^{]+\{(.*?)\n        \}", re.S)
BITS = re.compile(r"self\.0 >> (\w+)\) & (0x[0-9a-f]+)")
STEPS = re.compile(r"offs = (\d+)usize \+ (?:n \* (\d+)usize|\(\[(.*?)\]\[n\])")
CLOCK = re.compile(r'rcc: Some\(PeripheralRcc \{.*?\n        \}\)', re.S)
PIN = re.compile(r'pin: "(\w+)",\s*signal: "\w+",\s*af: Some\((\d+)\)')
REQUEST = re.compile(r'signal: "(\w+)",\s*channel: Some\("(\w+)"\),.*?request: Some\((\d+)\)', re.S)
SWITCH = re.compile(r'(enable|reset): Some\(PeripheralRccRegister \{\s*register: "(\w+)",\s*field: "(\w+)"')


class Metapac:
    """The sources of the crate, for one chip."""

    def __init__(self, folder, chip):
        self.folder = Path(folder)
        source = self.folder.joinpath("src", "chips", chip, "pac.rs").read_text()
        self.modules = dict(re.findall(r'#\[path = "\.\./\.\./peripherals/(\w+)\.rs"\]\s*pub mod (\w+);', source))
        self.modules = {module: file for file, module in self.modules.items()}
        constants = re.findall(r"pub const (\w+): (\w+)::(\w+) = unsafe \{\s*\w+::\w+::from_ptr\((0x[0-9a-f_]+)usize", source)
        self.peripherals = {name: (module, kind, int(address.replace("_", ""), 16)) for name, module, kind, address in constants}
        # The metadata of the chip say which bits of the RCC are those of a peripheral.
        metadata = self.folder.joinpath("src", "chips", chip, "metadata.rs").read_text()
        included = re.search(r'include!\("\.\./(\w+\.rs)"\)', metadata)
        self.metadata = self.folder.joinpath("src", "chips", included.group(1)).read_text()
        self.interrupts = {name: int(number) for name, number in re.findall(r"^    (\w+) = (\d+),", source, re.M)}

    def registers(self, module, kind, base=0):
        """The registers of a block and of the blocks in it: offset, name, whether it is one of an array, and the type of its fields."""
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
                    found.setdefault(offset + number * int(step or 0), (name, bool(step), TYPE.search(result).group(1)))
            else:
                for number in range(count):
                    inner = self.registers(module, result.strip(), offset + number * int(step or 0))
                    found.update({at: (register, array or bool(step), kind) for at, (register, array, kind) in inner.items()})
        return found

    def fields(self, module, kind):
        """The fields of a register: name and bits. Those of an array have numbers."""
        source = self.folder.joinpath("src", "peripherals", f"{self.modules[module]}.rs").read_text()
        body = next((body for name, body in REGISTER.findall(source) if name == kind), "")
        found = {}
        for name, code in FIELD.findall(body):
            bits = BITS.search(code)
            if not bits:
                continue
            shift, mask = bits.group(1), int(bits.group(2), 16)
            if shift != "offs":
                found[name] = mask << int(shift.removesuffix("usize"))
                continue
            first, step, places = STEPS.search(code).groups()
            count = int(re.search(r"assert!\(n < (\d+)usize\)", code).group(1))
            places = [int(place.strip().removesuffix("usize")) for place in places.split(",")] if places else [int(step) * number for number in range(count)]
            found.update({f"{name}{number}": mask << int(first) + place for number, place in enumerate(places[:count])})
        return found

    def about(self, peripheral):
        """What the metadata say about a peripheral."""
        place = self.metadata.find(f'name: "{peripheral}",\n        address:')
        return self.metadata[place:self.metadata.find("\n    },", place)]

    def switches(self, peripheral):
        """The registers and bits of the RCC that enable and that reset a peripheral."""
        clock = CLOCK.search(self.about(peripheral))
        module, kind, _ = self.peripherals["RCC"]
        types = {name: kind for name, _, kind in self.registers(module, kind).values()}
        return {use: (register, self.fields(module, types[register.lower()])[name.lower()])
                for use, register, name in (SWITCH.findall(clock.group(0)) if clock else [])}

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
            theirs, is_array, fields = registers.get(offset, ("no register", False, None))
            ours = name.lower()
            # A register with several widths has one name for each in stm32-metapac, such as dr8 and dr16.
            theirs = re.sub(r"^dr\d+$", "dr", theirs)
            # Registers of an array have a number or a letter in the manual, and an argument in stm32-metapac.
            if ours != theirs and not (is_array and (ours.startswith(theirs) or ours.endswith(theirs))):
                problems.append(f"{block.PERIPHERAL} has {theirs} at {offset:#x}, not {name}")
            if name in block.FIELDS:
                theirs = self.fields(module, fields)
                for field, bits in block.FIELDS[name].items():
                    if theirs.get(field.lower()) != bits:
                        problems.append(f"{block.PERIPHERAL}_{name}.{field} is {theirs.get(field.lower(), 0):#x}, not {bits:#x}")
        problems += [f"{block.PERIPHERAL} has no register {name}" for name in block.FIELDS if name not in block.REGISTERS.values()]
        switches = self.switches(block.PERIPHERAL)
        for use, ours in block.switches().items():
            if switches.get(use) != ours:
                problems.append(f"the RCC has {switches.get(use)} to {use} {block.PERIPHERAL}, not {ours}")
        about = self.about(block.PERIPHERAL)
        pins = {(pin, int(number)) for pin, number in PIN.findall(about)}
        problems += [f"{pin} is no pin of {block.PERIPHERAL} with alternate function {number}"
                     for pin, number in block.wires() if (pin, number) not in pins]
        requests = {(signal, stream, int(number)) for signal, stream, number in REQUEST.findall(about)}
        problems += [f"{block.PERIPHERAL} has no DMA request {wanted}" for wanted in block.streams() if wanted not in requests]
        for interrupt, line in block.interrupts():
            if self.interrupts.get(interrupt) != line:
                problems.append(f"the interrupt {interrupt} is {self.interrupts.get(interrupt)}, not {line}")
        return problems

