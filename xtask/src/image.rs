//! Parses the ELF file of a firmware image, and checks that the processor can start it.

use std::ops::Range;

use anyhow::{Context, Result, ensure};
use clap::Args;
use object::elf::{SHF_ALLOC, SHT_NOBITS};
use object::read::elf::{ElfFile32, FileHeader, SectionHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

use crate::firmware::{Board, board};

#[derive(Args)]
pub(crate) struct Options {
    /// The board, from the table in firmware/Cargo.toml. The default is the first of it.
    #[arg(long)]
    board: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let board = board(options.board.as_deref())?;
    let (path, image) = board.build()?;
    println!("{}: {} bytes of flash, {} bytes of RAM", path.display(), image.flash, image.ram);
    Ok(())
}

/// RAM and device registers are from this address on; flash is below it on every Cortex-M.
const RAM_START: u64 = 0x2000_0000;

/// The addresses and sizes that are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    /// The entry address of the ELF file, for a loader.
    entry: u64,
    /// The address of the reset handler.
    reset: Option<u64>,
    /// The address of the vector table, and its reset vector, where the processor starts.
    vectors: Option<(u64, u64)>,
    /// Bytes of flash: code, constants, and the initial values of statics.
    pub(crate) flash: u64,
    /// Bytes of RAM: statics.
    pub(crate) ram: u64,
    /// The addresses of the statics, by section. DMA buffers are among them.
    statics: Vec<Range<u64>>,
}

impl Image {
    pub(crate) fn parse(elf: &[u8]) -> Result<Self> {
        let file = ElfFile32::<Endianness>::parse(elf)?;
        let mut image = Self {
            entry: file.elf_header().e_entry(file.endian()).into(),
            reset: file.symbols().find(|symbol| symbol.name() == Ok("Reset")).map(|symbol| symbol.address()),
            vectors: None,
            flash: 0,
            ram: 0,
            statics: Vec::new(),
        };
        for section in file.sections() {
            let header = section.elf_section_header();
            if !header.sh_flags(file.endian()).contains(SHF_ALLOC) {
                continue;
            }
            // Initialised statics count twice: their values are in flash, and are copied to RAM at every reset.
            if section.address() >= RAM_START {
                image.ram += section.size();
                image.statics.push(section.address()..section.address() + section.size());
            }
            if header.sh_type(file.endian()) != SHT_NOBITS {
                image.flash += section.size();
            }
            if section.name() == Ok(".vector_table") {
                let reset = section.data()?.get(4..8).context("the vector table is too short")?;
                let reset = u32::from_le_bytes(reset.try_into()?);
                image.vectors = Some((section.address(), reset.into()));
            }
        }
        Ok(image)
    }

    /// Checks that `board` can start this image, and that the image keeps to its budget.
    ///
    /// An image that was linked without the linker script links without an error, and does not start.
    pub(crate) fn check(&self, board: &Board) -> Result<()> {
        let Self { entry, flash, ram, .. } = *self;
        let (vectors, first) = self.vectors.context("it has no vector table")?;
        ensure!(
            vectors == board.memory.flash.addresses().start,
            "its vector table is at {vectors:#010x}, not where flash starts"
        );
        ensure!(board.memory.flash.addresses().contains(&entry), "its entry {entry:#010x} is not in flash");
        ensure!(entry % 2 == 1, "its entry {entry:#010x} is not marked as Thumb code");
        ensure!(self.reset.is_some_and(|reset| reset | 1 == entry), "its entry {entry:#010x} is not the reset handler");
        ensure!(first == entry, "its reset vector {first:#010x} is not its entry {entry:#010x}");
        for statics in self.statics.iter().filter(|statics| !statics.is_empty()) {
            ensure!(
                board.memory.dma.contains(statics.clone()),
                "statics at {:#010x} to {:#010x} are in RAM that DMA does not reach",
                statics.start,
                statics.end
            );
        }
        ensure!(flash <= board.budget.flash, "it takes {flash} bytes of flash, and may take {}", board.budget.flash);
        ensure!(ram <= board.budget.ram, "it takes {ram} bytes of RAM, and may take {}", board.budget.ram);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use crate::firmware::{Budget, Memory, emulated_board};

    const GOOD: Image = Image {
        entry: 0x401,
        reset: Some(0x401),
        vectors: Some((0, 0x401)),
        flash: 1000,
        ram: 100,
        statics: Vec::new(),
    };

    fn mps2() -> Board {
        emulated_board().expect("a board of the table")
    }

    fn refusal(image: &Image, board: &Board) -> String {
        image.check(board).expect_err("the image is invalid").to_string()
    }

    #[test]
    fn a_valid_image_passes_on_its_own_board_only() {
        GOOD.check(&mps2()).expect("the image is valid");
        assert_eq!(
            refusal(&GOOD, &board(Some("nucleo")).expect("a board of the table")),
            "its vector table is at 0x00000000, not where flash starts"
        );
    }

    #[test]
    fn rejects_an_image_without_a_vector_table() {
        let image = Image { entry: 0, reset: None, vectors: None, ..GOOD };
        assert_eq!(refusal(&image, &mps2()), "it has no vector table");
    }

    #[test]
    fn rejects_an_entry_that_is_not_the_reset_handler() {
        assert_eq!(
            refusal(&Image { entry: 0x400, ..GOOD }, &mps2()),
            "its entry 0x00000400 is not marked as Thumb code"
        );
        assert_eq!(refusal(&Image { entry: 0x501, ..GOOD }, &mps2()), "its entry 0x00000501 is not the reset handler");
        assert_eq!(refusal(&Image { entry: 0x2000_0001, ..GOOD }, &mps2()), "its entry 0x20000001 is not in flash");
        assert_eq!(
            refusal(&Image { vectors: Some((0, 0x501)), ..GOOD }, &mps2()),
            "its reset vector 0x00000501 is not its entry 0x00000401"
        );
    }

    /// The boundary is that of the main board: DMA buffers begin after its tightly coupled memory.
    #[test]
    fn rejects_statics_that_dma_does_not_reach() {
        let dma = board(Some("nucleo")).expect("a board of the table").memory.dma;
        let board = Board { memory: Memory { dma, ..mps2().memory }, ..mps2() };
        let statics = |start| iter::once(start..start + 100).collect();
        Image { statics: statics(0x2002_0000), ..GOOD }.check(&board).expect("DMA reaches SRAM1");
        for start in [0x2001_0000, 0x2001_ffc0] {
            let image = Image { statics: statics(start), ..GOOD };
            let error = refusal(&image, &board);
            assert!(error.ends_with("are in RAM that DMA does not reach"), "{error}");
        }
    }

    #[test]
    fn rejects_an_image_over_its_budget() {
        let board = |flash, ram| Board { budget: Budget { flash, ram }, ..mps2() };
        GOOD.check(&board(1000, 100)).expect("a budget may be used up");
        assert_eq!(refusal(&GOOD, &board(999, 100)), "it takes 1000 bytes of flash, and may take 999");
        assert_eq!(refusal(&GOOD, &board(1000, 99)), "it takes 100 bytes of RAM, and may take 99");
    }
}
