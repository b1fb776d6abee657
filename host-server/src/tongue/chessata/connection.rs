//! One client's connection, from the greeting to the goodbye. It is one task, and it does one thing at a time.

use std::future;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt;
use tokio::time::{Instant, timeout};

use super::asking::{self, Asked, Want};
use super::greeting::{Newcomer, greet};
use super::reading::LONGEST;
use super::telling::{self, Hearer};
use super::writing::Extra;
use crate::relay::{Answer, Attendance, CommandError, Gone, Happening};
use crate::room::{Command, Phase, Room};
use crate::server::{Beat, Door, Goodbye, Keepalive, MessageRate, metrics, part, reading_failed};
use crate::tongue::complaint::Complaint;
use crate::tongue::frame;

/// Somebody who does not take what is sent for so long does not read, or is not there.
const SEND_WITHIN: Duration = Duration::from_secs(10);
/// So many messages beyond the limit are answered, if as many within it do not come in between. Then it is no accident.
const PATIENCE: u32 = 100;
/// Saying goodbye is a courtesy.
const PART_WITHIN: Duration = Duration::from_secs(2);

/// Somebody who has come in.
pub(super) struct Guest {
    pub(super) attendance: Attendance,
    /// Whether they want to hear more than the document has.
    pub(super) extras: bool,
    /// The secret of their seat, if they know it.
    pub(super) token: Option<String>,
    pub(super) door: Door,
}

/// Why a conversation is over.
enum End {
    /// The room is closed, or the visitor has left it in so many words.
    Done,
    /// The visitor has gone.
    Gone,
    /// The visitor does not answer.
    Dead,
    /// The visitor goes on talking too much.
    Rate,
    /// The visitor sends what is not even a WebSocket.
    Nonsense(Goodbye),
    /// The visitor does not read.
    Slow,
    /// The visitor reads, but not quickly enough to be told everything.
    Behind,
    /// The visitor has sent something that is too large to be read at all.
    TooLarge,
    /// This relay does not look after the room any more.
    Restart,
}

/// What the visitor has asked for and waits for.
struct Asking {
    answer: Answer,
    what: What,
    since: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Move,
    Leave,
    Other,
}

struct Conversation {
    socket: WebSocket,
    attendance: Attendance,
    door: Door,
    /// The room as it was before what happens next.
    before: Arc<Room>,
    extras: bool,
    /// Whether the visitor knows the secret of the seat. Who does not can never come back to it, so to go is to leave.
    can_return: bool,
    rate: MessageRate,
    /// How much more was said beyond the limit than within it.
    excess: u32,
    asking: Option<Asking>,
    keepalive: Keepalive,
    _connected: metrics::Connected,
}

/// What a conversation waits for.
enum Event {
    Stop,
    Happened(Result<Arc<Happening>, Gone>),
    Answered(Result<(), CommandError>),
    Heard(Option<Result<Message, axum::Error>>),
    Silence(Beat),
}

/// Talks to somebody until one of both has enough.
pub(super) fn converse(socket: WebSocket, guest: Guest) -> impl Future<Output = ()> {
    let Guest { attendance, extras, token, door } = guest;
    let newcomer = Newcomer {
        visitor: attendance.visitor(),
        color: attendance.color(),
        token: token.as_deref(),
        extras,
        watching: attendance.watching(),
    };
    let greeting = greet(newcomer, attendance.room(), attendance.now());
    // In a box, since a future keeps a second place for whatever is moved into it.
    let conversation = Box::new(Conversation {
        socket,
        before: attendance.room().clone(),
        attendance,
        extras,
        can_return: token.is_some(),
        rate: door.messages(),
        excess: 0,
        door,
        asking: None,
        keepalive: Keepalive::default(),
        _connected: metrics::connected(metrics::Tongue::Chessata),
    });
    conversation.go_on(greeting)
}

