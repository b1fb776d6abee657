//! The task that looks after one board while it is connected.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, close_code};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};
use wire::link::{MAX_FRAME, Wood};

use super::agent::{Agent, Errand, Passing, Plan};
use super::door;
use super::house::{Caller, House};
use super::pace::Pace;
use super::parting::Parting;
use super::place::Place;
use super::record::Record;
use super::want::Want;
use crate::boards::{Invitation, Paired};
use crate::relay::{Attendance, Claim, CommandError, EnterError, Gone, News, Visitor, Whisper};
use crate::room::{Command, Fact, Room, RoomId, Wish};
use crate::server::{Door, metrics};
use crate::store::{Drawer, StoreError};

/// How often the registry is asked whether the board is still paired, and where it should play.
const LOOK_UP: Duration = Duration::from_secs(2);

/// How long a board that found no seat waits before it looks again.
const SEEK_AGAIN: Duration = Duration::from_secs(5);

/// The wood is not shown more often than this. A hand over the board changes it hundreds of times a second.
const SHOW_WOOD: Duration = Duration::from_millis(100);

/// A board that was not listened to for so long, because the store did not answer, was not silent.
const INATTENTIVE: Duration = Duration::from_secs(1);

/// How often a store that cannot be reached is tried.
const TRIES: u32 = 5;

pub(super) struct Attendant {
    house: House,
    board: Paired,
    agent: Agent,
    /// The version of the record. Only who knows it may write another one.
    version: u64,
    socket: WebSocket,
    /// The connection counts for as long as this is here.
    door: Option<Door>,
    attendance: Option<Attendance>,
    /// The room as it was last seen.
    room: Option<Arc<Room>>,
    invitation: Option<Invitation>,
    begun: Instant,
    pace: Pace,
    look_up_at: Instant,
    seek_at: Instant,
    wood: Option<Wood>,
    /// The wood as the others have seen it last.
    shown: Option<Wood>,
    wood_at: Instant,
    _connected: metrics::Connected,
}

impl Attendant {
    /// Looks after a board until its connection ends.
    pub(super) async fn serve(house: House, board: Paired, mut mailbox: mpsc::Receiver<Caller>) {
        let Some(caller) = mailbox.recv().await else { return };
        let name = board.name.clone();
        let mut attendant = match Self::begin(house, board, caller).await {
            Ok(attendant) => attendant,
            Err(parting) => return tracing::info!(board = %name, why = %parting, "a board could not be let in"),
        };
        let parting = match attendant.live(&mut mailbox).await {
            Ok(never) => match never {},
            Err(parting) => parting,
        };
        tracing::info!(board = %name, why = %parting, "a board is no longer connected");
        attendant.part(parting).await;
    }

    async fn begin(house: House, board: Paired, caller: Caller) -> Result<Self, Parting> {
        let kept = house.relay().store().read(Drawer::Sessions, &board.id().to_string()).await?;
        let (agent, version) = match kept {
            None => (Agent::new(crate::dice::roll()), 0),
            Some(kept) => {
                let record = serde_json::from_slice::<Record>(&kept.bytes).ok();
                // A relay that cannot read what it has written has lost its memory, and the link knows what to do then.
                let agent = record.and_then(Agent::from_record).unwrap_or_else(|| Agent::new(crate::dice::roll()));
                (agent, kept.version)
            }
        };
        let now = Instant::now();
        let Caller { channel, mut hello, socket, door } = caller;
        let mut attendant = Self {
            house,
            board,
            agent,
            version,
            socket,
            door,
            attendance: None,
            room: None,
            invitation: None,
            begun: now,
            pace: Pace::new(now),
            look_up_at: now,
            seek_at: now,
            wood: None,
            shown: None,
            wood_at: now,
            _connected: metrics::connected(metrics::Tongue::Board),
        };
        let accepted = attendant.agent.accept(channel, &mut hello, attendant.clock());
        // Also if it was not accepted: see there.
        attendant.keep().await?;
        let software = accepted?;
        tracing::info!(board = %attendant.board.name, ?software, "a board is connected");
        Ok(attendant)
    }

