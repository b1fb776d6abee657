//! The setup of a game of GMO chess as bytes: on the link before the plies of a snapshot, and in the journal.
//!
//! `docs/protocol.md` is the specification.

use core::error::Error;
use core::fmt;

use arrayvec::ArrayVec;
use chess::File;
use rules::genome::{Codon, Dna, MAX_CODONS, MAX_GENE_CODONS, MAX_GENOMES, Reason, Setup, SetupError};

/// Seed, kings, back row, and the number of genomes.
const HEADER_LEN: usize = 18;
const COUNT_AT: usize = 17;

/// In place of a genome: this file of the back row is empty.
const EMPTY: u8 = 255;

/// No setup takes more bytes than this: each genome has one byte for its length, and one for each of its codons.
pub const MAX_SETUP: usize = HEADER_LEN + MAX_GENOMES as usize + MAX_GENE_CODONS;

const _: () = assert!(MAX_SETUP == 802, "docs/protocol.md states the greatest length");

/// The bytes of a setup.
pub type SetupBytes = ArrayVec<u8, MAX_SETUP>;

/// Encodes a setup.
#[must_use]
pub fn write_setup(setup: &Setup) -> SetupBytes {
    let mut bytes = SetupBytes::new_const();
    let mut push = |byte: u8| {
        // There is room for the largest setup.
        let _ = bytes.try_push(byte);
    };
    for byte in setup.seed().to_le_bytes() {
        push(byte);
    }
    let back = File::ALL.map(|file| setup.back(file));
    let kings = back.iter().rev().fold(0_u8, |kings, piece| kings << 1 | u8::from(matches!(piece, Some((_, true)))));
    push(kings);
    for piece in back {
        push(piece.map_or(EMPTY, |(genome, _)| genome));
    }
    push(setup.genomes());
    for genome in 0..setup.genomes() {
        let codons = setup.genes().get(genome);
        // No genome has more than 166 codons.
        push(codons.len() as u8);
        for codon in codons {
            push(codon.bits());
        }
    }
    bytes
}

/// Decodes a setup that arrives in parts.
#[derive(Clone, Debug, Default)]
pub struct SetupReader {
    bytes: SetupBytes,
    /// How many bytes there must be at least, by what has been read.
    needed: usize,
    /// How many genomes have been counted into `needed`.
    counted: u8,
}

impl SetupReader {
    /// Whether no byte was read.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes the next byte, and returns the setup if it was the last one.
    pub fn push(&mut self, byte: u8) -> Result<Option<Setup>, SetupDecodeError> {
        self.bytes.try_push(byte).map_err(|_| SetupDecodeError::TooLong)?;
        self.needed = self.needed.max(HEADER_LEN);
        let read = self.bytes.len();
        if read < self.needed {
            return Ok(None);
        }
        // The last byte was the end of the header or of a genome, or the length of a genome.
        let count = self.bytes.get(COUNT_AT).copied().unwrap_or_default();
        if !(1..=MAX_GENOMES).contains(&count) {
            return Err(SetupDecodeError::Count(count));
        }
        if read > self.needed {
            self.counted = self.counted.saturating_add(1);
            self.needed = read.saturating_add(usize::from(byte));
        }
        let is_complete = read == self.needed && self.counted == count;
        if is_complete { read_setup(&self.bytes).map(Some) } else { Ok(None) }
    }
}

/// Decodes a whole setup.
fn read_setup(bytes: &[u8]) -> Result<Setup, SetupDecodeError> {
    use SetupDecodeError as Problem;
    let (seed, rest) = bytes.split_first_chunk::<8>().ok_or(Problem::TooShort)?;
    let (&kings, rest) = rest.split_first().ok_or(Problem::TooShort)?;
    let (back, rest) = rest.split_first_chunk::<8>().ok_or(Problem::TooShort)?;
    let (&count, mut rest) = rest.split_first().ok_or(Problem::TooShort)?;
    let mut setup: Option<Setup> = None;
    for number in 0..count {
        let (&len, after) = rest.split_first().ok_or(Problem::TooShort)?;
        let (codons, after) = after.split_at_checked(len.into()).ok_or(Problem::TooShort)?;
        rest = after;
        let mut genome = ArrayVec::<Codon, MAX_CODONS>::new_const();
        for &bits in codons {
            let codon = Codon::from_bits(bits).ok_or(Problem::Codon(bits))?;
            genome.try_push(codon).map_err(|_| Problem::Dna(number, Reason::TooLong))?;
        }
        let dna = Dna::from_codons(&genome).map_err(|(_, reason)| Problem::Dna(number, reason))?;
        match &mut setup {
            None => setup = Setup::new(&dna, u64::from_le_bytes(*seed)),
            // Every genome is there once, so that its number is its place.
            Some(setup) => match setup.add(&dna).map_err(Problem::Setup)? {
                added if added == number => {}
                _ => return Err(Problem::Repeated(number)),
            },
        }
    }
    let mut setup = setup.ok_or(Problem::Count(0))?;
    for (file, &genome) in File::ALL.into_iter().zip(back) {
        let is_king = kings.wrapping_shr(file.index().into()) & 1 == 1;
        match genome {
            EMPTY if !is_king => {}
            _ if genome < count => setup.place(file, genome, is_king),
            _ => return Err(Problem::Back(genome)),
        }
    }
    setup.check().map_err(Problem::Setup)?;
    Ok(setup)
}

