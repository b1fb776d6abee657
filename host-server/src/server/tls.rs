//! TLS certificate of the server, with reload at run time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::RwLock;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

use crate::config::TlsFiles;

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum TlsError {
    #[error("{}: {}", .0.display(), pem_problem(.1))]
    File(PathBuf, pem::Error),
    #[error("certificate and private key cannot be used: {0}")]
    Certificate(rustls::Error),
}

/// The parser's own message would quote the file, which may contain a private key.
fn pem_problem(error: &pem::Error) -> String {
    match error {
        pem::Error::Io(error) => format!("cannot read it: {error}"),
        pem::Error::NoItemsFound => "no certificate or key found; the file must be PEM".to_owned(),
        _ => "not a valid PEM file".to_owned(),
    }
}

/// The current certificate, shared by all TLS handshakes.
#[derive(Debug)]
pub(super) struct Certificates {
    files: TlsFiles,
    current: RwLock<Arc<CertifiedKey>>,
}

impl Certificates {
    pub(super) fn load(files: &TlsFiles) -> Result<Arc<Self>, TlsError> {
        let current = read(files)?;
        Ok(Arc::new(Self { files: files.clone(), current: RwLock::new(current) }))
    }

    /// Reads the files again. On an error the current certificate stays in use.
    pub(super) fn reload(&self) -> Result<(), TlsError> {
        let current = read(&self.files)?;
        *self.current.write() = current;
        Ok(())
    }

    pub(super) fn acceptor(self: &Arc<Self>) -> Result<TlsAcceptor, TlsError> {
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().map_err(TlsError::Certificate)?;
        let mut config = builder.with_no_client_auth().with_cert_resolver(self.clone());
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.read().clone())
    }
}

fn read(files: &TlsFiles) -> Result<Arc<CertifiedKey>, TlsError> {
    let in_file = |path: &Path| {
        let path = path.to_owned();
        move |error| TlsError::File(path, error)
    };
    let chain: Vec<_> = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect)
        .map_err(in_file(&files.certificate))?;
    if chain.is_empty() {
        return Err(TlsError::File(files.certificate.clone(), pem::Error::NoItemsFound));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(in_file(&files.key))?;
    let certified = CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(TlsError::Certificate)?;
    Ok(Arc::new(certified))
}
