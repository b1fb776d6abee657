use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The log lines of a process, as they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Log {
    /// Reads on a thread until the end of the input.
    pub(super) fn follow(&self, from: impl Read + Send + 'static) {
        let log = self.clone();
        thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                log.lines().push(line);
            }
        });
    }

    pub(super) fn len(&self) -> usize {
        self.lines().len()
    }

    /// All lines but the first ones.
    pub(super) fn since(&self, first: usize) -> Vec<String> {
        self.lines().iter().skip(first).cloned().collect()
    }

    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
