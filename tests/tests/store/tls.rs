//! Redis over TLS.

use std::fs;
use std::net::TcpListener;

use anyhow::{Context, Result, ensure};
use host_server::store::redis::{ConnectError, Redis as RedisStore, RedisSettings, Trust};
use tests::parts;
use tests::redis::Redis;
use tests::relay::{RelayProcess, StoreLocation, get};
use tests::temp_dir::TempDir;

use crate::{conformance, settings, shared, two_stores};

/// A self-signed certificate for this machine, and its key.
fn certificate() -> Result<(String, String)> {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    Ok((made.cert.pem(), made.signing_key.serialize_pem()))
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_conforms_over_tls_and_foreign_certificates_are_rejected() -> Result<()> {
    if !parts::redis_server() {
        return Ok(());
    }
    let folder = TempDir::new()?;
    let path = |file: &str| folder.path().join(file).to_string_lossy().into_owned();
    let (public, private) = certificate()?;
    fs::write(path("cert.pem"), &public)?;
    fs::write(path("key.pem"), private)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let tls = ["--tls-port", &port.to_string(), "--tls-auth-clients", "no"];
    let files = [
        "--tls-cert-file",
        &path("cert.pem"),
        "--tls-key-file",
        &path("key.pem"),
        "--tls-ca-cert-file",
        &path("cert.pem"),
    ];
    let redis = Redis::start_with(&[&tls[..], &files[..]].concat())?;

    let sealed = RedisSettings { tls: Some(Trust::Authority(public.into_bytes())), ..settings(port, false) };
    let stores = two_stores(&sealed).await?;
    conformance::all(&stores).await?;
    shared::all(&stores, &sealed, &|words| redis.cli(words)).await?;
    let relay = RelayProcess::start(StoreLocation::Redis(port), &[&format!("--redis-ca={}", path("cert.pem"))])?;
    let relay = relay.context("there is no tabiya")?;
    ensure!(get(relay.address(), "/healthz").await?.status == 200);

    // Another certificate, an unknown authority, no file, and an invalid file.
    let (other, _) = certificate()?;
    let open = settings(port, false);
    let trusts = [Some(Trust::Authority(other.into_bytes())), Some(Trust::Machine), None];
    for tls in trusts {
        let refused = RedisStore::connect(&RedisSettings { tls: tls.clone(), ..open.clone() }).await;
        ensure!(matches!(refused, Err(ConnectError::Store(_))), "{tls:?}");
    }
    let invalid = RedisSettings { tls: Some(Trust::Authority(b"invalid".to_vec())), ..open };
    let refused = RedisStore::connect(&invalid).await;
    ensure!(refused.is_err(), "an invalid certificate authority is accepted");
    Ok(())
}
