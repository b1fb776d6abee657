"""The processor: a Cortex-M of Unicorn, with virtual time, exceptions, sleep, and a bus of register blocks.

Unicorn executes instructions only. It has no NVIC, takes no exceptions, and does not sleep, so this module does: an exception is
entered by writing the stack frame, and left when Unicorn reports a branch to EXC_RETURN.

Time is counted in units of 1/208 µs: one cycle at 208 MHz, 2 at 104 MHz, 13 at the 16 MHz after a reset. One instruction takes one
cycle. While the processor sleeps, time jumps to the next event.
"""

import ctypes
import heapq
import random
import struct

from unicorn import (UC_ARCH_ARM, UC_HOOK_CODE, UC_HOOK_INTR, UC_MODE_MCLASS, UC_MODE_THUMB, UC_PROT_ALL, UC_PROT_EXEC,
                     UC_PROT_READ, Uc, UcError)
from unicorn import arm_const as arm
from unicorn.unicorn_py3.unicorn import uclib

UNITS_PER_US = 208
UNITS_PER_S = UNITS_PER_US * 1_000_000

FLASH = 0x0800_0000
FOREVER = 1 << 62

# The chip's own start after a reset.
RESET_US = 2000

# The processor may be busy for this long without sleeping. The longest bounded wait of the firmware is that for the external
# clock, 5 s.
BUSY_LIMIT_US = 6_000_000

EXCEPTION_EXIT = 8  # QEMU's number for a branch to EXC_RETURN.

READ = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint, ctypes.c_void_p)
WRITE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint, ctypes.c_uint64, ctypes.c_void_p)

FRAME = [arm.UC_ARM_REG_R0, arm.UC_ARM_REG_R1, arm.UC_ARM_REG_R2, arm.UC_ARM_REG_R3, arm.UC_ARM_REG_R12, arm.UC_ARM_REG_LR,
         arm.UC_ARM_REG_PC, arm.UC_ARM_REG_XPSR]
SINGLES = [getattr(arm, f"UC_ARM_REG_S{n}") for n in range(16)]
WFE, WFI, SEV = 0xBF20, 0xBF30, 0xBF40


class ModelError(Exception):
    """The firmware did something that the model cannot execute, or that the chip would not survive."""


