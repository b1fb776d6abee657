//! Whole games: the real firmware in the emulator and a real relay, with a hand at the pieces and somebody far away who
//! speaks JSON. What the lights say is held against what they mean, at every step.

mod captures;
mod castling;
mod crowd;
mod evening;
mod faults;
mod imposter;
mod promotions;
mod stubborn;
mod takebacks;
mod together;
