//! TLS: handshake timeouts, invalid files, and reload on SIGHUP.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use host_server::config::Config;
use host_server::server::{ServeError, Server};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::client::{parts, request_over};
use crate::test_server::TestServer;

/// A certificate for `localhost` and its key, in files that are removed after the test.
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

    fn start_server(&self) -> TestServer {
        TestServer::start(&[("TABIYA_TLS_CERT", &self.path("cert.pem")), ("TABIYA_TLS_KEY", &self.path("key.pem"))])
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
async fn stalled_handshakes_block_no_other_client_and_time_out() {
    let certificate = Certificate::new("stalled");
    let server = certificate.start_server();
    let started = Instant::now();
    let mut stalled = Vec::new();
    for _ in 0..20 {
        stalled.push(TcpStream::connect(server.address).await.unwrap());
    }
    let stream = certificate.connect(server.address).await.unwrap();
    let response = request_over(stream, "GET /who HTTP/1.1\nhost: localhost", "").await;
    assert_eq!(parts(&response), (200, "127.0.0.1"));
    for mut stream in stalled {
        let mut nothing = Vec::new();
        let cut = tokio::time::timeout(Duration::from_mins(1), stream.read_to_end(&mut nothing)).await;
        assert!(cut.is_ok() && nothing.is_empty());
    }
    assert!(started.elapsed() >= Duration::from_secs(9), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_plain_http_request_is_closed() {
    let certificate = Certificate::new("plain");
    let server = certificate.start_server();
    let stream = TcpStream::connect(server.address).await;
    // A TLS alert may come back, but no HTTP response.
    let mut stream = stream.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut stream, b"GET /who HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    assert!(!response.starts_with(b"HTTP"));
}

#[test]
fn invalid_files_are_named() {
    let (one, other) = (Certificate::new("one"), Certificate::new("other"));
    let error = |certificate: &str, key: &str| {
        let variables = [("TABIYA_LISTEN", "127.0.0.1:0"), ("TABIYA_TLS_CERT", certificate), ("TABIYA_TLS_KEY", key)];
        match Server::bind(&Config::from_variables(variables).unwrap()) {
            Err(ServeError::Tls(error)) => error.to_string(),
            _ => panic!("{certificate} and {key} can be used"),
        }
    };
    let (cert, key) = (one.path("cert.pem"), one.path("key.pem"));
    assert!(error("/nowhere/cert.pem", &key).starts_with("/nowhere/cert.pem: cannot read it: "));
    assert_eq!(error(&key, &key), format!("{key}: no certificate or key found; the file must be PEM"));
    assert_eq!(error(&cert, &cert), format!("{cert}: no certificate or key found; the file must be PEM"));
    assert!(error(&cert, &other.path("key.pem")).starts_with("certificate and private key cannot be used: "));
}

/// The signal goes to the whole test process, in which the server runs.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn reloads_the_certificate_on_sighup() {
    let (old, new) = (Certificate::new("old"), Certificate::new("new"));
    let server = old.start_server();
    assert!(old.connect(server.address).await.is_ok());
    fs::copy(new.path("cert.pem"), old.path("cert.pem")).unwrap();
    fs::copy(new.path("key.pem"), old.path("key.pem")).unwrap();
    assert!(old.connect(server.address).await.is_ok());
    let kill = std::process::Command::new("kill").args(["-HUP", &std::process::id().to_string()]).status();
    assert!(kill.unwrap().success());
    for _ in 0..100 {
        if new.connect(server.address).await.is_ok() {
            assert!(old.connect(server.address).await.is_err());
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the old certificate is still in use");
}
