//! Two banks of flash that can lose their power.

use board::journal::{Action, Bank, Banks, Unreadable};
use wire::journal::{ALIGN, HEAD_LEN, MAX_FRAME};

/// An erasure that is cut off can leave so many different things behind.
const HALF_ERASURES: u64 = 14;

#[derive(Clone)]
pub(crate) struct Flash {
    pub(crate) banks: [Vec<u8>; 2],
    /// How many bytes can still be written before the power goes. An erasure counts as so many as there are ways to
    /// cut it off.
    pub(crate) life: Option<u64>,
    /// How many have been.
    pub(crate) used: u64,
    pub(crate) erasures: [u32; 2],
    pub(crate) chance: Chance,
}

/// The power is gone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dark;

/// Numbers that nobody would guess, the same in every run.
#[derive(Clone)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        // SplitMix64.
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
    /// As it comes from the factory, or from somebody who kept something else in it.
    pub(crate) fn new(bank_len: usize, fill: u8) -> Self {
        let banks = [vec![fill; bank_len], vec![fill; bank_len]];
        Self { banks, life: None, used: 0, erasures: [0; 2], chance: Chance(1) }
    }

    /// Carries out an action, unless the power goes.
    pub(crate) fn carry_out(&mut self, action: &Action<'_>) -> Result<(), Dark> {
        match *action {
            Action::Erase(bank) => self.erase(bank),
            Action::Write { bank, offset, bytes } => self.write(bank, offset, bytes),
        }
    }

    fn tick(&mut self) -> Result<(), Dark> {
        if let Some(life) = &mut self.life {
            *life = life.checked_sub(1).ok_or(Dark)?;
        }
        self.used += 1;
        Ok(())
    }

    fn write(&mut self, bank: Bank, offset: usize, bytes: &[u8]) -> Result<(), Dark> {
        assert!(offset.is_multiple_of(ALIGN) && bytes.len().is_multiple_of(ALIGN), "in words");
        assert!((1..=MAX_FRAME).contains(&bytes.len()), "{} bytes", bytes.len());
        for (offset, &byte) in (offset..).zip(bytes) {
            let alive = self.tick();
            let half = if alive.is_ok() { 0 } else { self.chance.byte() };
            let slot = &mut self.banks[bank as usize][offset];
            assert_eq!(*slot, 0xff, "no byte is written twice");
            *slot &= byte | half;
            alive?;
        }
        Ok(())
    }

    fn erase(&mut self, bank: Bank) -> Result<(), Dark> {
        for stage in 0..HALF_ERASURES {
            if self.tick() == Err(Dark) {
                self.erase_half(bank, stage);
                return Err(Dark);
            }
        }
        self.banks[bank as usize].fill(0xff);
        self.erasures[bank as usize] += 1;
        Ok(())
    }

    /// What a chip may have got to. None has to go through the bank from its beginning to its end, and a cell that is half
    /// erased can be read as anything.
    fn erase_half(&mut self, bank: Bank, stage: u64) {
        let chance = &mut self.chance;
        let bytes = &mut self.banks[bank as usize];
        let middle = bytes.len() / 2;
        match stage {
            0 => {}
            1 => bytes[..middle].fill(0xff),
            2 => bytes[middle..].fill(0xff),
            3 => bytes[HEAD_LEN..].fill(0xff),
            4 => bytes[..HEAD_LEN].fill(0xff),
            5 => bytes.fill(0xff),
            6 => bytes.fill(0),
            7 => bytes.iter_mut().for_each(|byte| *byte = chance.byte()),
            8 => bytes.iter_mut().for_each(|byte| *byte |= chance.byte()),
            9 => bytes[HEAD_LEN..].iter_mut().for_each(|byte| *byte |= chance.byte()),
            10 => {
                let at = chance.below(bytes.len());
                bytes.fill(0xff);
                bytes[at] = 0x7f;
            }
            11 => {
                let at = HEAD_LEN + chance.below(bytes.len() - HEAD_LEN);
                bytes[HEAD_LEN..at].fill(0xff);
            }
            12 => bytes.iter_mut().for_each(|byte| {
                if chance.below(20) > 0 {
                    *byte = 0xff;
                }
            }),
            _ => bytes[..HEAD_LEN].iter_mut().for_each(|byte| *byte &= chance.byte()),
        }
    }
}

impl Banks for Flash {
    fn bank_len(&self) -> usize {
        self.banks[0].len()
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        // Within the bank, or this fails.
        buffer.copy_from_slice(&self.banks[bank as usize][offset..offset + buffer.len()]);
        Ok(())
    }
}
