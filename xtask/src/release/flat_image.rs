//! Converts an ELF image to the bytes of the flash, for the USB drive of a Nucleo.

use anyhow::{Context, Result, ensure};
use object::Endianness;
use object::elf::PT_LOAD;
use object::read::elf::{ElfFile32, ProgramHeader};

use crate::firmware::Memory;

/// Content of erased flash.
const ERASED: u8 = 0xff;

/// The flash content from its start on, as the loadable segments define it. Gaps are filled with erased flash.
///
/// The probe writes these bytes to the start of the flash, where the processor reads its first stack pointer and its reset vector. So a
/// file that does not begin with them is an error: it would make a board that does not start.
pub(super) fn flatten(elf: &[u8], memory: &Memory) -> Result<Vec<u8>> {
    let start = memory.flash.addresses().start;
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
    check_vectors(&flat, memory)?;
    Ok(flat)
}

/// Checks that the flash begins with a stack pointer, at the end of the stack, and with the address of Thumb code in this file.
fn check_vectors(flat: &[u8], memory: &Memory) -> Result<()> {
    let word = |at| -> Result<u64> {
        let bytes = flat.get(at..at + 4).context("the image is shorter than its vectors")?;
        Ok(u32::from_le_bytes(bytes.try_into()?).into())
    };
    let (stack, reset) = (word(0)?, word(4)?);
    ensure!(stack == memory.stack.addresses().end, "the image begins with {stack:#010x}, not with its stack pointer");
    let start = memory.flash.addresses().start;
    let is_code = (start..start + flat.len() as u64).contains(&reset) && reset % 2 == 1;
    ensure!(is_code, "the second word of the image is {reset:#010x}, not its reset vector");
    Ok(())
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
    use crate::firmware::board;

    const STACK: u32 = 0x2001_0000;
    const RESET: u32 = 0x0800_0009;

    fn memory() -> Memory {
        board(Some("nucleo")).expect("a board of the table").memory
    }

    /// An ELF file for Arm with these segments: physical address and content.
    fn elf(segments: &[(u32, &[u8])]) -> Vec<u8> {
        const HEADER: usize = 52;
        const SEGMENT_HEADER: usize = 32;
        let mut file = b"\x7fELF\x01\x01\x01".to_vec();
        file.resize(16, 0);
        let halves = |file: &mut Vec<u8>, halves: &[usize]| {
            file.extend(halves.iter().flat_map(|half| u16::try_from(*half).expect("small").to_le_bytes()));
        };
        let words = |file: &mut Vec<u8>, words: &[u32]| file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        // An executable for Arm, version 1, with its entry, its segment headers behind this header, no sections and no flags.
        halves(&mut file, &[2, 40]);
        words(&mut file, &[1, RESET, u32::try_from(HEADER).expect("small"), 0, 0]);
        halves(&mut file, &[HEADER, SEGMENT_HEADER, segments.len(), 40, 0, 0]);
        let mut offset = u32::try_from(HEADER + SEGMENT_HEADER * segments.len()).expect("small");
        for (address, content) in segments {
            let len = u32::try_from(content.len()).expect("small");
            // The virtual address is not where the segment is in flash.
            words(&mut file, &[PT_LOAD.0, offset, 0x2002_0000, *address, len, len, 5, 4]);
            offset += len;
        }
        file.extend(segments.iter().flat_map(|(_, content)| content.iter().copied()));
        file
    }

    fn vectors(stack: u32, reset: u32) -> Vec<u8> {
        [stack.to_le_bytes(), reset.to_le_bytes()].concat()
    }

    #[test]
    fn the_flat_image_begins_with_the_vectors() {
        let begin = vectors(STACK, RESET);
        let elf = elf(&[(0x0800_0010, &[7; 4]), (0x0800_0000, &begin), (0x0800_0008, &[1, 2, 3, 4])]);
        let flat = flatten(&elf, &memory()).expect("a valid image");
        assert_eq!(flat[..8], begin);
        assert_eq!(flat[8..], [1, 2, 3, 4, 0xff, 0xff, 0xff, 0xff, 7, 7, 7, 7]);
    }

    #[test]
    fn an_image_that_does_not_begin_with_the_vectors_is_an_error() {
        let refusal = |address, begin: &[u8]| {
            flatten(&elf(&[(address, begin)]), &memory()).expect_err("it does not start").to_string()
        };
        let begin = [vectors(STACK, RESET), vec![0; 4]].concat();
        assert_eq!(
            refusal(0x0800_0100, &begin),
            "the image begins with 0xffffffff, not with its stack pointer",
            "the flash begins with a gap"
        );
        assert_eq!(
            refusal(0x0800_0000, &vectors(0x2008_0000, RESET)),
            "the image begins with 0x20080000, not with its stack pointer"
        );
        for reset in [0x0800_0008, 0x0801_0001, 0x0020_0009] {
            let begin = [vectors(STACK, reset), vec![0; 4]].concat();
            let error = refusal(0x0800_0000, &begin);
            assert_eq!(error, format!("the second word of the image is {reset:#010x}, not its reset vector"));
        }
        assert_eq!(refusal(0x0800_0000, &begin[..6]), "the image is shorter than its vectors");
        assert_eq!(refusal(0x0700_0000, &begin), "a segment is at 0x07000000, before the flash at 0x08000000");
    }

    #[test]
    fn segments_are_placed_by_address_with_erased_gaps() {
        let mut flat = Vec::new();
        place(&mut flat, 6, &[3, 4]);
        place(&mut flat, 0, &[1, 2]);
        assert_eq!(flat, [1, 2, 0xff, 0xff, 0xff, 0xff, 3, 4]);
    }

    #[test]
    fn a_file_that_is_not_an_elf_file_is_an_error() {
        flatten(b"MZ", &memory()).expect_err("it is no ELF file");
    }
}
