//! The task of one client in one room.

use std::future;
use std::sync::Arc;

use rules::Ply;
use tokio::sync::mpsc;

use super::arguments::RoomRequest;
use super::outbox::Outbox;
use super::translator::{Translated, Translator};
use crate::dialect::View;
use crate::relay::{ActError, ActResult, RoomHandle, UpdatesEnded};
use crate::room::{Phase, Room};

/// Carries acts and updates between a client and a room. Dropping it disconnects the client from the room.
pub(super) struct SeatTask {
    outbox: Outbox,
    handle: RoomHandle,
    /// The room before the next update.
    before: Arc<Room>,
    translator: Translator,
    /// The act whose answer the client waits for. No further request is handled until then.
    pending: Option<(RoomRequest, ActResult)>,
}

enum Event {
    Update(Result<Arc<crate::relay::RoomUpdate>, UpdatesEnded>),
    Answer(RoomRequest, Result<(), ActError>),
    Request(Option<RoomRequest>),
}

impl SeatTask {
    pub(super) fn new(outbox: Outbox, handle: RoomHandle) -> Self {
        Self { outbox, before: handle.room().clone(), handle, translator: Translator::default(), pending: None }
    }

    /// Tells the client that it has entered.
    pub(super) fn welcome(&self, token: Option<&str>, returns: bool) {
        self.outbox.send(Translator::welcome(&view(&self.handle, &self.before), token, returns));
    }

    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<RoomRequest>) {
        loop {
            let event = self.next(&mut requests).await;
            match event {
                Event::Update(Ok(update)) => {
                    let events = self.translator.update(&self.before, &update, &view(&self.handle, &update.room));
                    self.before = update.room.clone();
                    self.outbox.send(events);
                    if self.before.phase() == Phase::Closed {
                        return;
                    }
                }
                Event::Update(Err(_)) if self.before.phase() == Phase::Closed => return,
                Event::Update(Err(UpdatesEnded::Lagged | UpdatesEnded::Ended)) => {
                    // The client connects again, which it must do itself, and returns with its token, here or at another relay.
                    self.outbox.end();
                    return;
                }
                Event::Answer(_, Ok(())) => {}
                Event::Answer(request, Err(error)) => {
                    let refusal = self.translator.refused(request, error);
                    self.outbox.send([refusal]);
                }
                Event::Request(Some(request)) => self.request(request),
                Event::Request(None) => return,
            }
        }
    }

    async fn next(&mut self, requests: &mut mpsc::Receiver<RoomRequest>) -> Event {
        let Self { handle, pending, .. } = self;
        let is_ready = pending.is_none();
        tokio::select! {
            biased;
            update = handle.next() => Event::Update(update),
            (request, answer) = answer_to(pending) => Event::Answer(request, answer),
            request = requests.recv(), if is_ready => Event::Request(request),
        }
    }

    fn request(&mut self, request: RoomRequest) {
        match self.translator.request(request, &view(&self.handle, &self.before)) {
            Translated::Act(act) => self.pending = Some((request, self.handle.act(act))),
            Translated::Promoting(mv, events) => {
                self.handle.announce_promotion(Ply::of_move(mv));
                self.outbox.send(events);
            }
            Translated::Reply(event) => self.outbox.send([event]),
        }
    }
}

/// The answer to the pending act, which is then no longer pending; never, if there is none.
async fn answer_to(pending: &mut Option<(RoomRequest, ActResult)>) -> (RoomRequest, Result<(), ActError>) {
    let Some((request, answer)) = pending else { return future::pending().await };
    let (request, result) = (*request, answer.await);
    *pending = None;
    (request, result)
}

fn view<'a>(handle: &'a RoomHandle, room: &'a Room) -> View<'a> {
    View { room, participant: handle.participant(), color: room.seat_of(&handle.participant().id), now: handle.now() }
}
