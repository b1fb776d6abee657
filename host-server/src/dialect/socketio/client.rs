//! The task of one client: opens and joins rooms, and passes the events of each room to its seat.

use std::collections::HashMap;

use tokio::sync::mpsc;

use super::arguments::{Request, RoomRequest, refused};
use super::event::ServerEvent;
use super::outbox::Outbox;
use super::seat::SeatTask;
use super::{NAME, SocketIoState};
use crate::boards::BoardAway;
use crate::dialect::connection::{Checked, Rate};
use crate::metrics::{self, ConnectionGauge, JoinResult};
use crate::relay::{Claim, EnterError, RoomHandle, SeatRequest};
use crate::room::{Code, Name, Participant, SideChoice};
use crate::server::{ClientContext, RetryAfter};
use crate::store::{Created, StoreError};

/// Rooms that one client may be in at the same time.
const MAX_ROOMS: usize = 8;

/// Requests that wait for the seat of a room.
const SEAT_QUEUE: usize = 16;

/// An event as it is queued: see [`Request::decode`].
pub(super) type Received = Option<Result<Request, Vec<ServerEvent>>>;

pub(super) struct Client {
    outbox: Outbox,
    /// Keeps the connection counted, and has its limits.
    context: ClientContext,
    state: SocketIoState,
    rate: Rate,
    seats: HashMap<Code, mpsc::Sender<RoomRequest>>,
    _gauge: ConnectionGauge,
}

