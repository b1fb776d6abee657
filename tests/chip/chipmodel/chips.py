"""The two chips: memories, clocks, flash sectors, and the versions of the peripherals."""

from dataclasses import dataclass, field

from unicorn import arm_const as arm

KB = 1024


@dataclass(frozen=True)
class Chip:
    board: str                # Name in firmware/Cargo.toml.
    metapac: str              # Folder of the chip in the crate stm32-metapac.
    cpu_model: int
    full_hz: int              # Clock of the processor after start-up.
    limits_hz: dict           # Highest clocks: HCLK, APB1, APB2; HCLK without over-drive.
    ram: tuple                # (start, end) of each RAM.
    stack_ram: tuple          # RAM that only the processor may use here.
    dma_ram: tuple            # RAM that DMA reaches.
    unique_id: int            # Address of the 96-bit identifier; the flash size follows.
    flash_size_at: int
    sectors: tuple            # Sizes in bytes, in order.
    sector_numbers: tuple     # FLASH_CR.SNB of each sector.
    journal_sectors: tuple    # Indices of the two banks of the journal.
    erase_stalls: bool        # Whether the processor stands still while the journal is erased.
    erase_s: dict             # Seconds to erase a sector of the journal, by PSIZE.
    mdio_clock: int           # MACMIIAR.CR for this HCLK.
    has_fifo: bool            # SPI with a FIFO (v3), or without.
    usart_v3: bool            # USART with ISR/ICR, or with SR/DR.
    optcr: int                # Option control register after reset.
    extra: dict = field(default_factory=dict)

    @property
    def journal_start(self):
        """Offset of the first bank of the journal in the flash."""
        return sum(self.sectors[:self.journal_sectors[0]])

    @property
    def bank_len(self):
        return self.sectors[self.journal_sectors[0]]

    @property
    def flash_len(self):
        return sum(self.sectors)


F767 = Chip(
    board="nucleo", metapac="stm32f767zi", cpu_model=arm.UC_CPU_ARM_CORTEX_M7, full_hz=208_000_000,
    limits_hz={"HCLK": 216e6, "APB1": 54e6, "APB2": 108e6, "no over-drive": 180e6},
    ram=((0x2000_0000, 0x2008_0000),), stack_ram=(0x2000_0000, 0x2002_0000), dma_ram=(0x2002_0000, 0x2008_0000),
    unique_id=0x1FF0_F420, flash_size_at=0x1FF0_F442,
    sectors=(32 * KB,) * 4 + (128 * KB,) + (256 * KB,) * 7, sector_numbers=tuple(range(12)), journal_sectors=(10, 11),
    erase_stalls=True, erase_s={0: 4.0, 1: 2.6, 2: 2.0}, mdio_clock=4, has_fifo=True, usart_v3=True, optcr=0xFFFF_AAFD,
)

F429 = Chip(
    board="nucleo-f429", metapac="stm32f429zi", cpu_model=arm.UC_CPU_ARM_CORTEX_M4, full_hz=104_000_000,
    limits_hz={"HCLK": 180e6, "APB1": 45e6, "APB2": 90e6, "no over-drive": 168e6},
    ram=((0x1000_0000, 0x1001_0000), (0x2000_0000, 0x2003_0000)),
    stack_ram=(0x1000_0000, 0x1001_0000), dma_ram=(0x2000_0000, 0x2003_0000),
    unique_id=0x1FFF_7A10, flash_size_at=0x1FFF_7A22,
    sectors=((16 * KB,) * 4 + (64 * KB,) + (128 * KB,) * 7) * 2, sector_numbers=tuple(range(12)) + tuple(range(16, 28)),
    journal_sectors=(22, 23), erase_stalls=False, erase_s={0: 4.0, 1: 2.6, 2: 2.0}, mdio_clock=1, has_fifo=False,
    usart_v3=False, optcr=0x0FFF_AAED,
)

CHIPS = {chip.board: chip for chip in (F767, F429)}