impl Conversation {
    /// All that is not waiting is in boxes, which are there only while it is done: nearly all conversations are silent nearly
    /// all the time.
    async fn go_on(mut self: Box<Self>, greeting: Vec<Utf8Bytes>) {
        self.await_player();
        let mut next = Box::pin(send(&mut self.socket, greeting.into_iter())).await;
        let end = loop {
            if let Err(end) = next {
                break end;
            }
            let event = self.wait().await;
            next = Box::pin(self.attend_to(event)).await;
        };
        Box::pin(self.part(end)).await;
    }

    /// Waits for the next thing that concerns this visitor.
    ///
    /// What has happened comes before the answer to what was asked, so that nobody is refused something for a reason that they
    /// have not heard of yet. And who has asked for something is not heard any further until it is answered.
    async fn wait(&mut self) -> Event {
        let Self { socket, attendance, door, asking, keepalive, .. } = self;
        let is_asking = asking.is_some();
        tokio::select! {
            biased;
            () = door.stopping().cancelled() => Event::Stop,
            happening = attendance.next() => Event::Happened(happening),
            answer = answer_to(asking.as_mut()) => Event::Answered(answer),
            message = socket.recv(), if !is_asking => Event::Heard(message),
            // Who is not heard is not silent.
            beat = keepalive.beat(), if !is_asking => Event::Silence(beat),
        }
    }

    async fn attend_to(&mut self, event: Event) -> Result<(), End> {
        match event {
            Event::Happened(Ok(happening)) => self.tell(&happening).await,
            Event::Happened(Err(Gone::Behind)) => Err(End::Behind),
            Event::Happened(Err(Gone::Ended)) if self.before.phase() == Phase::Closed => Err(End::Done),
            Event::Happened(Err(Gone::Ended)) | Event::Stop => Err(End::Restart),
            Event::Answered(answer) => self.take(answer).await,
            Event::Heard(Some(Ok(message))) => {
                self.keepalive.heard();
                self.hear(message).await
            }
            Event::Heard(Some(Err(error))) => Err(match reading_failed(&error) {
                None => End::Gone,
                Some(Goodbye::Size) => End::TooLarge,
                Some(goodbye) => End::Nonsense(goodbye),
            }),
            Event::Heard(None) => Err(End::Gone),
            Event::Silence(Beat::Ping) => within(self.socket.send(Message::Ping(Bytes::new()))).await,
            Event::Silence(Beat::Dead) => Err(End::Dead),
        }
    }

    /// Goes, and says goodbye.
    async fn part(self: Box<Self>, end: End) {
        let Self { socket, attendance, extras, can_return, .. } = *self;
        if !can_return && !matches!(end, End::Restart | End::Done) && attendance.color().is_some() {
            // It is done whether or not anybody waits for it.
            drop(attendance.play(Command::Leave));
        }
        // Nobody has to wait for a goodbye to hear that somebody has gone.
        drop(attendance);
        say_goodbye(socket, end, extras).await;
    }

    /// Tells the visitor what has happened.
    async fn tell(&mut self, happening: &Happening) -> Result<(), End> {
        let words = telling::words(&self.before, happening, self.extras);
        self.before = happening.room.clone();
        self.await_player();
        let hearer = Hearer { id: &self.attendance.visitor().id, color: self.attendance.color() };
        let frames = telling::heard(&words, &happening.news, hearer);
        send(&mut self.socket, frames.cloned()).await?;
        if self.attendance.color().is_some() && happening.is_move() {
            metrics::move_told(happening.since.elapsed());
        }
        if happening.room.phase() == Phase::Closed { Err(End::Done) } else { Ok(()) }
    }

    /// Where a game is played, or about to be, somebody waits for the players.
    fn await_player(&mut self) {
        let is_on = matches!(self.before.phase(), Phase::Playing | Phase::Counting { .. });
        self.keepalive.await_them(is_on && self.attendance.color().is_some());
    }

