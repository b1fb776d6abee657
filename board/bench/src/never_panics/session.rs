//! The link, but for what goes through the cipher.
//!
//! Left out are `BoardEnd::connected` and `Conversation::accept`, `transmit` and `receive` of both, and `standing`, whose
//! argument only comes out of `receive`. They reach noise-protocol, and through it arrayvec, x25519-dalek and
//! chacha20poly1305, which check with panics what their callers here never get wrong: that a handshake takes its turns, that
//! a buffer has the length of its message, that a pattern has no more tokens than there is room for, that a counter of 64
//! bits does not run out. What speaks for those are the tests, with all their nonsense.

use core::hint::black_box;

use board::session::{BoardSession, Broken, Conversation, End, Memory};
use chess::Bitboard;
use wire::link::{Goodbye, Knock, Live, PairingKey, Said, Wood};

use crate::brain::{clocks, event, now};
use crate::image::show;

pub(crate) fn run() {
    let said = Said { number: black_box(1), heard: black_box(1), event: event() };
    let memory = black_box(Memory::blank(1));
    let conversation = Conversation::new(black_box(End::Board), "", &memory, black_box(Some(said)));
    let mut session = BoardSession::new(PairingKey::new(black_box([1; 32])), conversation);
    let session = black_box(&mut session);
    black_box((session.connect_at(), session.wake_at(), session.conversation()));
    session.disconnected(black_box(1), now());
    talk(session.conversation_mut());

    match Knock::read(black_box(&[])) {
        Ok(knock) => show(knock.board()),
        Err(error) => show(error),
    }
    show(black_box(Broken::Closed));
}

fn talk(conversation: &mut Conversation<256>) {
    match conversation.say(event()) {
        Ok(number) => show(number),
        Err(full) => show(full),
    }
    conversation.condense();
    conversation.renew();
    conversation.show_wood(black_box(Wood { occupied: Bitboard::ALL, in_hand: Bitboard::ALL, astray: Bitboard::ALL }));
    conversation.show_live(Live { clocks: black_box(true).then(clocks), opponent: black_box(true) });
    conversation.kept(&black_box(Memory::blank(1)));
    conversation.hang_up(black_box(Goodbye::Closing));
    conversation.mended();
    black_box((conversation.memory(), conversation.unkept(), conversation.wake_at()));
    black_box((conversation.is_online(), conversation.is_torn()));
    for said in conversation.pending() {
        black_box(said);
    }
    conversation.close();
}
