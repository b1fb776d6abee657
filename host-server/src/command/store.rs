//! `tabiya store`: maintenance of the embedded store.

use std::io::Write;

use clap::Subcommand;

use super::open_store;
use crate::config::{StoreArguments, StoreConfig, Variables};
use crate::failure::Failure;
use crate::store::embedded;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check the file of the embedded store for damage. Stop the relay first
    Check {
        #[command(flatten)]
        store: StoreArguments,
    },
}

impl Command {
    pub(super) fn run(self, variables: &Variables, output: &mut impl Write) -> Result<(), Failure> {
        let Self::Check { store } = self;
        let StoreConfig::Embedded { data } = store.config(variables)? else {
            return Err(Failure::Store(
                "only the embedded store can be checked; for Redis use redis-check-aof".to_owned(),
            ));
        };
        let path = data.join(open_store::FILE);
        let checked = open_store::without_panic_messages(|| embedded::check(&path));
        let checked = checked.map_err(|error| Failure::Store(error.to_string()))?;
        writeln!(
            output,
            "{}: no damage. Rooms: {}, of which open: {}. Log entries: {}. Boards: {}.",
            path.display(),
            checked.rooms,
            checked.open_rooms,
            checked.entries,
            checked.boards
        )?;
        if checked.is_repaired {
            writeln!(
                output,
                "The file was not closed properly. Its list of free pages has been rebuilt; no data is lost."
            )?;
        }
        Ok(())
    }
}