    async fn live(&mut self, mailbox: &mut mpsc::Receiver<Caller>) -> Result<std::convert::Infallible, Parting> {
        let house = self.house.clone();
        loop {
            let busy_since = Instant::now();
            if busy_since >= self.look_up_at {
                self.look_up().await?;
            }
            self.settle();
            self.find_seat().await?;
            self.settle();
            self.keep().await?;
            self.excuse(busy_since);
            self.send().await?;
            self.show_wood();
            let (wake_at, ready_at) = (self.wake_at(), self.pace.ready_at());
            let is_ready = Instant::now() >= ready_at;
            let Self { socket, attendance, .. } = self;
            tokio::select! {
                message = socket.recv(), if is_ready => {
                    let message = message.ok_or(Parting::Gone)?.map_err(|_| Parting::Gone)?;
                    self.take(message).await?;
                }
                () = sleep_until(ready_at), if !is_ready => {}
                heard = next(attendance) => match heard {
                    Ok(happening) => {
                        if brings_somebody(&happening.news) {
                            self.wood = self.wood.or(self.shown);
                        }
                        if let News::Entry(entry) = &happening.news
                            && let Fact::Moved { took, .. } = entry.fact
                        {
                            self.agent.note_thought(happening.room.game().moves().len().saturating_sub(1), took);
                        }
                        self.see(&happening.room);
                    }
                    // What was missed is in the room.
                    Err(Gone::Behind) => self.look().await?,
                    Err(Gone::Ended) => return Err(Parting::Stopping),
                },
                Some(caller) = mailbox.recv() => self.replace(caller).await?,
                () = sleep_until(wake_at) => {}
                () = house.nudge().notified() => self.look_up_at = Instant::now(),
                () = house.stopping().cancelled() => return Err(Parting::Stopping),
            }
        }
    }

    /// What time it is on the link.
    fn clock(&self) -> board::Instant {
        board::Instant::at(self.begun.elapsed().as_millis().try_into().unwrap_or(u64::MAX))
    }

    fn wake_at(&self) -> Instant {
        let link = self.agent.wake_at().map(|at| self.begun + Duration::from_millis(at.milliseconds()));
        let wood = self.wood.map(|_| self.wood_at);
        [link, wood].into_iter().flatten().fold(self.look_up_at, Instant::min)
    }

    fn settle(&mut self) {
        self.agent.settle(self.room.as_deref(), self.house.relay().store().now());
    }

    /// The room is like this now, unless something newer is known.
    fn see(&mut self, room: &Arc<Room>) {
        let is_older =
            self.room.as_ref().is_some_and(|known| known.id() == room.id() && known.version() > room.version());
        if !is_older {
            self.room = Some(room.clone());
        }
    }

    async fn look(&mut self) -> Result<(), Parting> {
        if let Some(attendance) = &self.attendance {
            let room = attendance.look().await?;
            self.see(&room);
        }
        Ok(())
    }

    /// The board has called again. If that is really the board, the connection before is of no more use.
    async fn replace(&mut self, caller: Caller) -> Result<(), Parting> {
        let Caller { channel, mut hello, socket, door } = caller;
        match self.agent.accept(channel, &mut hello, self.clock()) {
            Ok(software) => {
                tracing::info!(board = %self.board.name, ?software, "a board has connected again");
                let old = std::mem::replace(&mut self.socket, socket);
                self.door = door;
                self.pace = Pace::new(Instant::now());
                tokio::spawn(door::close(old, close_code::NORMAL));
                Ok(())
            }
            // Then there is no connection at all any more, and this must be remembered.
            Err(broken @ board::session::Broken::Forgetful) => {
                self.keep().await?;
                Err(broken.into())
            }
            Err(broken) => {
                tracing::debug!(board = %self.board.name, %broken, "somebody knocked who is not the board");
                tokio::spawn(door::close(socket, close_code::POLICY));
                Ok(())
            }
        }
    }

