use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use board::pairing::Decision;
use chess::Bitboard;
use ipnet::IpNet;
use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use tokio::sync::oneshot;
use wire::link::clipped_name;

use crate::boards::BoardError;
use crate::config::PairingPolicy;
use crate::dialect::board::BoardServer;
use crate::room::Name;
use crate::server::ClientAddress;

/// Requests that the owner can see at the same time. A further one is refused.
const MAX_REQUESTS: usize = 8;

/// Requests of one address at the same time.
const MAX_PER_ADDRESS: usize = 2;

/// How long the owner has for an answer.
pub(super) const EXPIRY: Duration = Duration::from_mins(10);

/// The pending requests of this relay.
#[derive(Clone, Debug)]
pub(crate) struct PairingRequests {
    pending: Arc<Mutex<Vec<Pending>>>,
    boards: BoardServer,
    policy: PairingPolicy,
}

#[derive(Debug)]
struct Pending {
    request: PendingRequest,
    client: ClientAddress,
    since: Instant,
    decision: oneshot::Sender<Decision>,
}

/// A pending request, as the owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct PendingRequest {
    pub(crate) id: String,
    /// The name that the board has, if any.
    pub(crate) name: String,
    pub(crate) software: String,
    pub(crate) address: String,
    /// The names of the eight squares.
    pub(crate) squares: Vec<String>,
    /// Seconds until it expires.
    pub(crate) expires_in: u64,
}

/// Why an answer of the owner had no effect.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnswerError {
    #[error("the request is no longer there: it has expired, or the board has disconnected")]
    Gone,
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Removes its request when it is dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    requests: PairingRequests,
    id: String,
    pub(super) decision: oneshot::Receiver<Decision>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.requests.pending.lock().retain(|pending| pending.request.id != self.id);
    }
}

impl PairingRequests {
    pub(crate) fn new(boards: BoardServer, policy: PairingPolicy) -> Self {
        Self { pending: Arc::default(), boards, policy }
    }

    /// Whether a client may ask, and there is room for its request.
    pub(super) fn admits(&self, client: ClientAddress) -> bool {
        let is_allowed = match self.policy {
            PairingPolicy::All => true,
            PairingPolicy::Local => matches!(client, ClientAddress::Ip(address) if is_in_local_network(address)),
            PairingPolicy::Off => false,
        };
        let pending = self.connected();
        let own = pending.iter().filter(|pending| pending.client.network() == client.network()).count();
        is_allowed && pending.len() < MAX_REQUESTS && own < MAX_PER_ADDRESS
    }

    /// Shows a request to the owner. `None` if there is no room for it.
    pub(super) fn open(&self, client: ClientAddress, name: &str, software: &str, squares: Bitboard) -> Option<Ticket> {
        if !self.admits(client) {
            return None;
        }
        let (decision, receiver) = oneshot::channel();
        let id = crate::hex::Hex(&crate::random::bytes::<8>()).to_string();
        let request = PendingRequest {
            id: id.clone(),
            name: name.to_owned(),
            software: software.to_owned(),
            address: client.to_string(),
            squares: squares.squares().map(|square| square.to_string()).collect(),
            expires_in: 0,
        };
        self.pending.lock().push(Pending { request, client, since: Instant::now(), decision });
        Some(Ticket { requests: self.clone(), id, decision: receiver })
    }

    /// The pending requests, the oldest first.
    pub(crate) fn list(&self) -> Vec<PendingRequest> {
        let left = |pending: &Pending| EXPIRY.saturating_sub(pending.since.elapsed()).as_secs();
        let shown = |pending: &Pending| PendingRequest { expires_in: left(pending), ..pending.request.clone() };
        self.connected().iter().map(shown).collect()
    }

    /// Accepts a request: stores the board under this name, and sends it its key.
    pub(crate) async fn accept(&self, id: &str, name: &str) -> Result<Name, AnswerError> {
        let pending = self.take(id)?;
        let board = match self.boards.add(name).await {
            Ok(board) => board,
            Err(error) => {
                // The owner may choose another name.
                self.pending.lock().push(pending);
                return Err(error.into());
            }
        };
        let decision = Decision::Accept { key: board.key_bytes(), name: clipped_name(board.name.as_str()) };
        if pending.decision.send(decision).is_err() {
            // The board has disconnected, so no board has the key.
            self.boards.forget_board(board.name.as_str()).await;
            return Err(AnswerError::Gone);
        }
        tracing::info!(board = %board.name, id = %board.id(), address = pending.request.address, "board paired");
        Ok(board.name)
    }

    /// Declines a request.
    pub(crate) fn decline(&self, id: &str) -> Result<(), AnswerError> {
        let pending = self.take(id)?;
        tracing::info!(address = pending.request.address, "pairing request declined");
        pending.decision.send(Decision::Decline).map_err(|_| AnswerError::Gone)
    }

    /// The requests whose board is still connected.
    fn connected(&self) -> MutexGuard<'_, Vec<Pending>> {
        let mut pending = self.pending.lock();
        pending.retain(|pending| !pending.decision.is_closed());
        pending
    }

    fn take(&self, id: &str) -> Result<Pending, AnswerError> {
        let mut pending = self.pending.lock();
        let index = pending.iter().position(|pending| pending.request.id == id).ok_or(AnswerError::Gone)?;
        Ok(pending.remove(index))
    }
}

/// Whether an address is that of this machine, private, or in a network that this machine is connected to.
fn is_in_local_network(address: IpAddr) -> bool {
    let address = address.to_canonical();
    let is_private = match address {
        IpAddr::V4(address) => address.is_private() || address.is_loopback() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
    };
    is_private
        || if_addrs::get_if_addrs().unwrap_or_default().iter().any(|interface| is_beside(&interface.addr, address))
}

/// Whether an address is in the network of an interface.
fn is_beside(interface: &if_addrs::IfAddr, address: IpAddr) -> bool {
    let network = match interface {
        if_addrs::IfAddr::V4(own) => ipnet::Ipv4Net::with_netmask(own.ip, own.netmask).map(IpNet::V4),
        if_addrs::IfAddr::V6(own) => ipnet::Ipv6Net::with_netmask(own.ip, own.netmask).map(IpNet::V6),
    };
    // A prefix of 0 would be the whole internet.
    network.is_ok_and(|network| network.prefix_len() > 0 && network.contains(&address))
}