    /// Does what the visitor says, or begins to.
    async fn hear(&mut self, message: Message) -> Result<(), End> {
        let counted = self.count()?;
        let asked = match &message {
            // They are answered before anybody gets to see them, so all that can be done about them is to count.
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(End::Gone),
            Message::Text(text) => counted.and_then(|()| self.consider(text)),
            Message::Binary(_) => counted.and(Err(Complaint::bad("Messages are JSON in text frames."))),
        };
        let (answer, what) = match asked {
            Ok(Asked::Say(text)) => (self.attendance.say(text), What::Other),
            Ok(Asked::Play(want)) => {
                let what = match want {
                    Want::Move { .. } => What::Move,
                    Want::Leave => What::Leave,
                    _ => What::Other,
                };
                (self.attendance.play(|color| want.by(color)), what)
            }
            Ok(Asked::Pong) => return self.say(frame(&Extra::Pong { at: self.attendance.now().0 })).await,
            Ok(Asked::Leave) => return Err(End::Done),
            Err(complaint) => return self.say(complaint.frame()).await,
        };
        self.asking = Some(Asking { answer, what, since: Instant::now() });
        Ok(())
    }

    /// Something has come. Who says too much is told so, and who does not care is let go.
    fn count(&mut self) -> Result<Result<(), Complaint>, End> {
        let checked = self.rate.check();
        self.excess = if checked.is_ok() { self.excess.saturating_sub(1) } else { self.excess + 1 };
        if self.excess > PATIENCE { Err(End::Rate) } else { Ok(checked.map_err(Into::into)) }
    }

    fn consider(&self, text: &str) -> Result<Asked, Complaint> {
        if text.len() > LONGEST {
            return Err(Complaint::too_large(format!("A message has at most {LONGEST} bytes.")));
        }
        asking::ask(text, &self.before, self.attendance.color(), crate::dice::roll())
    }

    /// Takes note of what has come of what the visitor asked for. What has happened is told like everything else.
    async fn take(&mut self, answer: Result<(), CommandError>) -> Result<(), End> {
        let Some(Asking { what, since, .. }) = self.asking.take() else { return Ok(()) };
        self.keepalive.heard();
        match (answer, what) {
            (Ok(()), What::Leave) => Err(End::Done),
            (Ok(()), What::Move) => {
                metrics::move_stored(since.elapsed());
                Ok(())
            }
            (Ok(()), What::Other) => Ok(()),
            (Err(error), _) => self.say(Complaint::from(error).frame()).await,
        }
    }

    async fn say(&mut self, words: Utf8Bytes) -> Result<(), End> {
        send(&mut self.socket, [words].into_iter()).await
    }
}

/// The answer to what was asked. There is none before something is.
async fn answer_to(asking: Option<&mut Asking>) -> Result<(), CommandError> {
    match asking {
        Some(asking) => (&mut asking.answer).await,
        None => future::pending().await,
    }
}

/// Sends some frames at once.
async fn send(socket: &mut WebSocket, frames: impl Iterator<Item = Utf8Bytes>) -> Result<(), End> {
    within(async {
        for words in frames {
            socket.feed(Message::Text(words)).await?;
        }
        socket.flush().await
    })
    .await
}

async fn within(sending: impl Future<Output = Result<(), axum::Error>>) -> Result<(), End> {
    match timeout(SEND_WITHIN, sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(End::Gone),
        Err(_) => Err(End::Slow),
    }
}

