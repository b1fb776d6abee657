//! How other commands on the same machine talk to a relay that runs: the file of the embedded store is open in one process
//! only, so `tabiya boards` asks that process. One line of JSON is the question, and one is the answer.
//!
//! Only the same user may ask: the socket can be opened by nobody else, and who is at the other end is checked again.

use std::fmt;
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

/// What the socket is called, in the directory of the store.
pub const NAME: &str = "control.sock";

/// A line is at most this long.
const LONGEST_LINE: u64 = 1024 * 1024;
/// A question must be there within this time.
const ASK_WITHIN: Duration = Duration::from_secs(5);
/// An answer must be there within this time.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// What the system can hold of the name of a socket, without the zero at its end. Linux has 107; others have 103.
const LONGEST_PATH: usize = 103;

/// Answers a question.
pub type Handler = Arc<dyn Fn(Value) -> BoxFuture<'static, Value> + Send + Sync>;

/// Why nobody can be asked, or why nobody can ask.
#[derive(Debug)]
pub enum ControlError {
    /// The name of the socket is too long for the system.
    Path(PathBuf),
    /// Another relay answers there.
    Taken(PathBuf),
    /// Nobody answers there: no relay runs, or it has another directory.
    Nobody(PathBuf),
    /// The socket does not work.
    Socket(PathBuf, io::Error),
    /// The answer is none.
    Answer,
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => {
                write!(f, "{}: the system allows at most {LONGEST_PATH} bytes in the name of a socket", path.display())
            }
            Self::Taken(path) => write!(f, "{}: another relay runs here", path.display()),
            Self::Nobody(path) => write!(f, "{}: no relay runs here", path.display()),
            Self::Socket(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Answer => f.write_str("the relay did not give an answer that makes sense"),
        }
    }
}

impl std::error::Error for ControlError {}

/// A socket that is there until this is dropped.
#[derive(Debug)]
pub struct Control {
    listener: UnixListener,
    path: PathBuf,
}

impl Control {
    /// Opens the socket. One that was left behind by a relay that is gone is replaced.
    pub fn bind(path: &Path) -> Result<Self, ControlError> {
        check(path)?;
        if BlockingStream::connect(path).is_ok() {
            return Err(ControlError::Taken(path.to_owned()));
        }
        let in_socket = |error| ControlError::Socket(path.to_owned(), error);
        // It is made under another name, so that nobody finds it before it is closed to others.
        let unfinished = path.with_extension("new");
        remove(&unfinished).map_err(in_socket)?;
        let listener = UnixListener::bind(&unfinished).map_err(in_socket)?;
        fs::set_permissions(&unfinished, Permissions::from_mode(0o600)).map_err(in_socket)?;
        fs::rename(&unfinished, path).map_err(in_socket)?;
        Ok(Self { listener, path: path.to_owned() })
    }

    /// Answers whoever asks, until it is told to stop.
    pub async fn serve(self, handler: Handler, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let handler = handler.clone();
                        tokio::spawn(async move {
                            if let Err(error) = answer(stream, &handler).await {
                                tracing::debug!(%error, "a question on the control socket came to nothing");
                            }
                        });
                    }
                    Err(error) => {
                        tracing::error!(%error, "cannot accept on the control socket");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        // If it stays, the next relay removes it.
        let _ = fs::remove_file(&self.path);
    }
}

async fn answer(stream: UnixStream, handler: &Handler) -> io::Result<()> {
    let who = stream.peer_cred()?.uid();
    if who != 0 && who != rustix::process::geteuid().as_raw() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    timeout(ASK_WITHIN, (&mut stream).take(LONGEST_LINE).read_line(&mut line)).await??;
    let question = serde_json::from_str(&line)?;
    let mut answer = timeout(ANSWER_WITHIN, handler(question)).await?.to_string();
    answer.push('\n');
    timeout(ASK_WITHIN, stream.write_all(answer.as_bytes())).await?
}

/// Asks the relay that has this socket, and waits for the answer.
pub fn call(path: &Path, question: &Value) -> Result<Value, ControlError> {
    check(path)?;
    let in_socket = |error| ControlError::Socket(path.to_owned(), error);
    let mut stream = BlockingStream::connect(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => ControlError::Nobody(path.to_owned()),
        _ => in_socket(error),
    })?;
    stream.set_read_timeout(Some(ANSWER_WITHIN + ASK_WITHIN)).map_err(in_socket)?;
    stream.set_write_timeout(Some(ASK_WITHIN)).map_err(in_socket)?;
    stream.write_all(format!("{question}\n").as_bytes()).map_err(in_socket)?;
    let mut line = String::new();
    io::BufReader::new(stream.take(LONGEST_LINE)).read_line(&mut line).map_err(in_socket)?;
    serde_json::from_str(&line).map_err(|_| ControlError::Answer)
}

fn check(path: &Path) -> Result<(), ControlError> {
    if path.as_os_str().len() > LONGEST_PATH { Err(ControlError::Path(path.to_owned())) } else { Ok(()) }
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
        Arc::new(|question| Box::pin(async move { json!({ "heard": question }) }))
    }

    async fn ask(path: &Path, question: Value) -> Result<Value, ControlError> {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || call(&path, &question)).await.unwrap()
    }

    #[tokio::test]
    async fn a_question_is_answered() {
        let directory = directory("control");
        let path = directory.join(NAME);
        let stop = CancellationToken::new();
        let control = Control::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let serving = tokio::spawn(control.serve(echo(), stop.clone()));
        let question = json!({ "add": "board\n", "long": "x".repeat(100_000) });
        assert_eq!(ask(&path, question.clone()).await.unwrap(), json!({ "heard": question }));

        // Somebody who says nothing, or nonsense, does not keep the others from being answered.
        let silent = UnixStream::connect(&path).await.unwrap();
        let mut noise = UnixStream::connect(&path).await.unwrap();
        noise.write_all(b"boards?\n").await.unwrap();
        let mut answer = Vec::new();
        noise.read_to_end(&mut answer).await.unwrap();
        assert!(answer.is_empty());
        assert_eq!(ask(&path, json!(1)).await.unwrap(), json!({ "heard": 1 }));
        drop(silent);

        let taken = tokio::task::spawn_blocking({
            let path = path.clone();
            move || BlockingStream::connect(path).is_ok()
        });
        assert!(taken.await.unwrap());
        assert!(matches!(Control::bind(&path), Err(ControlError::Taken(_))));
        stop.cancel();
        serving.await.unwrap();
        assert!(!path.exists());
        assert!(matches!(ask(&path, json!(1)).await, Err(ControlError::Nobody(_))));
        fs::remove_dir_all(directory).unwrap();
    }

    #[tokio::test]
    async fn what_is_left_behind_is_replaced() {
        let directory = directory("stale");
        let path = directory.join(NAME);
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(matches!(ask(&path, json!(1)).await, Err(ControlError::Nobody(_))));
        let control = Control::bind(&path).unwrap();
        let stop = CancellationToken::new();
        tokio::spawn(control.serve(echo(), stop.clone()));
        assert_eq!(ask(&path, json!(null)).await.unwrap(), json!({ "heard": null }));
        stop.cancel();
        fs::remove_dir_all(directory).unwrap();
    }

    #[tokio::test]
    async fn a_path_that_is_too_long_is_refused() {
        let path = PathBuf::from("/tmp").join("x".repeat(100));
        assert!(matches!(Control::bind(&path), Err(ControlError::Path(_))));
        assert!(matches!(ask(&path, json!(1)).await, Err(ControlError::Path(_))));
    }
}
