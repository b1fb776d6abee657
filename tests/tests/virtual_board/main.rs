//! The virtual board of a relay process, used through `/ws/panel` as a browser window does.

mod access;
mod emulated;
mod fixture;
mod game;
mod livechess_tls;
mod own_process;
mod owner_board;
mod pairing;
mod panel_client;
