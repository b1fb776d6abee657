//! Limits, origins, health and metrics.

use std::sync::atomic::Ordering;
use std::time::Duration;

use host_server::metrics;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;

use crate::client::{connect, connect_as, get, parts, request, request_bytes, request_over};
use crate::test_server::TestServer;

#[tokio::test]
async fn forwarding_headers_of_untrusted_peers_are_ignored() {
    let server = TestServer::start(&[]);
    let forged = "GET /who HTTP/1.1\nx-forwarded-for: 1.2.3.4\nforwarded: for=1.2.3.4";
    assert_eq!(parts(&request(server.address, forged).await), (200, "127.0.0.1"));
    let server = TestServer::start(&[("TABIYA_TRUSTED_PROXY", "127.0.0.1")]);
    assert_eq!(parts(&request(server.address, forged).await), (200, "1.2.3.4"));
    assert_eq!(parts(&get(server.address, "/who").await), (200, "127.0.0.1"));
}

/// A byte above 127 in the header must not hide the address that the proxy appended.
#[tokio::test]
async fn a_client_behind_a_proxy_is_never_the_proxy_and_never_local() {
    for (header, values) in [
        ("x-forwarded-for", vec![&b"\xff"[..], b"\xff, 203.0.113.9", b"127.0.0.1", b"unknown", b""]),
        ("forwarded", vec![&b"for=_hidden"[..], b"for=unknown", b"for=\xff, for=203.0.113.9", b"for=127.0.0.1"]),
    ] {
        let server = TestServer::start(&[("TABIYA_TRUSTED_PROXY", "127.0.0.1"), ("TABIYA_PROXY_HEADER", header)]);
        for value in values {
            let ask = async |path: &str| {
                let mut request =
                    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{header}: ").into_bytes();
                request.extend_from_slice(value);
                request.extend_from_slice(b"\r\n\r\n");
                request_bytes(server.address, &request).await
            };
            let label = value.escape_ascii();
            assert_eq!(parts(&ask("/metrics").await).0, 403, "{header}: {label}");
            let who = ask("/who").await;
            let expected = match value {
                _ if value.ends_with(b"203.0.113.9") => "203.0.113.9",
                _ if value.ends_with(b"127.0.0.1") => "127.0.0.1",
                _ => "unknown",
            };
            assert_eq!(parts(&who), (200, expected), "{header}: {label}");
            assert_eq!(parts(&ask("/local").await), (200, "false"), "{header}: {label}");
        }
        assert_eq!(parts(&get(server.address, "/local").await), (200, "true"));
    }
}

/// DNS rebinding: a page at evil.example whose name now leads to this machine is its own origin.
#[tokio::test]
async fn a_page_under_a_foreign_name_is_refused() {
    let server = TestServer::start(&[]);
    let port = server.address.port();
    let evil = format!("evil.example:{port}");
    let rebound = connect_as(server.address, &[("host", &evil), ("origin", &format!("http://{evil}"))]).await;
    assert!(matches!(rebound, Err(Error::Http(response)) if response.status() == 403));
    let read = request(server.address, &format!("GET /who HTTP/1.1\nhost: {evil}")).await;
    assert!(parts(&read).0 == 403 && read.contains("ALLOWED_DOMAIN"), "{read}");
    assert_eq!(parts(&request(server.address, &format!("GET /metrics HTTP/1.1\nhost: {evil}")).await).0, 403);
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), "board.local".to_owned()] {
        assert_eq!(parts(&request(server.address, &format!("GET /who HTTP/1.1\nhost: {host}")).await).0, 200, "{host}");
        assert!(connect_as(server.address, &[("host", &host), ("origin", &format!("http://{host}"))]).await.is_ok());
    }
    // A board knows the relay by any name, and sends no origin.
    assert!(connect_as(server.address, &[("host", "chess.example")]).await.is_ok());

    let server = TestServer::start(&[("ALLOWED_DOMAIN", "https://chess.example")]);
    let read = async |path: &str| request(server.address, &format!("GET {path} HTTP/1.1\nhost: chess.example")).await;
    assert_eq!(parts(&read("/who").await).0, 200);
    assert_eq!(parts(&read("/local").await), (200, "false"));
    assert_eq!(parts(&read("/metrics").await).0, 403);
}