class Core:
    """The processor, its memories and its bus."""

    def __init__(self, image, chip, seed=1):
        self.random = random.Random(seed)
        self.image, self.chip = image, chip
        self.uc = uc = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
        uc.ctl_set_cpu_model(chip.cpu_model)
        self.counter, self.limit = counters(uc)
        self.handle = uc._uch
        self.program_len = chip.journal_start
        uc.mem_map(FLASH, self.program_len, UC_PROT_READ | UC_PROT_EXEC)
        for start, end in chip.ram:
            uc.mem_map(start, end - start, UC_PROT_ALL)
        uc.mem_map(chip.unique_id & ~0xFFF, 0x1000, UC_PROT_READ)
        self.callbacks = []
        self._cell = ctypes.c_uint32()
        self._cell_at = ctypes.byref(self._cell)
        self.base = 0
        self.mark = 0
        self.cost = 13  # Units for one instruction.
        self.running = False
        self.slice_end = 0
        self.heap = []
        self.order = 0
        self.blocks = {}
        self.violations = {}
        self.faults = []
        self.executed = 0
        self.slept = 0
        self.last_sleep = 0
        self.peek = 12
        self.taken = {}
        self.nvic = None
        self.on_reset = []
        self.resets = []
        for start, size in ((0x4000_0000, 0x8_0000), (0x5000_0000, 0x6_2000), (0xE000_0000, 0x10_0000)):
            self.map_registers(start, size, self._read, self._write)
        uc.hook_add(UC_HOOK_INTR, self._interrupt)
        for opcode, action in ((WFE, self._wfe), (WFI, self._wfe), (SEV, self._sev)):
            for address in image.instructions(opcode):
                uc.hook_add(UC_HOOK_CODE, action, None, address, address)
        uc.mem_write(FLASH, b"\xff" * self.program_len)
        for address, data in image.segments:
            uc.mem_write(address, data)

    # Time and events.

    @property
    def now(self):
        """The current time in units, exact to the instruction."""
        return self.base + (self.counter.value - self.mark) * self.cost if self.running else self.base

    @property
    def us(self):
        return self.now / UNITS_PER_US

    def set_cost(self, cost):
        """Changes the units that an instruction takes."""
        if self.nvic is not None:
            self.nvic.sync_cycles()
        self.base = self.now
        self.mark = self.counter.value if self.running else 0
        self.cost = cost

    def stall(self, units):
        """Stops the processor, as a busy flash does. Peripherals go on, and interrupts stay pending."""
        self.stalled_until = self.now + units
        self.break_slice()

    def break_slice(self):
        """Handles events and interrupts before the next instruction."""
        if self.running:
            self.limit.value = self.counter.value

    def at(self, when, action):
        """Schedules an action. The result can be given to `cancel`."""
        self.order += 1
        event = [when, self.order, action]
        heapq.heappush(self.heap, event)
        if self.running and when < self.slice_end:
            self.slice_end = when
            self.limit.value = min(self.limit.value, self.counter.value + max(0, (when - self.now) // self.cost))
        return event

    def after_us(self, us, action):
        return self.at(self.now + int(us * UNITS_PER_US), action)

    @staticmethod
    def cancel(event):
        if event is not None:
            event[2] = None

    # The bus.

    def attach(self, block, start, size=0x400):
        for page in range(start >> 10, (start + size + 0x3FF) >> 10):
            self.blocks[page] = (block, start)

    def map_registers(self, start, size, load, store):
        """Has accesses to these addresses answered by `load(address, size)` and `store(address, size, value)`.

        It calls Unicorn's library directly: the layers of its Python module take longer than the rest.
        """
        def on_load(_uc, offset, width, _):
            try:
                return load(start + offset, width)
            except Exception as problem:  # noqa: BLE001
                return self.give_up(problem)

        def on_store(_uc, offset, width, value, _):
            try:
                store(start + offset, width, value)
            except Exception as problem:  # noqa: BLE001
                self.give_up(problem)

        pair = READ(on_load), WRITE(on_store)
        self.callbacks.append(pair)
        status = uclib.uc_mmio_map(self.handle, ctypes.c_uint64(start), ctypes.c_size_t(size), pair[0], None, pair[1], None)
        if status:
            raise ModelError(f"Unicorn cannot map {start:#x}: error {status}")

    def register(self, number):
        uclib.uc_reg_read(self.handle, number, self._cell_at)
        return self._cell.value

    def set_register(self, number, value):
        self._cell.value = value
        uclib.uc_reg_write(self.handle, number, self._cell_at)

    def _read(self, address, size):
        entry = self.blocks.get(address >> 10)
        if entry is None:
            self.violation(f"read of {address:#x}, where the model has no peripheral")
            return 0
        block, base = entry
        return block.read(address - base, size)

    def _write(self, address, size, value):
        entry = self.blocks.get(address >> 10)
        if entry is None:
            self.violation(f"write of {value:#x} to {address:#x}, where the model has no peripheral")
            return
        block, base = entry
        block.write(address - base, value, size)

    def violation(self, text):
        """Records a violation of the chip's rules, once for each place in the code. It fails the run."""
        try:
            pc = self.uc.reg_read(arm.UC_ARM_REG_PC)
        except UcError:
            pc = 0
        self.violations[pc, text] = self.violations.get((pc, text), 0) + 1

    def check_dma(self, address, size, user, writes=False):
        """Whether DMA reaches this memory. DMA may also read the flash."""
        start, end = self.chip.dma_ram
        if start <= address and address + size <= end:
            return True
        if not writes and FLASH <= address and address + size <= FLASH + self.chip.flash_len:
            return True
        self.violation(f"{user} uses {address:#x} to {address + size:#x}, which DMA does not reach")
        return False

    def load(self, address, size):
        return bytes(self.uc.mem_read(address, size))

    def store(self, address, data):
        self.uc.mem_write(address, bytes(data))

    def word(self, address):
        return struct.unpack("<I", self.uc.mem_read(address, 4))[0]

    def set_word(self, address, value):
        self.uc.mem_write(address, struct.pack("<I", value & 0xFFFF_FFFF))

    # Resets.

    def power_up(self):
        """A cold start: RAM has random content."""
        for start, end in self.chip.ram:
            self.store(start, self.random.randbytes(end - start))
        self.reset("power")

    def reset(self, reason):
        """Starts at the reset vector. RAM keeps its content."""
        self.resets.append((self.now, reason))
        self.heap.clear()
        self.sleeping = False
        self.event = False
        self.stalled_until = 0
        self.active = []
        self.pending_reset = None
        self.fault = None
        self.set_cost(13)
        for block in {id(block): block for block, _ in self.blocks.values()}.values():
            block.reset()
        for action in self.on_reset:
            action(reason)
        uc = self.uc
        for register in range(arm.UC_ARM_REG_R0, arm.UC_ARM_REG_R12 + 1):
            uc.reg_write(register, 0xDEAD_0000)
        for register in (arm.UC_ARM_REG_CONTROL, arm.UC_ARM_REG_PRIMASK, arm.UC_ARM_REG_BASEPRI, arm.UC_ARM_REG_FAULTMASK):
            uc.reg_write(register, 0)
        uc.reg_write(arm.UC_ARM_REG_XPSR, 0x0100_0000)
        uc.reg_write(arm.UC_ARM_REG_SP, self.word(FLASH))
        uc.reg_write(arm.UC_ARM_REG_LR, 0xFFFF_FFFF)
        self.pc = self.word(FLASH + 4)
        self.base += RESET_US * UNITS_PER_US
        self.last_sleep = self.base

    # Running.

    def run(self, units=None, until=None):
        """Runs for this time, or until a condition is true; returns whether it became true."""
        end = self.now + units if units is not None else FOREVER
        while True:
            heap = self.heap
            while heap and heap[0][0] <= self.base:
                action = heapq.heappop(heap)[2]
                if action is not None:
                    action()
            if self.pending_reset:
                self.reset(self.pending_reset)
            if until is not None and until():
                return True
            if self.base >= end:
                return False
            if self.stalled_until > self.base:
                self.base = min(self.stalled_until, end, heap[0][0] if heap else FOREVER)
                continue
            number, waits = self.nvic.next_exception()
            if number is not None:
                self._enter(number)
            horizon = min(end, heap[0][0]) if heap else end
            if self.sleeping:
                if horizon == FOREVER:
                    raise ModelError("the processor sleeps, and no event will wake it")
                self.slept += max(0, horizon - self.base)
                self.base = max(self.base, horizon)
                self.last_sleep = self.base
                continue
            if self.base - self.last_sleep > BUSY_LIMIT_US * UNITS_PER_US:
                self.violation(f"unbounded wait: busy for {BUSY_LIMIT_US / 1e6:.0f} s at {self.image.place(self.pc)}")
                self.last_sleep = self.base
            self._slice(horizon, waits)

    def _slice(self, horizon, waits):
        count = max(1, (horizon - self.base) // self.cost)
        # If an interrupt is pending behind a mask, look again soon, and less often the longer it is masked.
        self.peek = min(2 * self.peek, 2048) if waits else 12
        if waits:
            count = min(count, self.peek)
        self.slice_end = horizon
        self.stopped_by = None
        self.mark = 0
        self.counter.value = 0
        self.running = True
        error = None
        try:
            self.uc.emu_start(self.pc | 1, 0xFFFF_FFFE, count=min(count, 50_000_000))
        except UcError as problem:
            error = problem
        executed = max(0, self.counter.value - (self.stopped_by != "exit"))
        self.base += (executed - self.mark) * self.cost
        self.executed += executed
        self.running = False
        self.pc = self.register(arm.UC_ARM_REG_PC)
        if self.fault is not None:
            raise self.fault
        if error is not None:
            self._bus_fault(error)
        elif self.stopped_by == "exit":
            self._leave(self.pc | 1)
        elif self.stopped_by == "wfe":
            self.pc += 2
            if self.event:
                self.event = False
                self.last_sleep = self.base
            else:
                self.sleeping = True

    def give_up(self, problem):
        """Keeps an exception of a callback until the end of the slice: Unicorn would lose it."""
        self.fault = problem
        self.uc.emu_stop()
        return 0

    def _interrupt(self, uc, number, _):
        self.stopped_by = "exit" if number == EXCEPTION_EXIT else f"interrupt {number}"
        if number != EXCEPTION_EXIT:
            self.fault = ModelError(f"exception {number} of QEMU at {uc.reg_read(arm.UC_ARM_REG_PC):#x}")
        uc.emu_stop()

    def _wfe(self, uc, _address, _size, _):
        self.stopped_by = "wfe"
        uc.emu_stop()

    def _sev(self, _uc, _address, _size, _):
        self.event = True

    # Exceptions.

    def _bus_fault(self, error):
        """A bus fault escalates to a hard fault, because the firmware does not enable it."""
        if 3 in self.active:
            raise ModelError(f"lockup: {error} at {self.pc:#x} in the hard fault handler")
        self.faults.append((self.us, self.pc, str(error)))
        self._enter(3)

    def _enter(self, number):
        uc = self.uc
        frame = [self.register(register) for register in FRAME[:6]]
        frame += [self.pc & ~1, self.register(arm.UC_ARM_REG_XPSR)]
        control = self.register(arm.UC_ARM_REG_CONTROL)
        if control & 2:
            raise ModelError("the process stack is not modelled")
        stack = self.register(arm.UC_ARM_REG_SP)
        floats = control & 4
        padding = stack >> 2 & 1
        stack = (stack - (0x68 if floats else 0x20)) & ~7
        if stack < self.chip.stack_ram[0]:
            # The frame does not fit: the handler starts with a stack pointer outside of RAM.
            self.faults.append((self.us, self.pc, "no room for the exception frame"))
        else:
            xpsr = frame[7] & ~0x200 | padding << 9
            uc.mem_write(stack, struct.pack("<8I", *frame[:7], xpsr))
            if floats:
                lanes = [self.register(register) & 0xFFFF_FFFF for register in SINGLES]
                uc.mem_write(stack + 0x20, struct.pack("<18I", *lanes, self.register(arm.UC_ARM_REG_FPSCR), 0))
                self.set_register(arm.UC_ARM_REG_CONTROL, control & ~4)
        code = 0xFFFF_FFF1 if self.active else 0xFFFF_FFF9
        self.set_register(arm.UC_ARM_REG_SP, stack)
        self.set_register(arm.UC_ARM_REG_LR, code & ~0x10 if floats else code)
        self.set_register(arm.UC_ARM_REG_XPSR, frame[7] & 0xF80F_0000 | 0x0100_0000 | number)
        self.pc = self.word(FLASH + 4 * number) & ~1
        self.active.append(number)
        self.nvic.entered(number)
        self.taken[number] = self.taken.get(number, 0) + 1
        self.event = True
        self.sleeping = False
        self.base += 12 * self.cost

    def _leave(self, code):
        uc = self.uc
        number = self.active.pop()
        stack = self.register(arm.UC_ARM_REG_SP)
        frame = struct.unpack("<8I", uc.mem_read(stack, 32))
        if code & 0x10 == 0:
            lanes = struct.unpack("<18I", uc.mem_read(stack + 0x20, 72))
            for register, value in zip(SINGLES, lanes):
                self.set_register(register, value)
            self.set_register(arm.UC_ARM_REG_FPSCR, lanes[16])
            self.set_register(arm.UC_ARM_REG_CONTROL, self.register(arm.UC_ARM_REG_CONTROL) | 4)
            stack += 0x48
        stack += 0x20
        for register, value in zip(FRAME[:6], frame):
            self.set_register(register, value)
        self.set_register(arm.UC_ARM_REG_SP, stack + 4 if frame[7] & 0x200 else stack)
        self.set_register(arm.UC_ARM_REG_XPSR, frame[7] & ~0x200)
        self.pc = frame[6]
        if (frame[7] & 0x1FF != 0) != bool(self.active):
            raise ModelError(f"return of exception {number} to the wrong mode")
        self.nvic.left(number)
        self.event = True
        self.base += 10 * self.cost


def counters(uc):
    """Where Unicorn counts the instructions of a run, and where it keeps their limit.

    Its interface does not report it, so this finds the fields by running programs of different lengths.
    """
    nops = 0x3000_0000
    uc.mem_map(nops, 0x4000)
    uc.mem_write(nops, b"\x00\xbf" * 0x2000)
    structure = uc._uch.value
    seen = {}
    for count in (777, 1234, 431):
        uc.emu_start(nops | 1, 0xFFFF_FFFE, count=count)
        seen[count] = ctypes.string_at(structure, 4096)
    uc.mem_unmap(nops, 0x4000)

    def find(more):
        for offset in range(0, 4096, 8):
            if all(int.from_bytes(image[offset:offset + 8], "little") == count + more for count, image in seen.items()):
                return ctypes.c_uint64.from_address(structure + offset)
        raise ModelError("this version of Unicorn keeps its instruction count elsewhere")

    return find(1), find(0)
