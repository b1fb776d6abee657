//! The session of one connected board: drives its [`RelaySession`], its seat in a room, and its stored record.

mod challenge;
mod console;
mod listing;
mod local_game;
mod script_footprints;
mod seat;
mod stored;

use std::future::pending;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, close_code};
use chess::Bitboard;
use rules::Verdict;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use wire::link::{Channel, MAX_FRAME, Occupancy};

use super::close_cause::CloseCause;
use super::handshake;
use super::record::BoardRecord;
use super::relay_session::{PendingAct, RelaySession, Unnumbered};
use super::server::{BoardServer, Caller};
use crate::boards::{BoardView, ConsoleEndpoint, Invitation, Paired, Serial};
use crate::dialect::connection::{ConnectionProtocol, Peer, Rate, run};
use crate::metrics;
use crate::relay::{ActError, RoomHandle, RoomUpdate, Transient, Update, UpdatesEnded};
use crate::room::{Act, BoardGame, Fact, Room, RoomId};
use crate::store::{Collection, StoreError};
use console::{ConsoleEvent, ConsoleService};
use script_footprints::TurnOfGame;

/// Interval of reading the registry: whether the board is still paired, and its invitation.
const LOOK_UP: Duration = Duration::from_secs(2);

/// Minimum interval between two occupancy reports. A hand over the board changes the occupancy hundreds of times a second.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// If the session did not read for this long, because it waited for the store, the keepalive timer of the link restarts.
const LONG_PAUSE: Duration = Duration::from_secs(1);

pub(super) struct BoardConnection {
    server: BoardServer,
    board: Paired,
    relay_session: RelaySession,
    /// The version of the stored record, for compare-and-swap.
    version: u64,
    /// New connections of the same board, which replace this one.
    mailbox: mpsc::Receiver<Caller>,
    handle: Option<RoomHandle>,
    /// The latest known state of the room.
    room: Option<Arc<Room>>,
    invitation: Option<Invitation>,
    /// The number of the last challenge whose room is closed because it was not accepted.
    ended_challenge: Option<u64>,
    begun: Instant,
    look_up_at: Instant,
    seek_at: Instant,
    /// The occupancy to report next.
    occupancy: Option<Occupancy>,
    /// The occupancy that the board has sent last.
    last_occupancy: Option<Occupancy>,
    /// The occupancy that was reported last.
    reported: Option<Occupancy>,
    report_at: Instant,
    /// The game on the board, as the room that follows it has it.
    followed: Option<BoardGame>,
    /// The game that is in the list of the board's games, and how it ended.
    listed: Option<(RoomId, u32, Option<Verdict>)>,
    /// When to follow it again, after a failure.
    follow_at: Instant,
    /// The last turn for which a script was asked what the moves do.
    footprints_requested: Option<TurnOfGame>,
    console: ConsoleService,
}

/// What a board's session waits for.
#[expect(clippy::large_enum_variant, reason = "it lives only while it is handled, and a caller is the rare case")]
pub(super) enum BoardEvent {
    Update(Result<Arc<RoomUpdate>, UpdatesEnded>),
    Replaced(Caller),
    /// The registry of boards has changed.
    RegistryChanged,
    Console(ConsoleEvent),
    Wake,
}

impl BoardConnection {
    /// Serves a board until its connection ends.
    pub(super) async fn serve(server: BoardServer, board: Paired, mut mailbox: mpsc::Receiver<Caller>) {
        let mut next = mailbox.recv().await;
        while let Some(caller) = next {
            match Box::pin(Self::begin(server.clone(), board.clone(), mailbox, caller)).await {
                Ok((peer, connection)) => return run(peer, connection).await,
                Err((close_cause, queue)) => {
                    tracing::info!(board = %board.name, why = %close_cause, "board rejected");
                    mailbox = queue;
                }
            }
            // A replayed handshake must not take the board's own connection with it, which may wait in the queue.
            next = mailbox.try_recv().ok();
            if next.is_none() {
                // A connection that comes from now on starts another task.
                mailbox.close();
                next = mailbox.try_recv().ok();
            }
        }
    }

