//! Reads a firmware image, and checks that a processor could start it.

use anyhow::{Context, Result, ensure};
use object::elf::{SHF_ALLOC, SHT_NOBITS};
use object::read::elf::{ElfFile32, FileHeader, SectionHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

use crate::firmware::Board;

/// Everything from here on is RAM or a device; flash is below on every board.
const RAM_START: u64 = 0x2000_0000;

/// What matters of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    /// Where a loader is told to start.
    entry: u64,
    /// Where the code for a reset is.
    reset: Option<u64>,
    /// The address of the vector table, and the first word in it after the stack: where the processor really starts.
    vectors: Option<(u64, u64)>,
    /// Bytes of flash: code, constants, and the first values of statics.
    pub(crate) flash: u64,
    /// Bytes of RAM: statics.
    pub(crate) ram: u64,
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
        };
        for section in file.sections() {
            let header = section.elf_section_header();
            if !header.sh_flags(file.endian()).contains(SHF_ALLOC) {
                continue;
            }
            // Statics with a first value count twice: it lies in flash, and is copied to RAM at every reset.
            if section.address() >= RAM_START {
                image.ram += section.size();
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

    /// Whether `board` could start this image, and has room for it.
    ///
    /// Without its linker arguments an image still links, and is good for nothing: this is what notices.
    pub(crate) fn check(&self, board: &Board) -> Result<()> {
        let Self { entry, flash, ram, .. } = *self;
        let (vectors, first) = self.vectors.context("it has no vector table")?;
        ensure!(vectors == board.flash.start, "its vector table is at {vectors:#010x}, not where flash starts");
        ensure!(board.flash.contains(&entry), "its entry {entry:#010x} is not in flash");
        ensure!(entry % 2 == 1, "its entry {entry:#010x} is not marked as Thumb code");
        ensure!(self.reset.is_some_and(|reset| reset | 1 == entry), "its entry {entry:#010x} is not the reset handler");
        ensure!(first == entry, "its reset vector {first:#010x} is not its entry {entry:#010x}");
        ensure!(flash <= board.flash_budget, "it takes {flash} bytes of flash, and may take {}", board.flash_budget);
        ensure!(ram <= board.ram_budget, "it takes {ram} bytes of RAM, and may take {}", board.ram_budget);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::firmware::{MPS2, NUCLEO};

    const GOOD: Image = Image { entry: 0x401, reset: Some(0x401), vectors: Some((0, 0x401)), flash: 1000, ram: 100 };

    fn refusal(image: &Image, board: &Board) -> String {
        image.check(board).expect_err("a bad image must not pass").to_string()
    }

    #[test]
    fn a_good_image_passes_on_its_own_board_only() {
        GOOD.check(&MPS2).expect("a good image passes");
        assert_eq!(refusal(&GOOD, &NUCLEO), "its vector table is at 0x00000000, not where flash starts");
    }

    #[test]
    fn an_image_that_was_linked_without_a_script_is_refused() {
        let image = Image { entry: 0, reset: None, vectors: None, ..GOOD };
        assert_eq!(refusal(&image, &MPS2), "it has no vector table");
    }

    #[test]
    fn the_entry_is_the_reset_handler() {
        assert_eq!(refusal(&Image { entry: 0x400, ..GOOD }, &MPS2), "its entry 0x00000400 is not marked as Thumb code");
        assert_eq!(refusal(&Image { entry: 0x501, ..GOOD }, &MPS2), "its entry 0x00000501 is not the reset handler");
        assert_eq!(refusal(&Image { entry: 0x2000_0001, ..GOOD }, &MPS2), "its entry 0x20000001 is not in flash");
        assert_eq!(
            refusal(&Image { vectors: Some((0, 0x501)), ..GOOD }, &MPS2),
            "its reset vector 0x00000501 is not its entry 0x00000401"
        );
    }

    #[test]
    fn an_image_over_its_budget_is_refused() {
        GOOD.check(&Board { flash_budget: 1000, ram_budget: 100, ..MPS2 }).expect("a budget may be used up");
        assert_eq!(
            refusal(&GOOD, &Board { flash_budget: 999, ..MPS2 }),
            "it takes 1000 bytes of flash, and may take 999"
        );
        assert_eq!(refusal(&GOOD, &Board { ram_budget: 99, ..MPS2 }), "it takes 100 bytes of RAM, and may take 99");
    }
}
