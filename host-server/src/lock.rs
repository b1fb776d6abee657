//! Locks mutexes that no panic leaves inconsistent.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after another holder has panicked. Only for data that is valid after every single statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
