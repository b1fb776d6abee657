//! Control socket: a Unix socket over which `tabiya boards` sends requests to a running relay, since only one process can open
//! the file of the embedded store. A request is one line of JSON, and so is the response.
//!
//! Only the same user and root may connect: the socket has mode 0600, and the peer's user id is checked as well.

use std::fs::{self, Permissions};
use std::io::{self, BufRead, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream as BlockingStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// File name of the socket, in the directory of the store.
pub const NAME: &str = "control.sock";

/// Longest line in bytes.
const MAX_LINE: u64 = 1024 * 1024;
/// Timeout for reading a request and for writing a response.
const IO_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for handling a request.
const HANDLER_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout for the response of a relay.
const CALL_TIMEOUT: Duration = Duration::from_secs(35);
/// Longest socket path in bytes without the final zero: 107 on Linux, 103 on other systems.
const MAX_PATH: usize = 103;

/// Handles one request.
pub type Handler = Arc<dyn Fn(Value) -> BoxFuture<'static, Value> + Send + Sync>;

/// Why the control socket cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ControlError {
    #[error("{}: the path of a Unix socket has at most {MAX_PATH} bytes", .0.display())]
    Path(PathBuf),
    #[error("{}: another relay runs here", .0.display())]
    InUse(PathBuf),
    #[error("{}: no relay runs here", .0.display())]
    NotRunning(PathBuf),
    #[error("{}: {}", .0.display(), .1)]
    Socket(PathBuf, io::Error),
    #[error("{}: the relay did not answer within {} seconds", .0.display(), .1.as_secs())]
    Timeout(PathBuf, Duration),
    #[error("the relay sent an invalid response")]
    Response,
}

/// The listening socket. Dropping it removes the file.
#[derive(Debug)]
pub struct Control {
    listener: UnixListener,
    path: PathBuf,
}

impl Control {
    /// Binds the socket, and replaces the file that a crashed relay left behind.
    pub fn bind(path: &Path) -> Result<Self, ControlError> {
        check(path)?;
        if BlockingStream::connect(path).is_ok() {
            return Err(ControlError::InUse(path.to_owned()));
        }
        let in_socket = |error| ControlError::Socket(path.to_owned(), error);
        // Renamed into place after its mode is set, so that no other user can connect before that.
        let unfinished = path.with_extension("new");
        remove(&unfinished).map_err(in_socket)?;
        let listener = UnixListener::bind(&unfinished).map_err(in_socket)?;
        fs::set_permissions(&unfinished, Permissions::from_mode(0o600)).map_err(in_socket)?;
        fs::rename(&unfinished, path).map_err(in_socket)?;
        Ok(Self { listener, path: path.to_owned() })
    }

    /// Serves requests until `stop` is cancelled.
    pub async fn serve(self, handler: Handler, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let handler = handler.clone();
                        tokio::spawn(async move {
                            if let Err(error) = respond(stream, &handler).await {
                                tracing::debug!(%error, "request on the control socket failed");
                            }
                        });
                    }
                    Err(error) => {
                        tracing::error!(%error, "accepting on the control socket failed, retrying");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        // A file that stays is replaced by the next relay.
        let _ = fs::remove_file(&self.path);
    }
}

async fn respond(stream: UnixStream, handler: &Handler) -> io::Result<()> {
    let user = stream.peer_cred()?.uid();
    if user != 0 && user != nix::unistd::geteuid().as_raw() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    timeout(IO_TIMEOUT, (&mut stream).take(MAX_LINE).read_line(&mut line)).await??;
    let request = serde_json::from_str(&line)?;
    let mut response = timeout(HANDLER_TIMEOUT, handler(request)).await?.to_string();
    response.push('\n');
    timeout(IO_TIMEOUT, stream.write_all(response.as_bytes())).await?
}

/// Sends a request to the relay behind this socket, and waits for the response.
pub fn call(path: &Path, request: &Value) -> Result<Value, ControlError> {
    call_within(path, request, CALL_TIMEOUT)
}