    async fn begin(
        server: BoardServer,
        board: Paired,
        mailbox: mpsc::Receiver<Caller>,
        caller: Caller,
    ) -> Result<(Peer, Self), (CloseCause, mpsc::Receiver<Caller>)> {
        let kept = match stored_session(&server, &board).await {
            Ok(kept) => kept,
            Err(error) => return Err((error.into(), mailbox)),
        };
        let (relay_session, version) = match kept {
            None => (RelaySession::new(crate::random::roll()), 0),
            Some((version, bytes)) => {
                let record = serde_json::from_slice::<BoardRecord>(&bytes).ok();
                // An unreadable record counts as lost: the link then exchanges snapshots.
                let relay_session = record
                    .and_then(RelaySession::from_record)
                    .unwrap_or_else(|| RelaySession::new(crate::random::roll()));
                (relay_session, version)
            }
        };
        let now = Instant::now();
        let Caller { channel, mut hello, socket, client } = caller;
        let console = ConsoleService::new(ConsoleEndpoint::closed());
        let peer = Peer::new::<Self>(socket, client, rate(), server.stopping().clone());
        let mut connection = Self {
            server,
            board,
            relay_session,
            version,
            mailbox,
            handle: None,
            room: None,
            invitation: None,
            ended_challenge: None,
            begun: now,
            look_up_at: now,
            seek_at: now,
            occupancy: None,
            last_occupancy: None,
            reported: None,
            report_at: now,
            followed: None,
            listed: None,
            follow_at: now,
            footprints_requested: None,
            console,
        };
        match connection.accept(channel, &mut hello).await {
            Ok(()) => Ok((peer, connection)),
            Err(close_cause) => Err((close_cause, connection.mailbox)),
        }
    }

    /// Verifies the first encrypted frame of the board.
    async fn accept(&mut self, channel: Channel, hello: &mut [u8]) -> Result<(), CloseCause> {
        let accepted = self.relay_session.accept(channel, hello, self.clock());
        // Also if it was rejected: a session that finds that it has lost state must store that.
        self.keep().await?;
        let software = accepted?;
        tracing::info!(board = %self.board.name, ?software, "board connected");
        self.console = ConsoleService::new(self.server.open_console(self.board.id(), software));
        if let Some(old) = self.board.replaces.take() {
            self.server.registry().promote_key(&self.board.name, self.board.id()).await?;
            self.server.relay().store().remove(Collection::Sessions, &old.to_string()).await?;
            tracing::info!(board = %self.board.name, "board uses its new key, the old key is invalid from now on");
            self.server.registry_changed().notify_waiters();
        }
        Ok(())
    }

    /// The time of the link session, from the start of the connection.
    fn clock(&self) -> board::Instant {
        board::Instant::at(self.begun.elapsed().as_millis().try_into().unwrap_or(u64::MAX))
    }

    fn wake_at(&self) -> Instant {
        let link = self.relay_session.wake_at().map(|at| self.begun + Duration::from_millis(at.milliseconds()));
        let report = self.occupancy.map(|_| self.report_at);
        [link, report].into_iter().flatten().fold(self.look_up_at, Instant::min)
    }

    fn settle(&mut self) {
        self.relay_session.settle(self.room.as_deref(), self.server.relay().store().now());
    }

    /// Takes a state of the room, unless a newer one is known.
    fn see(&mut self, room: &Arc<Room>) {
        let is_older =
            self.room.as_ref().is_some_and(|known| known.id() == room.id() && known.version() > room.version());
        if !is_older {
            self.room = Some(room.clone());
        }
    }

    async fn look(&mut self) -> Result<(), CloseCause> {
        if let Some(handle) = &self.handle {
            let room = handle.look().await?;
            self.see(&room);
        }
        Ok(())
    }

