//! The link session, except the parts that call the cipher.
//!
//! Left out are `BoardSession::connected` and `Session::accept`, `transmit` and `receive` of both, and `events_missing_in`, whose argument only
//! comes out of `receive`. They reach noise-protocol, and through it arrayvec, x25519-dalek and chacha20poly1305, which panic on errors that
//! `board` never makes: handshake messages out of order, wrong buffer lengths, too many tokens in a pattern, overflow of a 64-bit counter.
//! Tests with random input cover these functions.

use core::hint::black_box;

use board::session::{BoardSession, End, LinkError, Session};
use chess::Bitboard;
use wire::journal::SessionMemory;
use wire::link::{Goodbye, Live, NumberedEvent, Occupancy, PairingKey, Responder};

use crate::image::show;
use crate::surface::{clocks, event, now};

pub(crate) fn run() {
    let event = NumberedEvent { number: black_box(1), received_up_to: black_box(1), event: event() };
    let memory = black_box(SessionMemory::new(1));
    let session = Session::new(black_box(End::Board), "", &memory, black_box(Some(event)));
    let mut session = BoardSession::new(PairingKey::new(black_box([1; 32])), session);
    let session = black_box(&mut session);
    black_box((session.connect_at(), session.wake_at(), session.session()));
    session.disconnected(black_box(1), now());
    run_session(session.session_mut());

    match Responder::read(black_box(&[])) {
        Ok(responder) => show(responder.board()),
        Err(error) => show(error),
    }
    show(black_box(LinkError::Closed));
}

fn run_session(session: &mut Session<256>) {
    match session.queue_event(event()) {
        Ok(number) => show(number),
        Err(full) => show(full),
    }
    session.compact();
    session.force_snapshot();
    session.report_occupancy(black_box(Occupancy {
        occupied: Bitboard::ALL,
        in_hand: Bitboard::ALL,
        misplaced: Bitboard::ALL,
    }));
    session.report_live(Live {
        clocks: black_box(true).then(clocks),
        opponent: black_box(true),
        rematch: black_box(true),
    });
    session.mark_stored(&black_box(SessionMemory::new(1)));
    session.send_goodbye(black_box(Goodbye::Closing));
    session.discard_half_load();
    black_box((session.memory(), session.needs_storing(), session.wake_at()));
    black_box((session.is_online(), session.is_half_loaded()));
    for event in session.pending() {
        black_box(event);
    }
    session.close();
}
