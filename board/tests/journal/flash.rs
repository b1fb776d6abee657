//! Simulated flash with two banks and power cuts.

use board::journal::{Action, Bank, Banks, Unreadable};
use wire::journal::{ALIGN, HEADER_LEN, MAX_FRAME};

/// Number of different results of an interrupted erase.
const INTERRUPTED_ERASES: u64 = 14;

#[derive(Clone)]
pub(crate) struct Flash {
    pub(crate) banks: [Vec<u8>; 2],
    /// Number of bytes that can be written before the power is cut. An erase counts as [`INTERRUPTED_ERASES`] bytes.
    pub(crate) bytes_left: Option<u64>,
    /// Number of bytes that were written.
    pub(crate) used: u64,
    pub(crate) erases: [u32; 2],
    pub(crate) rng: TestRng,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PowerCut;

/// `SplitMix64` with a fixed seed.
#[derive(Clone)]
pub(crate) struct TestRng(pub(crate) u64);

impl TestRng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

impl Flash {
    /// New flash (`0xff`), or flash with other content.
    pub(crate) fn new(bank_len: usize, fill: u8) -> Self {
        let banks = [vec![fill; bank_len], vec![fill; bank_len]];
        Self { banks, bytes_left: None, used: 0, erases: [0; 2], rng: TestRng(1) }
    }

    /// Carries out an action, unless the power is cut.
    pub(crate) fn carry_out(&mut self, action: &Action<'_>) -> Result<(), PowerCut> {
        match *action {
            Action::Erase(bank) => self.erase(bank),
            Action::Write { bank, offset, bytes } => self.write(bank, offset, bytes),
        }
    }

    fn tick(&mut self) -> Result<(), PowerCut> {
        if let Some(bytes_left) = &mut self.bytes_left {
            *bytes_left = bytes_left.checked_sub(1).ok_or(PowerCut)?;
        }
        self.used += 1;
        Ok(())
    }

    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), PowerCut> {
        assert!(offset.is_multiple_of(ALIGN) && bytes.len().is_multiple_of(ALIGN), "in words");
        assert!((1..=MAX_FRAME).contains(&bytes.len()), "{} bytes", bytes.len());
        for (offset, &byte) in (offset..).zip(bytes) {
            let alive = self.tick();
            let half = if alive.is_ok() { 0 } else { self.rng.byte() };
            let slot = &mut self.banks[bank as usize][offset];
            assert_eq!(*slot, 0xff, "no byte is written twice");
            *slot &= byte | half;
            alive?;
        }
        Ok(())
    }

    fn erase(&mut self, bank: Bank) -> Result<(), PowerCut> {
        for stage in 0..INTERRUPTED_ERASES {
            if self.tick() == Err(PowerCut) {
                self.interrupt_erase(bank, stage);
                return Err(PowerCut);
            }
        }
        self.banks[bank as usize].fill(0xff);
        self.erases[bank as usize] += 1;
        Ok(())
    }

    /// Possible results of an interrupted erase. A chip may erase in any order, and a half-erased cell reads as any value.
    fn interrupt_erase(&mut self, bank: Bank, stage: u64) {
        let rng = &mut self.rng;
        let bytes = &mut self.banks[bank as usize];
        let middle = bytes.len() / 2;
        match stage {
            0 => {}
            1 => bytes[..middle].fill(0xff),
            2 => bytes[middle..].fill(0xff),
            3 => bytes[HEADER_LEN..].fill(0xff),
            4 => bytes[..HEADER_LEN].fill(0xff),
            5 => bytes.fill(0xff),
            6 => bytes.fill(0),
            7 => bytes.iter_mut().for_each(|byte| *byte = rng.byte()),
            8 => bytes.iter_mut().for_each(|byte| *byte |= rng.byte()),
            9 => bytes[HEADER_LEN..].iter_mut().for_each(|byte| *byte |= rng.byte()),
            10 => {
                let at = rng.below(bytes.len());
                bytes.fill(0xff);
                bytes[at] = 0x7f;
            }
            11 => {
                let at = HEADER_LEN + rng.below(bytes.len() - HEADER_LEN);
                bytes[HEADER_LEN..at].fill(0xff);
            }
            12 => bytes.iter_mut().for_each(|byte| {
                if rng.below(20) > 0 {
                    *byte = 0xff;
                }
            }),
            _ => bytes[..HEADER_LEN].iter_mut().for_each(|byte| *byte &= rng.byte()),
        }
    }
}

impl Banks for Flash {
    fn bank_len(&self) -> usize {
        self.banks[0].len()
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        // Panics if the range is not within the bank.
        buffer.copy_from_slice(&self.banks[bank as usize][offset..offset + buffer.len()]);
        Ok(())
    }
}