#[tokio::test]
async fn too_many_requests_get_429_with_retry_after() {
    let server = TestServer::start(&[("TABIYA_REQUESTS_PER_MINUTE", "3"), ("TABIYA_TRUSTED_PROXY", "127.0.0.1")]);
    let from = |address: &str| format!("GET /who HTTP/1.1\nx-forwarded-for: {address}");
    for _ in 0..3 {
        assert_eq!(parts(&request(server.address, &from("1.1.1.1")).await).0, 200);
    }
    let response = request(server.address, &from("1.1.1.1")).await;
    assert_eq!(parts(&response), (429, "too many requests; try again in 20 seconds\n"));
    assert!(response.contains("\r\nretry-after: 20\r\n"), "{response}");
    assert_eq!(parts(&request(server.address, &from("2.2.2.2")).await).0, 200);
    // Health checks are not limited.
    assert_eq!(parts(&get(server.address, "/healthz").await).0, 200);
}

#[tokio::test]
async fn guessing_codes_is_rate_limited() {
    let server = TestServer::start(&[("TABIYA_JOINS_PER_MINUTE", "2")]);
    assert_eq!(parts(&get(server.address, "/code").await), (200, "no such room"));
    assert_eq!(parts(&get(server.address, "/code").await), (200, "no such room"));
    assert_eq!(parts(&get(server.address, "/code").await), (429, "try again in 30 seconds"));
}