    /// Takes what came over the connection.
    async fn take(&mut self, message: Message) -> Result<(), Parting> {
        let busy_since = Instant::now();
        self.pace.count(Instant::now());
        let mut frame: Vec<u8> = match message {
            Message::Binary(frame) => frame.into(),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(Parting::Gone),
            Message::Text(_) => return Err(Parting::Confused),
        };
        match self.agent.receive(&mut frame, self.clock())? {
            None => {}
            Some(Passing::Wood(wood)) => self.wood = Some(wood),
            Some(Passing::Goodbye(reason)) => return Err(Parting::Left(reason)),
        }
        while let Some(errand) = self.agent.errand(self.room.as_deref()) {
            let is_done = self.run(errand).await?;
            self.agent.answered(is_done);
        }
        self.excuse(busy_since);
        Ok(())
    }

    /// Something else was waited for since then.
    fn excuse(&mut self, busy_since: Instant) {
        if busy_since.elapsed() >= INATTENTIVE {
            self.agent.excuse(self.clock());
        }
    }

    /// Asks the room for something. Returns whether it has done it, now or before.
    async fn run(&mut self, Errand { want, from }: Errand) -> Result<bool, Parting> {
        let Some(attendance) = &self.attendance else { return Ok(false) };
        if want == Want::Nonsense {
            return Ok(false);
        }
        let (dice, since) = (crate::dice::roll(), Instant::now());
        let command = move |color| want.command(color, dice).unwrap_or(Command::Tick { dice });
        let done = match from {
            Some((stream, number)) => attendance.play_from(command, stream, number).await,
            None => attendance.play(command).await,
        };
        let is_done = match done {
            Ok(()) => {
                if matches!(want, Want::Move { .. }) {
                    metrics::move_stored(since.elapsed());
                }
                true
            }
            Err(CommandError::Refused(refusal)) => {
                tracing::debug!(board = %self.board.name, %refusal, ?want, "a room refuses what a board wants");
                false
            }
            Err(error) => return Err(error.into()),
        };
        self.look().await?;
        Ok(is_done)
    }

    /// Sits down, or goes elsewhere, if it is time for that.
    async fn find_seat(&mut self) -> Result<(), Parting> {
        // One thing leads to another, but not for ever.
        for _ in 0..4 {
            if self.attendance.is_none()
                && let Some(place) = self.agent.place().cloned()
            {
                self.enter(place).await?;
                self.settle();
            }
            if let (Some(room), Some(place)) = (&self.room, self.agent.place())
                && room.seat_of(&place.user).is_none()
            {
                let room = room.id();
                self.lose_seat(room).await?;
            }
            let invitation = self.invitation.as_ref().map(|invitation| invitation.number);
            match self.agent.plan(self.room.as_deref(), invitation) {
                Plan::Stay => return Ok(()),
                Plan::PlayAgain => {
                    if let (Some(room), Some(attendance)) = (&self.room, &self.attendance) {
                        self.agent.asked_again(room);
                        let dice = crate::dice::roll();
                        // If the other does not want to, or has gone, that is all right.
                        match attendance.play(move |color| Command::OfferRematch { color, dice }).await {
                            Ok(()) | Err(CommandError::Refused(_)) => {}
                            Err(error) => return Err(error.into()),
                        }
                        self.look().await?;
                        self.settle();
                    }
                }
                Plan::Leave => self.leave().await?,
                Plan::Follow | Plan::SitDown if Instant::now() < self.seek_at => return Ok(()),
                Plan::Follow => {
                    if let Some(invitation) = &self.invitation {
                        let place = Place::new(invitation.code.clone(), invitation.wish, invitation.terms());
                        self.agent.seek(place, Some(invitation.number));
                        self.keep().await?;
                    }
                }
                Plan::SitDown => {
                    let place = Place::new(self.board.code.clone(), Wish::First, crate::boards::terms(None));
                    self.agent.seek(place, None);
                    self.keep().await?;
                }
            }
        }
        Ok(())
    }