async fn say_goodbye(mut socket: WebSocket, end: End, extras: bool) {
    match end {
        End::Done => part(socket, Goodbye::Done, None).await,
        End::Restart => {
            // Not all at the same moment: there may be thousands, and one relay for all of them.
            let after_ms = 200 + crate::dice::roll() % 1_800;
            let words = extras.then(|| Message::Text(frame(&Extra::Reconnect { after_ms })));
            part(socket, Goodbye::Restart, words).await;
        }
        End::TooLarge => {
            let complaint = Complaint::too_large("The message is too large. Connect again.");
            part(socket, Goodbye::Size, Some(Message::Text(complaint.frame()))).await;
        }
        End::Gone => {
            // The answer to the other side's goodbye waits to be sent, if there was one.
            let _ = timeout(PART_WITHIN, socket.flush()).await;
        }
        End::Slow => part(socket, Goodbye::Slow, None).await,
        End::Dead => part(socket, Goodbye::Dead, None).await,
        End::Rate => part(socket, Goodbye::Rate, None).await,
        End::Nonsense(goodbye) => part(socket, goodbye, None).await,
        End::Behind => {
            metrics::dropped(metrics::Drop::Slow);
            let close = CloseFrame { code: 1013, reason: "too slow, connect again".into() };
            let _ = timeout(PART_WITHIN, socket.send(Message::Close(Some(close)))).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use axum::Router;
    use axum::extract::ws::WebSocketUpgrade;
    use axum::routing::any;
    use axum::serve::Listener;
    use futures_util::StreamExt;
    use tokio::io::{DuplexStream, duplex};
    use tokio_tungstenite::client_async;
    use tokio_tungstenite::tungstenite::Message as Frame;

    use super::*;
    use crate::relay::{Claim, Invitation, Relay, Visitor};
    use crate::room::{Terms, Wish};
    use crate::store::memory::Memory;

    fn size_of_future<F: Future>(_: impl FnOnce(WebSocket, Guest) -> F) -> usize {
        size_of::<F>()
    }

    /// There may be tens of thousands of them, and nearly all wait for somebody to think.
    #[test]
    fn a_conversation_is_small() {
        let (waiting, kept) = (size_of_future(converse), size_of::<Conversation>());
        println!(
            "{waiting} bytes for waiting, {kept} for what is kept, of which {} are the socket",
            size_of::<WebSocket>()
        );
        assert!(waiting + kept <= 1_280, "{waiting} + {kept} bytes");
    }

    /// One connection, through a pipe that holds so little that nothing gets lost in between.
    struct Pipe(Option<DuplexStream>);

    impl Listener for Pipe {
        type Io = DuplexStream;
        type Addr = ();

        async fn accept(&mut self) -> (DuplexStream, ()) {
            match self.0.take() {
                Some(stream) => (stream, ()),
                None => future::pending().await,
            }
        }

        fn local_addr(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn who_reads_and_falls_behind_is_told_to_come_again() {
        let relay = Relay::new(Arc::new(Memory::default()));
        let (code, visitor) = ("ROOM".parse().unwrap(), |name: &str| Visitor::new(name.parse().unwrap()));
        let claim = Claim::Play(Invitation::new(Wish::First));
        let ann = relay.enter(&code, visitor("ann"), claim, Some(&Terms::default())).await.unwrap();
        let attendance = relay.enter(&code, visitor("sam"), Claim::Watch, None).await.unwrap();
        let sam = Guest { attendance, extras: true, token: None, door: Door::without_shell() };
        let sam = Arc::new(Mutex::new(Some(sam)));
        let routes = Router::new().fallback(any(async move |upgrade: WebSocketUpgrade| {
            upgrade.on_upgrade(async move |socket| {
                let sam = sam.lock().unwrap().take().unwrap();
                converse(socket, sam).await;
            })
        }));
        let (near, far) = duplex(1024);
        tokio::spawn(async move { axum::serve(Pipe(Some(far)), routes).await });
        let (mut socket, _) = client_async("ws://relay/", near).await.unwrap();
        for number in 0..200 {
            ann.say(format!("{number} {}", "x".repeat(400))).await.unwrap();
        }
        // He was told the first of it, and not the last.
        let mut heard = 0;
        let close = loop {
            match socket.next().await.unwrap().unwrap() {
                Frame::Text(text) if text.contains("xxxx") => heard += 1,
                Frame::Close(close) => break close.unwrap(),
                _ => {}
            }
        };
        assert_eq!((u16::from(close.code), close.reason.as_str()), (1013, "too slow, connect again"));
        assert!(heard < 100, "{heard} of 200");
    }
}