#[tokio::test]
async fn too_many_connections_get_429_unread() {
    let server = TestServer::start(&[("TABIYA_MAX_CONNECTIONS_PER_ADDRESS", "2")]);
    let first = connect(server.address).await;
    let _second = connect(server.address).await;
    let response = get(server.address, "/who").await;
    assert_eq!(parts(&response), (429, "too many connections; try again in 5 seconds\n"));
    assert!(response.contains("\r\nretry-after: 5\r\n"), "{response}");
    drop(first);
    // The server notices the closed socket a moment later.
    let mut last = String::new();
    for _ in 0..100 {
        last = get(server.address, "/who").await;
        if parts(&last).0 == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{last}");
}

#[tokio::test]
async fn clients_behind_a_proxy_are_counted_separately() {
    let variables = [("TABIYA_MAX_CONNECTIONS_PER_ADDRESS", "1"), ("TABIYA_TRUSTED_PROXY", "127.0.0.0/8")];
    let server = TestServer::start(&variables);
    let _first = connect_as(server.address, &[("x-forwarded-for", "1.1.1.1")]).await.unwrap();
    let _second = connect_as(server.address, &[("x-forwarded-for", "2.2.2.2")]).await.unwrap();
    let third = connect_as(server.address, &[("x-forwarded-for", "1.1.1.1")]).await;
    assert!(matches!(third, Err(Error::Http(response)) if response.status() == 429));
}

#[tokio::test]
async fn pages_of_other_origins_are_refused() {
    let server = TestServer::start(&[]);
    let own = format!("http://{}", server.address);
    assert!(connect_as(server.address, &[("origin", &own)]).await.is_ok());
    let Err(Error::Http(response)) = connect_as(server.address, &[("origin", "https://evil.example")]).await else {
        panic!("a foreign origin was accepted");
    };
    assert_eq!(response.status(), 403);
    let post = "POST /length HTTP/1.1\ncontent-length: 0\norigin: https://evil.example";
    let response = request(server.address, post).await;
    assert!(parts(&response).0 == 403 && response.contains("ALLOWED_DOMAIN"), "{response}");
    let read = request(server.address, "GET /who HTTP/1.1\norigin: https://evil.example").await;
    assert!(parts(&read).0 == 200 && !read.contains("access-control"), "{read}");
    assert_eq!(parts(&request(server.address, "POST /length HTTP/1.1\ncontent-length: 0").await), (200, "0"));
}

#[tokio::test]
async fn pages_of_allowed_origins_get_cors_headers() {
    let server = TestServer::start(&[("ALLOWED_DOMAIN", "https://chess.example")]);
    let post = "POST /length HTTP/1.1\ncontent-length: 0\norigin: https://chess.example";
    let response = request(server.address, post).await;
    assert_eq!(parts(&response), (200, "0"));
    assert!(response.contains("\r\naccess-control-allow-origin: https://chess.example\r\n"), "{response}");
    let preflight = "OPTIONS /length HTTP/1.1\norigin: https://chess.example\naccess-control-request-method: POST";
    let response = request(server.address, preflight).await;
    assert_eq!(parts(&response).0, 204);
    assert!(response.contains("\r\naccess-control-allow-headers: authorization, content-type\r\n"), "{response}");
    let response = request(server.address, &preflight.replace("chess", "evil")).await;
    assert!(!response.contains("access-control"), "{response}");
}

#[tokio::test]
async fn large_requests_are_refused() {
    let server = TestServer::start(&[]);
    for (length, expected) in [(65_536, 200), (65_537, 413)] {
        let stream = TcpStream::connect(server.address).await.unwrap();
        let head = format!("POST /length HTTP/1.1\nhost: localhost\ncontent-length: {length}");
        let response = request_over(stream, &head, &"x".repeat(length)).await;
        assert_eq!(parts(&response).0, expected, "{response}");
    }
    let head = format!("GET /who HTTP/1.1\nx-filler: {}", "x".repeat(20_000));
    assert_eq!(parts(&request(server.address, &head).await).0, 431);
}

#[tokio::test]
async fn health_reports_a_failing_store_without_its_error() {
    let server = TestServer::start(&[]);
    let health = async || {
        let response = get(server.address, "/healthz").await;
        let (status, body) = parts(&response);
        (status, serde_json::from_str::<Value>(body).unwrap())
    };
    let (status, body) = health().await;
    assert_eq!((status, &body["status"], &body["store"]), (200, &"ok".into(), &"ok".into()));
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));
    assert!(body["uptime_seconds"].is_u64());
    server.store_works.store(false, Ordering::Relaxed);
    // The last result is cached for a moment.
    let body = loop {
        let (status, body) = health().await;
        if status == 503 {
            break body;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(body["store"], "failing");
    assert!(!body.to_string().contains("secret detail"));
}

#[tokio::test]
async fn metrics_are_private_by_default() {
    let server = TestServer::start(&[("TABIYA_TRUSTED_PROXY", "127.0.0.1")]);
    metrics::rooms(1);
    let response = get(server.address, "/metrics").await;
    assert!(parts(&response).0 == 200 && response.contains("# TYPE tabiya_rooms gauge"), "{response}");
    let outside = "GET /metrics HTTP/1.1\nx-forwarded-for: 203.0.113.9";
    assert_eq!(parts(&request(server.address, outside).await).0, 403);

    // A local proxy that is not trusted.
    let server = TestServer::start(&[]);
    assert_eq!(parts(&request(server.address, outside).await).0, 403);
    let server = TestServer::start(&[("TABIYA_METRICS_PUBLIC", "true")]);
    assert_eq!(parts(&request(server.address, outside).await).0, 200);

    let server = TestServer::start(&[("TABIYA_METRICS_LISTEN", "127.0.0.1:0")]);
    assert_eq!(parts(&get(server.address, "/metrics").await).0, 404);
    let own = server.metrics_address.unwrap();
    assert_eq!(parts(&get(own, "/metrics").await).0, 200);
    assert_eq!(parts(&get(own, "/healthz").await).0, 200);
    assert_eq!(parts(&get(own, "/who").await).0, 404);
}

/// DNS rebinding, at the address that is for metrics only.
#[tokio::test]
async fn metrics_are_not_for_a_page_under_a_foreign_name() {
    let status = async |server: &TestServer, host: &str| {
        let ask = format!("GET /metrics HTTP/1.1\nhost: {host}");
        parts(&request(server.metrics_address.unwrap(), &ask).await).0
    };
    let server = TestServer::start(&[("TABIYA_METRICS_LISTEN", "127.0.0.1:0")]);
    for (host, expected) in [
        ("evil.example:9090", 403),
        ("metrics.chess.example", 403),
        ("192.0.2.7:9090", 200),
        ("[::1]:9090", 200),
        ("localhost", 200),
        ("relay:9090", 200),
        ("relay.local", 200),
    ] {
        assert_eq!(status(&server, host).await, expected, "{host}");
    }
    let listed = ("ALLOWED_DOMAIN", "https://metrics.chess.example");
    let server = TestServer::start(&[("TABIYA_METRICS_LISTEN", "127.0.0.1:0"), listed]);
    assert_eq!(status(&server, "metrics.chess.example:9090").await, 200);
    assert_eq!(status(&server, "evil.example:9090").await, 403);
}

/// `ALLOWED_DOMAIN` lets other pages play; the relay's own machine has more rights, which a page in its browser does not get.
#[tokio::test]
async fn a_page_of_another_origin_is_never_local() {
    for allowed in ["*", "https://chess.example"] {
        let server = TestServer::start(&[("ALLOWED_DOMAIN", allowed)]);
        let local = async |origin: &str| {
            let ask = format!("GET /local HTTP/1.1\nhost: {}\norigin: {origin}", server.address);
            request(server.address, &ask).await
        };
        assert_eq!(parts(&local("https://chess.example").await), (200, "false"), "{allowed}");
        assert_eq!(parts(&local("null").await), (200, "false"), "{allowed}");
        assert_eq!(parts(&local(&format!("http://{}", server.address)).await), (200, "true"), "{allowed}");
        assert_eq!(parts(&get(server.address, "/local").await), (200, "true"), "{allowed}");
    }
}