    /// Goes to the place that is written down.
    async fn enter(&mut self, place: Place) -> Result<(), Parting> {
        let relay = self.house.relay().clone();
        let visitor = Visitor { id: place.user.clone(), name: self.board.name.clone() };
        let resume = Claim::Resume { token: place.token.clone() };
        let entered = match place.room {
            Some(room) => relay.enter_room(room, visitor.clone(), resume).await,
            None => relay.enter(&place.code, visitor.clone(), resume, None).await,
        };
        let attendance = match (entered, place.room) {
            (Ok(attendance), _) => attendance,
            (Err(EnterError::NoRoom | EnterError::Closed | EnterError::WrongToken), Some(room)) => {
                return self.lose_seat(room).await;
            }
            // It was written down, and never done.
            (Err(EnterError::NoRoom | EnterError::Closed | EnterError::WrongToken), None) => {
                let invitation = crate::relay::Invitation { wish: place.wish, token: place.token };
                match relay.enter(&place.code, visitor, Claim::Sit(invitation), Some(&place.terms)).await {
                    Ok(attendance) => attendance,
                    Err(EnterError::Store(error)) => return Err(error.into()),
                    Err(EnterError::Stopping) => return Err(Parting::Stopping),
                    Err(error) => {
                        tracing::debug!(board = %self.board.name, %error, "there is no seat for a board");
                        self.agent.lost_seat(None);
                        self.seek_at = Instant::now() + SEEK_AGAIN;
                        return Ok(());
                    }
                }
            }
            (Err(error), _) => return Err(error.into()),
        };
        let room = attendance.look().await?;
        self.agent.sat_down(room.id());
        self.room = Some(room);
        self.attendance = Some(attendance);
        Ok(())
    }

    /// The seat is somebody else's, or nobody's. How the last game there ended is in the log.
    async fn lose_seat(&mut self, room: RoomId) -> Result<(), Parting> {
        let mut end = None;
        if let Some(game) = self.agent.shared_game() {
            let log = self.house.relay().store().load(room, 0).await?;
            if let Some((first, rest)) = log.split_first()
                && let Some(mut room) = Room::from_log(std::slice::from_ref(first))
            {
                for entry in rest {
                    room.apply(entry);
                    if room.game_id().0 == game {
                        end = Some(room.clone());
                    }
                }
            }
        }
        self.agent.lost_seat(end.as_ref());
        self.attendance = None;
        self.room = None;
        Ok(())
    }

