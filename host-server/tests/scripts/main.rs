//! Rule scripts in their sandbox, executed for real. The program under test is `tabiya`, since the processes start from it.
#![cfg(target_os = "linux")]

mod attacks;
mod bundled;
mod footprints;
mod harness;
mod in_games;
mod sandbox;
mod variants;
