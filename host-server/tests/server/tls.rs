//! Certificates, and clients that do not come to the point.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use host_server::config::{Config, Sources};
use host_server::server::{ServeError, Server};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::client::{ask_over, parts};
use crate::house::House;

/// A certificate for `localhost` and its key, in files that are gone when the test is over.
pub(crate) struct Certificate {
    directory: PathBuf,
    der: CertificateDer<'static>,
}

impl Certificate {
    pub(crate) fn new(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("tabiya-tls-{}-{name}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(directory.join("cert.pem"), made.cert.pem()).unwrap();
        fs::write(directory.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        Self { directory, der: made.cert.der().clone() }
    }

    pub(crate) fn path(&self, file: &str) -> String {
        self.directory.join(file).to_str().unwrap().to_owned()
    }

    fn house(&self) -> House {
        House::open(&[("TABIYA_TLS_CERT", &self.path("cert.pem")), ("TABIYA_TLS_KEY", &self.path("key.pem"))])
    }

    pub(crate) async fn connect(&self, address: SocketAddr) -> io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(self.der.clone()).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap();
        let config = builder.with_root_certificates(roots).with_no_client_auth();
        let stream = TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").unwrap();
        TlsConnector::from(Arc::new(config)).connect(name, stream).await
    }
}

impl Drop for Certificate {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

#[tokio::test]
async fn a_stalled_client_keeps_nobody_waiting() {
    let certificate = Certificate::new("stalled");
    let house = certificate.house();
    let begun = Instant::now();
    let mut stalled = Vec::new();
    for _ in 0..20 {
        stalled.push(TcpStream::connect(house.address).await.unwrap());
    }
    let stream = certificate.connect(house.address).await.unwrap();
    let answer = ask_over(stream, "GET /who HTTP/1.1\nhost: localhost", "").await;
    assert_eq!(parts(&answer), (200, "127.0.0.1"));
    assert!(begun.elapsed() < Duration::from_secs(5));
    for mut stream in stalled {
        let mut nothing = Vec::new();
        let cut = tokio::time::timeout(Duration::from_secs(15), stream.read_to_end(&mut nothing)).await;
        assert!(cut.is_ok() && nothing.is_empty());
    }
    assert!((Duration::from_secs(9)..Duration::from_secs(14)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn whoever_does_not_speak_tls_is_cut() {
    let certificate = Certificate::new("plain");
    let house = certificate.house();
    let stream = TcpStream::connect(house.address).await;
    // An alert may come back, but no answer.
    let mut stream = stream.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut stream, b"GET /who HTTP/1.1\r\nhost: relay\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP"));
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let (one, other) = (Certificate::new("one"), Certificate::new("other"));
    let complaint = |certificate: &str, key: &str| {
        let variables = [("TABIYA_LISTEN", "127.0.0.1:0"), ("TABIYA_TLS_CERT", certificate), ("TABIYA_TLS_KEY", key)];
        match Server::bind(&Config::read(&Sources::of_variables(variables)).unwrap()) {
            Err(ServeError::Tls(error)) => error.to_string(),
            _ => panic!("{certificate} and {key} can be used"),
        }
    };
    let (cert, key) = (one.path("cert.pem"), one.path("key.pem"));
    assert!(complaint("/nowhere/cert.pem", &key).starts_with("/nowhere/cert.pem: cannot read it: "));
    assert_eq!(complaint(&key, &key), format!("{key}: there is no such thing in it; it must be PEM"));
    assert_eq!(complaint(&cert, &cert), format!("{cert}: there is no such thing in it; it must be PEM"));
    assert!(complaint(&cert, &other.path("key.pem")).starts_with("the certificate and its key cannot be used: "));
}

/// The signal goes to the whole process, so that is the command itself.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_new_certificate_needs_no_restart() {
    let (old, new) = (Certificate::new("old"), Certificate::new("new"));
    let house = old.house();
    assert!(old.connect(house.address).await.is_ok());
    fs::copy(new.path("cert.pem"), old.path("cert.pem")).unwrap();
    fs::copy(new.path("key.pem"), old.path("key.pem")).unwrap();
    assert!(old.connect(house.address).await.is_ok());
    let kill = std::process::Command::new("kill").args(["-HUP", &std::process::id().to_string()]).status();
    assert!(kill.unwrap().success());
    for _ in 0..100 {
        if new.connect(house.address).await.is_ok() {
            assert!(old.connect(house.address).await.is_err());
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the old certificate is still shown");
}
