//! The processes that execute scripts, and what keeps them from doing anything else. Linux only.
//!
//! ```text
//! relay -> tabiya script-process (lockdown.rs) -> exec -> python3 with fork_server.py -> fork -> one child per call
//! ```
//!
//! - `python.rs`: finds the interpreter.
//! - `lockdown.rs`: what `tabiya script-process` gives up before it becomes the interpreter; `filter.rs`: system calls.
//! - `fork_server.py`: the program of the interpreter. It forks a child for each call, which gives up the rest.
//! - `fork_server.rs`: one such process as the relay sees it, and the deadline of a call; `pool.rs`: all of them; `queue.rs`: the
//!   calls that wait for one.

mod filter;
mod fork_server;
pub(crate) mod lockdown;
mod pool;
mod python;
mod queue;

pub(super) use pool::Pool;