    /// Replaces the connection by a new one of the same board, if its handshake is valid.
    async fn replace(&mut self, caller: Caller, peer: &mut Peer) -> Result<(), CloseCause> {
        let Caller { channel, mut hello, socket, client } = caller;
        match self.relay_session.accept(channel, &mut hello, self.clock()) {
            Ok(software) => {
                tracing::info!(board = %self.board.name, ?software, "board reconnected");
                self.console = ConsoleService::new(self.server.open_console(self.board.id(), software));
                let old = std::mem::replace(&mut peer.socket, socket);
                peer.client = client;
                peer.rate = rate();
                tokio::spawn(handshake::close(old, close_code::NORMAL));
                Ok(())
            }
            // The old connection has ended as well, and the session must store that it has lost state.
            Err(broken @ board::session::LinkError::StateLost) => {
                self.keep().await?;
                Err(broken.into())
            }
            Err(broken) => {
                tracing::debug!(board = %self.board.name, %broken, "connection rejected: handshake does not match the board's key");
                tokio::spawn(handshake::close(socket, close_code::POLICY));
                Ok(())
            }
        }
    }

    /// Handles a message of the board.
    async fn take(&mut self, message: Message, peer: &mut Peer) -> Result<(), CloseCause> {
        let busy_since = Instant::now();
        // Delays the next read; a board is never refused a message.
        let _ = peer.rate.count()?;
        let mut frame: Vec<u8> = match message {
            Message::Binary(frame) => frame.into(),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(CloseCause::ConnectionLost),
            Message::Text(_) => return Err(CloseCause::ProtocolViolation),
        };
        match self.relay_session.receive(&mut frame, self.clock())? {
            None => {}
            Some(Unnumbered::Occupancy(occupancy)) => {
                self.occupancy = Some(occupancy);
                self.last_occupancy = Some(occupancy);
            }
            Some(Unnumbered::Goodbye(reason)) => return Err(CloseCause::Left(reason)),
        }
        while let Some(pending) = self.relay_session.next_act(self.room.as_deref()) {
            let is_done = self.execute(pending).await?;
            self.relay_session.answered(is_done);
        }
        self.reset_keepalive(busy_since);
        Ok(())
    }

    /// Restarts the keepalive timer if the session has not read for long.
    fn reset_keepalive(&mut self, busy_since: Instant) {
        if busy_since.elapsed() >= LONG_PAUSE {
            self.relay_session.reset_keepalive(self.clock());
        }
    }

    /// Executes an act. Returns whether the room accepted it, now or before.
    async fn execute(&mut self, PendingAct { act, event }: PendingAct) -> Result<bool, CloseCause> {
        let (Some(handle), Some(act)) = (&self.handle, act) else { return Ok(false) };
        let since = Instant::now();
        let is_move = matches!(act, Act::Move { .. });
        let done = match event {
            Some(event) => handle.act_once(act, event).await,
            None => handle.act(act).await,
        };
        let is_done = match done {
            Ok(()) => {
                if is_move {
                    metrics::move_stored(since.elapsed());
                }
                true
            }
            Err(ActError::Refused(refusal)) => {
                tracing::debug!(board = %self.board.name, %refusal, "room refused the act of a board");
                false
            }
            Err(ActError::Script(error)) => {
                tracing::info!(board = %self.board.name, %error, "script failed on an act of a board, explaining it in the chat");
                // A board shows the way back in light. The reason is text, and the chat is what both players can read.
                match handle.act(Act::Chat { text: error.to_string() }).await {
                    Ok(()) | Err(ActError::Refused(_) | ActError::Script(_)) => {}
                    Err(error) => return Err(error.into()),
                }
                false
            }
            Err(error) => return Err(error.into()),
        };
        self.look().await?;
        Ok(is_done)
    }

