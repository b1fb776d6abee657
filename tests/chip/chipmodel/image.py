"""A firmware image: the segments that a probe flashes, its symbols and its code, read from the ELF file."""

import functools
import re
import struct
import subprocess

PT_LOAD, SHT_SYMTAB = 1, 2


class Image:
    """A 32-bit little-endian ELF file."""

    def __init__(self, path):
        self.path = str(path)
        with open(path, "rb") as file:
            data = file.read()
        if data[:6] != b"\x7fELF\x01\x01":
            raise ValueError(f"{path} is no 32-bit little-endian ELF file")
        program_at, section_at = struct.unpack_from("<II", data, 28)
        program_len, programs, section_len, sections, names = struct.unpack_from("<5H", data, 42)
        self.segments = []
        for number in range(programs):
            kind, offset, _, physical, size = struct.unpack_from("<5I", data, program_at + number * program_len)
            if kind == PT_LOAD and size:
                self.segments.append((physical, data[offset:offset + size]))
        headers = [struct.unpack_from("<10I", data, section_at + number * section_len) for number in range(sections)]
        strings = headers[names][4]
        self.symbols, marks = {}, []
        for name, kind, _, address, offset, size, link, *_ in headers:
            if text_at(data, strings + name) == ".text":
                self.text_start, self.text = address, data[offset:offset + size]
            if kind == SHT_SYMTAB:
                for place in range(offset, offset + size, 16):
                    symbol, value = struct.unpack_from("<II", data, place)
                    text = text_at(data, headers[link][4] + symbol)
                    if text[:2] in ("$t", "$d"):
                        marks.append((value, text))
                    elif text:
                        self.symbols[text] = value
        marks.sort()
        ends = [start for start, _ in marks[1:]] + [marks[-1][0]]
        self.code = [(start, end) for (start, kind), end in zip(marks, ends) if kind.startswith("$t")]

    def instructions(self, opcode):
        """The addresses of a 16-bit instruction in the code."""
        found = set()
        for start, end in self.code:
            address = start
            while address < end and 0 <= address - self.text_start <= len(self.text) - 2:
                offset = address - self.text_start
                half = int.from_bytes(self.text[offset:offset + 2], "little")
                if half == opcode:
                    found.add(address)
                address += 4 if half >> 11 in (0b11101, 0b11110, 0b11111) else 2
        return sorted(found)

    @functools.lru_cache(maxsize=None)
    def place(self, address):
        """The function and source line of an address, if llvm-symbolizer is installed."""
        tool = ["llvm-symbolizer", "-e", self.path, "--functions=linkage", "--demangle", hex(address)]
        try:
            lines = subprocess.run(tool, capture_output=True, text=True, check=True).stdout.strip().splitlines()
        except (OSError, subprocess.CalledProcessError):
            return hex(address)
        name = re.sub(r"::h[0-9a-f]{16}$", "", lines[0]) if lines else "?"
        line = re.sub(r"^.*/(?:registry/src/[^/]+|library)/", "", lines[1]) if len(lines) > 1 else "?"
        return f"{name} ({line})"


def text_at(data, offset):
    return data[offset:data.index(b"\0", offset)].decode()
