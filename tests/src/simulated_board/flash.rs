use board::journal::{Action, Bank, Banks, MIN_BANK, Unreadable};

/// Two banks of memory that outlive a restart.
pub(super) struct Flash {
    banks: [Vec<u8>; 2],
}

impl Flash {
    pub(super) fn new() -> Self {
        Self { banks: [vec![0xff; MIN_BANK], vec![0xff; MIN_BANK]] }
    }

    pub(super) fn carry_out(&mut self, action: &Action<'_>) {
        match *action {
            Action::Erase(bank) => self.banks[bank as usize].fill(0xff),
            Action::Write { bank, offset, bytes } => {
                self.banks[bank as usize][offset..offset + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}

impl Banks for Flash {
    fn bank_len(&self) -> usize {
        MIN_BANK
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        buffer.copy_from_slice(&self.banks[bank as usize][offset..offset + buffer.len()]);
        Ok(())
    }
}