fn call_within(path: &Path, request: &Value, limit: Duration) -> Result<Value, ControlError> {
    check(path)?;
    let in_socket = |error| ControlError::Socket(path.to_owned(), error);
    let mut stream = BlockingStream::connect(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => ControlError::NotRunning(path.to_owned()),
        _ => in_socket(error),
    })?;
    stream.set_read_timeout(Some(limit)).map_err(in_socket)?;
    stream.set_write_timeout(Some(IO_TIMEOUT)).map_err(in_socket)?;
    stream.write_all(format!("{request}\n").as_bytes()).map_err(in_socket)?;
    let mut line = String::new();
    io::BufReader::new(stream.take(MAX_LINE)).read_line(&mut line).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => ControlError::Timeout(path.to_owned(), limit),
        _ => in_socket(error),
    })?;
    serde_json::from_str(&line).map_err(|_| ControlError::Response)
}

fn check(path: &Path) -> Result<(), ControlError> {
    if path.as_os_str().len() > MAX_PATH { Err(ControlError::Path(path.to_owned())) } else { Ok(()) }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tabiya-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn echo() -> Handler {
        Arc::new(|request| Box::pin(async move { json!({ "echo": request }) }))
    }

    async fn request(path: &Path, request: Value) -> Result<Value, ControlError> {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || call(&path, &request)).await.unwrap()
    }

    #[tokio::test]
    async fn answers_a_request() {
        let directory = directory("control");
        let path = directory.join(NAME);
        let stop = CancellationToken::new();
        let control = Control::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let serving = tokio::spawn(control.serve(echo(), stop.clone()));
        let long = json!({ "add": "board\n", "long": "x".repeat(100_000) });
        assert_eq!(request(&path, long.clone()).await.unwrap(), json!({ "echo": long }));

        // A silent client and one that sends garbage do not block the others.
        let silent = UnixStream::connect(&path).await.unwrap();
        let mut noise = UnixStream::connect(&path).await.unwrap();
        noise.write_all(b"boards?\n").await.unwrap();
        let mut answer = Vec::new();
        noise.read_to_end(&mut answer).await.unwrap();
        assert!(answer.is_empty());
        assert_eq!(request(&path, json!(1)).await.unwrap(), json!({ "echo": 1 }));
        drop(silent);

        let taken = tokio::task::spawn_blocking({
            let path = path.clone();
            move || BlockingStream::connect(path).is_ok()
        });
        assert!(taken.await.unwrap());
        assert!(matches!(Control::bind(&path), Err(ControlError::InUse(_))));
        stop.cancel();
        serving.await.unwrap();
        assert!(!path.exists());
        assert!(matches!(request(&path, json!(1)).await, Err(ControlError::NotRunning(_))));
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_relay_that_hangs_is_named() {
        let directory = directory("hangs");
        let path = directory.join(NAME);
        let _silent = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let error = call_within(&path, &json!(1), Duration::from_millis(1)).unwrap_err().to_string();
        assert!(error.contains("control.sock: the relay did not answer within"), "{error}");
        fs::remove_dir_all(directory).unwrap();
    }

    #[tokio::test]
    async fn replaces_a_stale_socket_file() {
        let directory = directory("stale");
        let path = directory.join(NAME);
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(matches!(request(&path, json!(1)).await, Err(ControlError::NotRunning(_))));
        let control = Control::bind(&path).unwrap();
        let stop = CancellationToken::new();
        tokio::spawn(control.serve(echo(), stop.clone()));
        assert_eq!(request(&path, json!(null)).await.unwrap(), json!({ "echo": null }));
        stop.cancel();
        fs::remove_dir_all(directory).unwrap();
    }

    #[tokio::test]
    async fn rejects_a_path_that_is_too_long() {
        let path = PathBuf::from("/tmp").join("x".repeat(100));
        assert!(matches!(Control::bind(&path), Err(ControlError::Path(_))));
        assert!(matches!(request(&path, json!(1)).await, Err(ControlError::Path(_))));
    }
}
