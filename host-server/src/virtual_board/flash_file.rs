//! Simulated flash in a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use board::journal::{Action, Bank, Banks, MIN_BANK, Unreadable};

/// Two flash banks in memory, and optionally in a file, which outlives the process.
#[derive(Debug)]
pub(crate) struct FlashFile {
    bytes: Vec<u8>,
    file: Option<File>,
}

/// A flash operation of the journal.
#[derive(Debug)]
pub(crate) enum FlashOperation {
    Erase(Bank),
    Write { bank: Bank, offset: usize, bytes: Vec<u8> },
}

impl From<Action<'_>> for FlashOperation {
    fn from(action: Action<'_>) -> Self {
        match action {
            Action::Erase(bank) => Self::Erase(bank),
            Action::Write { bank, offset, bytes } => Self::Write { bank, offset, bytes: bytes.to_vec() },
        }
    }
}

const LEN: usize = 2 * MIN_BANK;

impl FlashFile {
    /// Flash without a file.
    pub(crate) fn in_memory() -> Self {
        Self { bytes: vec![0; LEN], file: None }
    }

    /// Opens or creates a file with mode 0600, since it contains a key, and locks it for this process.
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
            // The journal erases an invalid bank before it writes to it.
            0 => file.set_len(LEN as u64)?,
            len if len == LEN as u64 => {}
            len => return Err(io::Error::other(format!("not a journal: {len} bytes instead of {LEN}"))),
        }
        let mut bytes = vec![0; LEN];
        file.read_exact(&mut bytes)?;
        Ok(Self { bytes, file: Some(file) })
    }

    /// Executes an operation, and syncs the file.
    pub(crate) fn carry_out(&mut self, operation: FlashOperation) -> io::Result<()> {
        let (at, bytes) = match operation {
            FlashOperation::Erase(bank) => (start(bank), vec![0xff; MIN_BANK]),
            FlashOperation::Write { bank, offset, bytes } => (start(bank) + offset, bytes),
        };
        let beyond = || io::Error::other("write beyond the end of the journal");
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

impl Banks for FlashFile {
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
    fn a_file_persists_is_locked_and_is_private() {
        let path = std::env::temp_dir().join(format!("tabiya-flash-{}", std::process::id()));
        let mut flash_file = FlashFile::open(&path).unwrap();
        flash_file.carry_out(FlashOperation::Erase(Bank::B)).unwrap();
        flash_file.carry_out(FlashOperation::Write { bank: Bank::B, offset: 16, bytes: vec![7; 16] }).unwrap();
        let too_far = FlashOperation::Write { bank: Bank::B, offset: MIN_BANK - 8, bytes: vec![7; 16] };
        assert!(flash_file.carry_out(too_far).is_err());
        assert_eq!(FlashFile::open(&path).unwrap_err().to_string(), "another process has it open");
        drop(flash_file);
        let mut flash_file = FlashFile::open(&path).unwrap();
        let mut read = [0; 34];
        flash_file.read(Bank::B, 15, &mut read).unwrap();
        assert_eq!((read[0], read[1..17].to_vec(), read[17]), (0xff, vec![7; 16], 0xff));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        drop(flash_file);
        std::fs::write(&path, "a letter").unwrap();
        assert!(FlashFile::open(&path).unwrap_err().to_string().starts_with("not a journal"));
        std::fs::remove_file(&path).unwrap();
    }
}
