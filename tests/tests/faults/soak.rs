//! The soak test, for as long as it takes to inject every kind of fault twice, the second time into what the others have left: 46 faults, in one
//! to two minutes.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use anyhow::Result;
use tests::soak::Soak;

const ROUNDS: usize = 2;

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_move_is_lost_or_repeated_under_random_faults() -> Result<()> {
    // The keys of a new hasher come from the operating system.
    let seed = RandomState::new().hash_one(());
    println!("to repeat it: cargo xtask soak --minutes 0 --rounds {ROUNDS} --tables 4 --longest-fault 2 --seed {seed}");
    let soak = Soak { time: Duration::ZERO, rounds: ROUNDS, seed, tables: 4, longest_fault: Duration::from_secs(2) };
    if let Some(report) = soak.run(|fault| println!("{fault}")).await? {
        print!("{report}");
    }
    Ok(())
}
