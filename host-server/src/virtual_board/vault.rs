use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use board::journal::{Action, Bank, Banks, MIN_BANK, Unreadable};

/// The flash of a board that has none: two banks in memory, and in a file, if they are to outlive the process.
#[derive(Debug)]
pub(crate) struct Vault {
    bytes: Vec<u8>,
    file: Option<File>,
}

/// Something that a journal wants done to its banks.
#[derive(Debug)]
pub(super) enum Chore {
    Erase(Bank),
    Write { bank: Bank, offset: usize, bytes: Vec<u8> },
}

impl From<Action<'_>> for Chore {
    fn from(action: Action<'_>) -> Self {
        match action {
            Action::Erase(bank) => Self::Erase(bank),
            Action::Write { bank, offset, bytes } => Self::Write { bank, offset, bytes: bytes.to_vec() },
        }
    }
}

const LEN: usize = 2 * MIN_BANK;

impl Vault {
    /// One that lasts as long as the process.
    pub(crate) fn in_memory() -> Self {
        Self { bytes: vec![0; LEN], file: None }
    }

    /// One in a file, which is made if it is not there. Nobody else may read it, for there is a key in it, and no other
    /// process may use it at the same time.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        file.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => io::Error::other("another process has it open"),
            std::fs::TryLockError::Error(error) => error,
        })?;
        match file.metadata()?.len() {
            // Whatever is in a bank that was never written is erased before it is used.
            0 => file.set_len(LEN as u64)?,
            len if len == LEN as u64 => {}
            len => return Err(io::Error::other(format!("it is no journal: it has {len} bytes, and not {LEN}"))),
        }
        let mut bytes = vec![0; LEN];
        file.read_exact(&mut bytes)?;
        Ok(Self { bytes, file: Some(file) })
    }

    /// Does it. When this returns, it is on the disk.
    pub(super) fn carry_out(&mut self, chore: Chore) -> io::Result<()> {
        let (at, bytes) = match chore {
            Chore::Erase(bank) => (start(bank), vec![0xff; MIN_BANK]),
            Chore::Write { bank, offset, bytes } => (start(bank) + offset, bytes),
        };
        let beyond = || io::Error::other("that is beyond the end of the journal");
        let target = self.bytes.get_mut(at..at + bytes.len()).ok_or_else(beyond)?;
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(at as u64))?;
            file.write_all(&bytes)?;
            file.sync_data()?;
        }
        target.copy_from_slice(&bytes);
        Ok(())
    }
}

impl Banks for Vault {
    fn bank_len(&self) -> usize {
        MIN_BANK
    }

    fn read(&mut self, bank: Bank, offset: usize, buffer: &mut [u8]) -> Result<(), Unreadable> {
        let at = start(bank) + offset;
        buffer.copy_from_slice(self.bytes.get(at..at + buffer.len()).ok_or(Unreadable)?);
        Ok(())
    }
}

const fn start(bank: Bank) -> usize {
    match bank {
        Bank::A => 0,
        Bank::B => MIN_BANK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_there_for_the_next_process_and_for_nobody_else_meanwhile() {
        let path = std::env::temp_dir().join(format!("tabiya-vault-{}", std::process::id()));
        let mut vault = Vault::open(&path).unwrap();
        vault.carry_out(Chore::Erase(Bank::B)).unwrap();
        vault.carry_out(Chore::Write { bank: Bank::B, offset: 16, bytes: vec![7; 16] }).unwrap();
        let too_far = Chore::Write { bank: Bank::B, offset: MIN_BANK - 8, bytes: vec![7; 16] };
        assert!(vault.carry_out(too_far).is_err());
        assert_eq!(Vault::open(&path).unwrap_err().to_string(), "another process has it open");
        drop(vault);
        let mut vault = Vault::open(&path).unwrap();
        let mut read = [0; 34];
        vault.read(Bank::B, 15, &mut read).unwrap();
        assert_eq!((read[0], read[1..17].to_vec(), read[17]), (0xff, vec![7; 16], 0xff));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        drop(vault);
        std::fs::write(&path, "a letter").unwrap();
        assert!(Vault::open(&path).unwrap_err().to_string().starts_with("it is no journal"));
        std::fs::remove_file(&path).unwrap();
    }
}