    /// Reads the registry: whether the board is still paired, and its invitation.
    async fn look_up(&mut self) -> Result<(), CloseCause> {
        let mut found = self.server.registry().read(self.board.name.as_str()).await?.map(|(board, _)| board);
        if found.is_none() {
            // The board may have another name now.
            found = self.server.index().find(self.board.id(), self.server.registry()).await?;
        }
        // With another key but the same code, the board has connected with its new key, and plays on there.
        let is_rekeyed = found.as_ref().is_some_and(|board| board.code == self.board.code);
        let board = found.and_then(|board| board.under(self.board.id()));
        let now = self.server.relay().store().now();
        self.board = board.ok_or(if is_rekeyed { CloseCause::Replaced } else { CloseCause::Unpaired })?;
        self.invitation = self.board.invitation.clone().filter(|invitation| invitation.is_fresh(now));
        self.look_up_at = Instant::now() + LOOK_UP;
        self.end_challenge(now).await
    }

    /// Sends all pending frames.
    async fn send(&mut self, peer: &mut Peer) -> Result<(), CloseCause> {
        let mut buffer = [0; MAX_FRAME];
        while let Some(len) = self.relay_session.transmit(&mut buffer, self.clock())? {
            metrics::sent_to_board(self.relay_session.take_resent());
            peer.send([binary(&buffer, len)]).await?;
        }
        Ok(())
    }

    /// Reports the occupancy to the room, at most once per interval.
    fn report_occupancy(&mut self) {
        let now = Instant::now();
        if now >= self.report_at
            && let Some(occupancy) = self.occupancy.take()
        {
            self.report_at = now + REPORT_INTERVAL;
            self.reported = Some(occupancy);
            if let Some(handle) = &self.handle {
                handle.report_occupancy(occupancy);
            }
        }
    }

    /// Publishes the state of the board to its followers, who follow chess only.
    fn publish(&self) {
        let Some(game) = self.relay_session.game().chess() else {
            // What the pieces show is not the last game of chess any more.
            return self.server.feed().disconnected(&Serial::of(self.board.id()));
        };
        let occupancy = self.last_occupancy;
        self.server.feed().publish(BoardView {
            name: self.board.name.clone(),
            serial: Serial::of(self.board.id()),
            is_online: true,
            start: *game.start(),
            moves: game.moves().to_vec(),
            position: *game.position(),
            occupied: occupancy.map_or(Bitboard::EMPTY, |occupancy| occupancy.occupied),
            is_settled: occupancy.is_some_and(|occupancy| !occupancy.in_hand.any() && !occupancy.misplaced.any()),
            is_newest_remote: self.relay_session.remote_color() == Some(!game.position().turn()),
        });
    }
}

impl ConnectionProtocol for BoardConnection {
    const DIALECT: &'static str = "board";
    // The link session has its own keepalive.
    const KEEPALIVE: bool = false;
    type Event = BoardEvent;
    type End = CloseCause;

    async fn advance(&mut self, peer: &mut Peer) -> Result<(), CloseCause> {
        let busy_since = Instant::now();
        if busy_since >= self.look_up_at {
            self.look_up().await?;
        }
        self.request_footprints().await?;
        self.settle();
        self.settle_challenge().await?;
        self.find_seat(peer.client.as_ref()).await?;
        self.settle();
        self.follow_local_game(peer.client.as_ref()).await?;
        self.list_shared_game().await;
        self.keep().await?;
        self.reset_keepalive(busy_since);
        self.settle_console();
        self.send(peer).await?;
        self.report_occupancy();
        self.show_live();
        self.publish();
        Ok(())
    }

    async fn next(&mut self) -> BoardEvent {
        let wake_at = self.wake_at();
        let Self { handle, mailbox, server, console, .. } = self;
        tokio::select! {
            Some(caller) = mailbox.recv() => BoardEvent::Replaced(caller),
            update = next(handle) => BoardEvent::Update(update),
            event = console.next() => BoardEvent::Console(event),
            () = sleep_until(wake_at) => BoardEvent::Wake,
            () = server.registry_changed().notified() => BoardEvent::RegistryChanged,
        }
    }

