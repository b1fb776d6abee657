//! Converts an ELF image to the bytes of the flash, for the USB drive of a Nucleo.

use anyhow::{Context, Result, ensure};
use object::Endianness;
use object::elf::PT_LOAD;
use object::read::elf::{ElfFile32, ProgramHeader};

/// Content of erased flash.
const ERASED: u8 = 0xff;

/// The flash content from `start` on, as the loadable segments define it. Gaps are filled with erased flash.
pub(super) fn flatten(elf: &[u8], start: u64) -> Result<Vec<u8>> {
    let file = ElfFile32::<Endianness>::parse(elf)?;
    let endian = file.endian();
    let mut flat = Vec::new();
    for segment in file.elf_program_headers() {
        let data = segment.data(endian, elf).ok().context("a segment exceeds the file")?;
        if segment.p_type(endian) != PT_LOAD || data.is_empty() {
            continue;
        }
        let address = u64::from(segment.p_paddr(endian));
        ensure!(address >= start, "a segment is at {address:#010x}, before the flash at {start:#010x}");
        place(&mut flat, usize::try_from(address - start)?, data);
    }
    ensure!(!flat.is_empty(), "the image has no segments");
    Ok(flat)
}

/// Writes bytes at an offset.
fn place(flat: &mut Vec<u8>, offset: usize, data: &[u8]) {
    let end = offset + data.len();
    if flat.len() < end {
        flat.resize(end, ERASED);
    }
    flat[offset..end].copy_from_slice(data);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_placed_by_address_with_erased_gaps() {
        let mut flat = Vec::new();
        place(&mut flat, 6, &[3, 4]);
        place(&mut flat, 0, &[1, 2]);
        assert_eq!(flat, [1, 2, 0xff, 0xff, 0xff, 0xff, 3, 4]);
    }

    #[test]
    fn a_file_that_is_not_an_elf_file_is_an_error() {
        flatten(b"MZ", 0).expect_err("it is no ELF file");
    }
}