    /// Gives up the seat.
    async fn leave(&mut self) -> Result<(), Parting> {
        if let Some(attendance) = self.attendance.take() {
            match attendance.play(Command::Leave).await {
                Ok(()) | Err(CommandError::Refused(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.agent.lost_seat(None);
        self.room = None;
        Ok(())
    }

    /// Looks whether the board is still paired, and where it should play.
    async fn look_up(&mut self) -> Result<(), Parting> {
        let found = self.house.registry().read(self.board.name.as_str()).await?;
        let board = found.map(|(board, _)| board).filter(|board| board.id() == self.board.id());
        let now = self.house.relay().store().now();
        self.board = board.ok_or(Parting::Unpaired)?;
        self.invitation = self.board.invitation.clone().filter(|invitation| invitation.is_fresh(now));
        self.look_up_at = Instant::now() + LOOK_UP;
        Ok(())
    }

    /// Writes down what must not be forgotten, if there is something new.
    async fn keep(&mut self) -> Result<(), Parting> {
        if self.agent.is_unkept() {
            let record = self.agent.record().through(Some(self.house.relay().id()));
            self.write(&record).await?;
            self.agent.kept(&record);
        }
        Ok(())
    }

    async fn write(&mut self, record: &Record) -> Result<(), Parting> {
        let store = self.house.relay().store().clone();
        let name = self.board.id().to_string();
        let bytes = serde_json::to_vec(record).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let mut pause = Duration::from_millis(50);
        let mut failures = 0;
        let mut is_uncertain = false;
        loop {
            match store.write(Drawer::Sessions, &name, self.version, &bytes).await {
                Ok(Some(version)) => {
                    self.version = version;
                    return Ok(());
                }
                Ok(None) if is_uncertain => {
                    // Perhaps it was this very record that got through.
                    let found = store.read(Drawer::Sessions, &name).await?.filter(|found| found.bytes == bytes);
                    self.version = found.ok_or(Parting::Replaced)?.version;
                    return Ok(());
                }
                Ok(None) => return Err(Parting::Replaced),
                Err(error @ (StoreError::Unavailable(_) | StoreError::Unclear(_))) if failures < TRIES => {
                    metrics::store_failed("write");
                    is_uncertain |= matches!(error, StoreError::Unclear(_));
                    failures += 1;
                    sleep(pause).await;
                    pause *= 2;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Sends everything that there is to send.
    async fn send(&mut self) -> Result<(), Parting> {
        let mut buffer = [0; MAX_FRAME];
        while let Some(len) = self.agent.transmit(&mut buffer, self.clock())? {
            if !door::send(&mut self.socket, buffer.get(..len).unwrap_or_default()).await {
                return Err(Parting::Slow);
            }
        }
        Ok(())
    }

    /// Lets the others see the wood.
    fn show_wood(&mut self) {
        let now = Instant::now();
        if now >= self.wood_at
            && let Some(wood) = self.wood.take()
        {
            self.wood_at = now + SHOW_WOOD;
            self.shown = Some(wood);
            if let Some(attendance) = &self.attendance {
                attendance.show_wood(wood);
            }
        }
    }

    /// Ends it.
    async fn part(mut self, parting: Parting) {
        if let Some(reason) = parting.drop_reason() {
            metrics::dropped(reason);
        }
        if matches!(parting, Parting::Unpaired) {
            // It will not come back, and nobody should wait for it.
            let _ = self.leave().await;
            let _ = self.house.relay().store().remove(Drawer::Sessions, &self.board.id().to_string()).await;
        }
        // Others see that it is gone before the board can come back.
        self.attendance = None;
        if parting.leaves_record() {
            // Whatever is not in it yet the board will say again. If somebody else has it by now, all the better.
            if self.agent.is_whole() && !self.agent.is_unkept() {
                let record = self.agent.record().through(None);
                let _ = self.write(&record).await;
            }
        }
        if let Some(goodbye) = parting.goodbye() {
            self.agent.hang_up(goodbye);
            let mut buffer = [0; MAX_FRAME];
            if let Ok(Some(len)) = self.agent.transmit(&mut buffer, self.clock()) {
                let _ = door::send(&mut self.socket, buffer.get(..len).unwrap_or_default()).await;
            }
        }
        let Self { socket, door, .. } = self;
        tokio::spawn(async move {
            door::close(socket, close_code::NORMAL).await;
            drop(door);
        });
    }
}

/// Whether somebody has come who has not seen the wood yet.
fn brings_somebody(news: &News) -> bool {
    match news {
        News::Entry(entry) => matches!(entry.fact, Fact::Came { .. }),
        News::Whisper(whisper) => matches!(whisper, Whisper::Watching { .. }),
    }
}

/// What happens in the room, if there is one.
async fn next(attendance: &mut Option<Attendance>) -> Result<Arc<crate::relay::Happening>, Gone> {
    match attendance {
        Some(attendance) => attendance.next().await,
        None => pending().await,
    }
}