/// Why bytes are not a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupDecodeError {
    /// The bytes end too early.
    TooShort,
    /// There are more than [`MAX_SETUP`] bytes.
    TooLong,
    /// There are no genomes, or this many, which is too many.
    Count(u8),
    /// This byte is no codon.
    Codon(u8),
    /// The genome with this number is invalid.
    Dna(u8, Reason),
    /// The genome with this number is there a second time.
    Repeated(u8),
    /// The back row contains a genome with this number, which does not exist; or a king where no piece stands.
    Back(u8),
    #[expect(missing_docs, reason = "the type says it")]
    Setup(SetupError),
}

impl fmt::Display for SetupDecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("the setup ends too early"),
            Self::TooLong => write!(f, "a setup has at most {MAX_SETUP} bytes"),
            Self::Count(count) => write!(f, "a setup has 1 to {MAX_GENOMES} genomes, not {count}"),
            Self::Codon(byte) => write!(f, "a codon is 0 to 63, not {byte}"),
            Self::Dna(number, reason) => write!(f, "genome {number}: {reason}"),
            Self::Repeated(number) => write!(f, "genome {number} is a repetition"),
            Self::Back(number) => write!(f, "there is no genome {number} for the back row"),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl Error for SetupDecodeError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Option<Setup>, SetupDecodeError> {
        let mut reader = SetupReader::default();
        for (at, &byte) in bytes.iter().enumerate() {
            if let Some(setup) = reader.push(byte)? {
                assert_eq!(at + 1, bytes.len(), "it ends before the bytes do");
                return Ok(Some(setup));
            }
        }
        Ok(None)
    }

    /// Bishops with a different number of empty blocks, as long as a game may have them.
    fn largest() -> Setup {
        let block = "AHHHSHHSHCHACHACHAHHA";
        let mut setup = Setup::new(&block.parse().expect("valid"), u64::MAX).expect("room");
        let mover = "AHHHSHHSHCHACHACHAHHASASAAAAAAAAA".parse().expect("valid");
        let king = setup.add(&mover).expect("room");
        setup.place(File::H, king, true);
        for blocks in 2..23 {
            match setup.add(&block.repeat(blocks).parse().expect("valid")) {
                Ok(genome) => setup.place(File::A, genome, blocks % 2 == 0),
                Err(_) => break,
            }
        }
        setup
    }

    #[test]
    fn a_setup_is_read_as_it_is_written() {
        for setup in [Setup::default_preset(0x0123_4567_89ab_cdef).expect("valid"), largest()] {
            let bytes = write_setup(&setup);
            assert_eq!(read(&bytes), Ok(Some(setup)));
            for len in 0..bytes.len() {
                assert_eq!(read(&bytes[..len]), Ok(None), "{len} bytes");
            }
        }
        assert!(write_setup(&largest()).len() > 700);
    }

    #[test]
    fn empty_dna_takes_one_byte() {
        let mut setup = Setup::new(&"AHHHSHHSHCHACHACHAHHASAS".parse().expect("valid"), 7).expect("room");
        let empty = setup.add(&"".parse().expect("valid")).expect("room");
        setup.place(File::D, empty, true);
        let bytes = write_setup(&setup);
        assert_eq!(bytes.len(), HEADER_LEN + 9 + 1);
        assert_eq!(read(&bytes), Ok(Some(setup)));
    }

    #[test]
    fn an_error_names_what_is_wrong() {
        let bytes = write_setup(&Setup::default_preset(1).expect("valid"));
        let changed = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            read(&bytes)
        };
        assert_eq!(changed(COUNT_AT, 0), Err(SetupDecodeError::Count(0)));
        assert_eq!(changed(COUNT_AT, 17), Err(SetupDecodeError::Count(17)));
        assert_eq!(changed(8, 0), Err(SetupDecodeError::Setup(SetupError::NoKing)));
        assert_eq!(changed(9, 6), Err(SetupDecodeError::Back(6)));
        assert_eq!(changed(12, EMPTY), Err(SetupDecodeError::Back(EMPTY)));
        assert_eq!(changed(HEADER_LEN + 1, 64), Err(SetupDecodeError::Codon(64)));
        assert!(matches!(changed(HEADER_LEN + 1, 63), Err(SetupDecodeError::Dna(0, Reason::Start(_)))));
    }
}
