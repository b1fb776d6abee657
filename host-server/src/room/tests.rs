//! A room without any relay around it: who asks what, and when, is all there is.

mod absence;
mod boards;
mod chat;
mod clocks;
mod endings;
mod forms;
mod offers;
mod properties;
mod seats;
mod table;