/// Why a client does not get into a room.
#[derive(Debug, thiserror::Error)]
enum JoinError {
    #[error("too many requests: {0}")]
    Rate(RetryAfter),
    #[error("{0}")]
    Enter(#[from] EnterError),
    #[error("{}", .0.for_clients())]
    Store(#[from] StoreError),
    #[error("a client may be in {MAX_ROOMS} rooms at the same time")]
    TooManyRooms,
    #[error("this client is in that room already")]
    HereAlready,
    #[error("{0}")]
    Board(#[from] BoardAway),
    #[error("the rules of that game are {0}, not chess")]
    NotChess(&'static str),
}

impl From<RetryAfter> for JoinError {
    fn from(wait: RetryAfter) -> Self {
        Self::Rate(wait)
    }
}

impl Client {
    pub(super) fn new(outbox: Outbox, context: ClientContext, state: SocketIoState) -> Self {
        let rate = Rate::refuse(context.messages());
        let gauge = metrics::connected(NAME);
        Self { outbox, context, state, rate, seats: HashMap::new(), _gauge: gauge }
    }

    /// Handles events until the client is to be disconnected, and disconnects it.
    pub(super) async fn run(self, events: mpsc::Receiver<Received>) {
        // The rooms are left before the client is disconnected.
        self.outbox.clone().until_end(self.serve(events)).await;
    }

    async fn serve(mut self, mut events: mpsc::Receiver<Received>) {
        while let Some(received) = events.recv().await {
            match self.rate.count() {
                Err(_) => return,
                Ok(Checked::Exceeded(wait)) => {
                    self.outbox.send([refused("message", format_args!("too many: {wait}"))]);
                }
                Ok(Checked::Within) => self.handle(received).await,
            }
        }
    }

    async fn handle(&mut self, received: Received) {
        let request = match received {
            None => return,
            Some(Ok(request)) => request,
            Some(Err(reply)) => return self.outbox.send(reply),
        };
        match request {
            Request::Create { name } => {
                if let Err(error) = self.create(name).await {
                    self.outbox.send([refused("roomCreate", error)]);
                }
            }
            Request::Join { code, name } => {
                if let Err(error) = self.join(code, name).await {
                    let is_full = matches!(error, JoinError::Enter(EnterError::Taken));
                    let event = if is_full { ServerEvent::RoomFull } else { ServerEvent::InvalidRoomId };
                    self.outbox.send([event, refused("roomJoin", error)]);
                }
            }
            Request::ReJoin { code, token } => {
                if let Err(error) = self.rejoin(code, token).await {
                    self.outbox.send([ServerEvent::InvalidRoomId, refused("reJoin", error)]);
                }
            }
            Request::CountdownFinished => {}
            Request::InRoom { code, what } => {
                if let Err(wait) = self.context.try_act(0) {
                    return self.outbox.send([what.refusal(wait)]);
                }
                let is_passed_on = match self.seats.get(&code) {
                    Some(seat) => seat.send(what).await.is_ok(),
                    None => false,
                };
                if !is_passed_on {
                    self.outbox.send([what.refusal("this client is not in that room")]);
                }
            }
        }
    }

    async fn create(&mut self, name: Name) -> Result<(), JoinError> {
        self.check_room_count()?;
        self.context.try_open_room()?;
        let code = loop {
            let code = crate::random::code();
            if self.state.relay.open(&code, (*self.state.terms).clone()).await? == Created::Done {
                break code;
            }
        };
        let claim = Claim::Sit(SeatRequest::new(SideChoice::Random));
        let handle = self.state.relay.enter(&code, Participant::new(name), claim, None).await?;
        self.sit(code, handle, false);
        Ok(())
    }

    async fn join(&mut self, code: Code, name: Name) -> Result<(), JoinError> {
        self.check_room_count()?;
        if self.seats.contains_key(&code) {
            return Err(JoinError::HereAlready);
        }
        match self.state.relay.store().find(&code).await? {
            None => self.context.try_code()?,
            Some(_) => self.context.try_known_code(&code)?,
        }
        self.check_rules(&code).await?;
        let claim = Claim::Sit(SeatRequest::new(SideChoice::Random));
        if let Some(refusal) = self.state.registry.refusal(&code, &claim).await? {
            return Err(refusal.into());
        }
        self.charge_replay(&code).await?;
        self.context.try_seat()?;
        let handle = self.state.relay.enter(&code, Participant::new(name), claim, None).await?;
        self.sit(code, handle, false);
        Ok(())
    }

    async fn rejoin(&mut self, code: Code, token: String) -> Result<(), JoinError> {
        self.check_room_count()?;
        if let Err(error) = self.check_rules(&code).await {
            self.context.try_known_code(&code)?;
            return Err(error);
        }
        self.charge_replay(&code).await?;
        self.context.try_seat()?;
        // The name of the seat stays.
        let name = "Player".parse().expect("it is a valid name");
        let entered = self.state.relay.enter(&code, Participant::new(name), Claim::Resume { token }, None).await;
        if let Err(EnterError::WrongToken | EnterError::NoRoom) = &entered {
            self.context.try_code()?;
        }
        self.sit(code, entered?, true);
        Ok(())
    }

    /// Charges the replay of a long log.
    async fn charge_replay(&self, code: &Code) -> Result<(), JoinError> {
        if let Some(room) = self.state.relay.find(code).await? {
            self.state.relay.charge_replay(room, |cost| self.context.try_replay(cost)).await??;
        }
        Ok(())
    }

    /// The events have no form for a game under other rules. A room that does not exist passes: entering it is refused.
    async fn check_rules(&self, code: &Code) -> Result<(), JoinError> {
        match self.state.relay.terms(code).await? {
            Some(terms) if terms.start().chess().is_none() => Err(JoinError::NotChess(terms.start().name())),
            _ => Ok(()),
        }
    }

    fn check_room_count(&mut self) -> Result<(), JoinError> {
        self.seats.retain(|_, seat| !seat.is_closed());
        if self.seats.len() < MAX_ROOMS { Ok(()) } else { Err(JoinError::TooManyRooms) }
    }

    /// Starts the task of the seat. It ends when the client is dropped, since the sender is then dropped too.
    fn sit(&mut self, code: Code, handle: RoomHandle, returns: bool) {
        metrics::joined(if returns { JoinResult::Return } else { JoinResult::Player });
        let token = handle.token().map(str::to_owned);
        let (sender, requests) = mpsc::channel(SEAT_QUEUE);
        let seat = SeatTask::new(self.outbox.clone(), handle);
        // Before the task runs, since the answer to the client's next event may be sent before that.
        seat.welcome(token.as_deref(), returns);
        tokio::spawn(seat.run(requests));
        self.seats.insert(code, sender);
    }
}
