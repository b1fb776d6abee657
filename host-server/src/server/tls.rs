//! Certificates, and how they are renewed while the relay runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

use crate::config::TlsFiles;

/// Why a certificate cannot be used.
#[derive(Debug)]
pub enum TlsError {
    /// A file cannot be read, or has nothing of the kind in it.
    File(PathBuf, pem::Error),
    /// The certificate and the key make no sense, or not together.
    Certificate(rustls::Error),
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, pem::Error::Io(error)) => write!(f, "{}: cannot read it: {error}", path.display()),
            Self::File(path, pem::Error::NoItemsFound) => {
                write!(f, "{}: there is no such thing in it; it must be PEM", path.display())
            }
            // It would repeat what is in the file, which may be a key.
            Self::File(path, _) => write!(f, "{}: it is not PEM", path.display()),
            Self::Certificate(error) => write!(f, "the certificate and its key cannot be used: {error}"),
        }
    }
}

impl std::error::Error for TlsError {}

/// The certificate that is shown now.
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

    /// Reads the files again. If that fails, the old certificate stays.
    pub(super) fn reload(&self) -> Result<(), TlsError> {
        let current = read(&self.files)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = current;
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
        Some(self.current.read().unwrap_or_else(PoisonError::into_inner).clone())
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