    fn is_ready(&self) -> bool {
        true
    }

    async fn handle(&mut self, event: BoardEvent, peer: &mut Peer) -> Result<(), CloseCause> {
        match event {
            BoardEvent::Update(Ok(update)) => {
                if is_arrival(&update.update) {
                    self.occupancy = self.occupancy.or(self.reported);
                }
                if let Update::Entry(entry) = &update.update
                    && let Fact::Moved { took, .. } = entry.fact
                {
                    self.relay_session.note_thought(update.room.game().len().saturating_sub(1), took);
                }
                self.see(&update.room);
                Ok(())
            }
            // The state of the room contains what was missed.
            BoardEvent::Update(Err(UpdatesEnded::Lagged)) => self.look().await,
            BoardEvent::Update(Err(UpdatesEnded::Ended)) => Err(CloseCause::Stopping),
            BoardEvent::Replaced(caller) => self.replace(caller, peer).await,
            BoardEvent::RegistryChanged => {
                self.look_up_at = Instant::now();
                Ok(())
            }
            BoardEvent::Console(event) => {
                self.handle_console(event);
                Ok(())
            }
            BoardEvent::Wake => Ok(()),
        }
    }

    async fn receive(&mut self, message: Message, peer: &mut Peer) -> Result<(), CloseCause> {
        self.take(message, peer).await
    }

    async fn close(mut self, mut peer: Peer, close_cause: CloseCause) {
        tracing::info!(board = %self.board.name, why = %close_cause, "board disconnected");
        if let Some(reason) = close_cause.drop_reason() {
            metrics::dropped(reason);
        }
        self.server.feed().disconnected(&Serial::of(self.board.id()));
        self.release(&close_cause).await;
        if let Some(goodbye) = close_cause.goodbye() {
            self.relay_session.send_goodbye(goodbye);
            let mut buffer = [0; MAX_FRAME];
            if let Ok(Some(len)) = self.relay_session.transmit(&mut buffer, self.clock()) {
                let _ = peer.send([binary(&buffer, len)]).await;
            }
        }
        // In a task of its own, so that the board can reconnect meanwhile.
        tokio::spawn(async move {
            let Peer { socket, client, .. } = peer;
            handshake::close(socket, close_code::NORMAL).await;
            drop(client);
        });
    }
}

/// The stored session of a board with its version. When a board uses its next key for the first time, the session under the old key
/// goes on.
async fn stored_session(server: &BoardServer, board: &Paired) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
    let store = server.relay().store();
    if let Some(kept) = store.read(Collection::Sessions, &board.id().to_string()).await? {
        return Ok(Some((kept.version, kept.bytes)));
    }
    let Some(old) = board.replaces else { return Ok(None) };
    let kept = store.read(Collection::Sessions, &old.to_string()).await?;
    Ok(kept.map(|kept| (0, kept.bytes)))
}

/// The rate limit of a board: the longest possible game takes 72 frames. A board that sends more is read more slowly.
fn rate() -> Rate {
    const BURST: NonZeroU32 = NonZeroU32::new(256).unwrap();
    Rate::delay(BURST, Duration::from_millis(20))
}

fn binary(buffer: &[u8], len: usize) -> Message {
    Message::Binary(buffer.get(..len).unwrap_or_default().to_vec().into())
}

/// Whether a participant has entered, who has not received the occupancy yet.
fn is_arrival(news: &Update) -> bool {
    match news {
        Update::Entry(entry) => matches!(entry.fact, Fact::Connected { .. }),
        Update::Transient(transient) => matches!(transient, Transient::Spectators { .. }),
    }
}

/// The next update of the room; never, without a room.
async fn next(handle: &mut Option<RoomHandle>) -> Result<Arc<RoomUpdate>, UpdatesEnded> {
    match handle {
        Some(handle) => handle.next().await,
        None => pending().await,
    }
}
