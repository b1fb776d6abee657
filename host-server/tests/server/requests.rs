//! What every request goes through.

use std::sync::atomic::Ordering;
use std::time::Duration;

use host_server::server::metrics;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;

use crate::client::{ask, ask_over, connect, connect_as, get, parts};
use crate::house::House;

#[tokio::test]
async fn strangers_cannot_say_that_they_are_somebody_else() {
    let house = House::open(&[]);
    let forged = "GET /who HTTP/1.1\nx-forwarded-for: 1.2.3.4\nforwarded: for=1.2.3.4";
    assert_eq!(parts(&ask(house.address, forged).await), (200, "127.0.0.1"));
    let house = House::open(&[("TABIYA_TRUSTED_PROXY", "127.0.0.1")]);
    assert_eq!(parts(&ask(house.address, forged).await), (200, "1.2.3.4"));
    assert_eq!(parts(&get(house.address, "/who").await), (200, "127.0.0.1"));
}

#[tokio::test]
async fn too_many_requests_are_refused_with_a_time_to_come_back() {
    let house = House::open(&[("TABIYA_REQUESTS_PER_MINUTE", "3"), ("TABIYA_TRUSTED_PROXY", "127.0.0.1")]);
    let from = |who: &str| format!("GET /who HTTP/1.1\nx-forwarded-for: {who}");
    for _ in 0..3 {
        assert_eq!(parts(&ask(house.address, &from("1.1.1.1")).await).0, 200);
    }
    let answer = ask(house.address, &from("1.1.1.1")).await;
    assert_eq!(parts(&answer), (429, "too much at once; try again in 20 seconds\n"));
    assert!(answer.contains("\r\nretry-after: 20\r\n"), "{answer}");
    assert_eq!(parts(&ask(house.address, &from("2.2.2.2")).await).0, 200);
    // Whoever looks after the relay is not in the same queue.
    assert_eq!(parts(&get(house.address, "/healthz").await).0, 200);
}

#[tokio::test]
async fn codes_cannot_be_guessed() {
    let house = House::open(&[("TABIYA_JOINS_PER_MINUTE", "2")]);
    assert_eq!(parts(&get(house.address, "/code").await), (200, "no such room"));
    assert_eq!(parts(&get(house.address, "/code").await), (200, "no such room"));
    assert_eq!(parts(&get(house.address, "/code").await), (429, "try again in 30 seconds"));
}

#[tokio::test]
async fn too_many_connections_are_refused_before_they_are_read() {
    let house = House::open(&[("TABIYA_MAX_CONNECTIONS_PER_ADDRESS", "2")]);
    let first = connect(house.address).await;
    let _second = connect(house.address).await;
    let answer = get(house.address, "/who").await;
    assert_eq!(parts(&answer), (429, "too many connections; try again in 5 seconds\n"));
    assert!(answer.contains("\r\nretry-after: 5\r\n"), "{answer}");
    drop(first);
    // It takes a moment until the relay has noticed.
    let mut last = String::new();
    for _ in 0..100 {
        last = get(house.address, "/who").await;
        if parts(&last).0 == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{last}");
}

#[tokio::test]
async fn those_behind_a_proxy_are_counted_each() {
    let variables = [("TABIYA_MAX_CONNECTIONS_PER_ADDRESS", "1"), ("TABIYA_TRUSTED_PROXY", "127.0.0.0/8")];
    let house = House::open(&variables);
    let _first = connect_as(house.address, &[("x-forwarded-for", "1.1.1.1")]).await.unwrap();
    let _second = connect_as(house.address, &[("x-forwarded-for", "2.2.2.2")]).await.unwrap();
    let third = connect_as(house.address, &[("x-forwarded-for", "1.1.1.1")]).await;
    assert!(matches!(third, Err(Error::Http(response)) if response.status() == 429));
}

#[tokio::test]
async fn pages_of_strangers_are_refused() {
    let house = House::open(&[]);
    let own = format!("http://{}", house.address);
    assert!(connect_as(house.address, &[("origin", &own)]).await.is_ok());
    let Err(Error::Http(response)) = connect_as(house.address, &[("origin", "https://evil.example")]).await else {
        panic!("a stranger was let in");
    };
    assert_eq!(response.status(), 403);
    let post = "POST /length HTTP/1.1\ncontent-length: 0\norigin: https://evil.example";
    let answer = ask(house.address, post).await;
    assert!(parts(&answer).0 == 403 && answer.contains("ALLOWED_DOMAIN"), "{answer}");
    let read = ask(house.address, "GET /who HTTP/1.1\norigin: https://evil.example").await;
    assert!(parts(&read).0 == 200 && !read.contains("access-control"), "{read}");
    assert_eq!(parts(&ask(house.address, "POST /length HTTP/1.1\ncontent-length: 0").await), (200, "0"));
}

#[tokio::test]
async fn pages_of_friends_may_read_the_answers() {
    let house = House::open(&[("ALLOWED_DOMAIN", "https://chess.example")]);
    let post = "POST /length HTTP/1.1\ncontent-length: 0\norigin: https://chess.example";
    let answer = ask(house.address, post).await;
    assert_eq!(parts(&answer), (200, "0"));
    assert!(answer.contains("\r\naccess-control-allow-origin: https://chess.example\r\n"), "{answer}");
    let question = "OPTIONS /length HTTP/1.1\norigin: https://chess.example\naccess-control-request-method: POST";
    let answer = ask(house.address, question).await;
    assert_eq!(parts(&answer).0, 204);
    assert!(answer.contains("\r\naccess-control-allow-headers: authorization, content-type\r\n"), "{answer}");
    let answer = ask(house.address, &question.replace("chess", "evil")).await;
    assert!(!answer.contains("access-control"), "{answer}");
}

#[tokio::test]
async fn large_requests_are_refused() {
    let house = House::open(&[]);
    for (length, expected) in [(65_536, 200), (65_537, 413)] {
        let stream = TcpStream::connect(house.address).await.unwrap();
        let head = format!("POST /length HTTP/1.1\nhost: relay\ncontent-length: {length}");
        let answer = ask_over(stream, &head, &"x".repeat(length)).await;
        assert_eq!(parts(&answer).0, expected, "{answer}");
    }
    let head = format!("GET /who HTTP/1.1\nx-filler: {}", "x".repeat(20_000));
    assert_eq!(parts(&ask(house.address, &head).await).0, 431);
}

#[tokio::test]
async fn health_tells_about_the_store_but_not_what_is_wrong() {
    let house = House::open(&[]);
    let health = async || {
        let answer = get(house.address, "/healthz").await;
        let (status, body) = parts(&answer);
        (status, serde_json::from_str::<Value>(body).unwrap())
    };
    let (status, body) = health().await;
    assert_eq!((status, &body["status"], &body["store"]), (200, &"ok".into(), &"ok".into()));
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));
    assert!(body["uptime_seconds"].is_u64());
    house.store_works.store(false, Ordering::Relaxed);
    // The store is not asked again within a second.
    assert_eq!(health().await.0, 200);
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let (status, body) = health().await;
    assert_eq!((status, &body["store"]), (503, &"failing".into()));
    assert!(!body.to_string().contains("holiday"));
}

#[tokio::test]
async fn figures_are_for_those_who_look_after_the_relay() {
    let house = House::open(&[("TABIYA_TRUSTED_PROXY", "127.0.0.1")]);
    metrics::rooms(1);
    let answer = get(house.address, "/metrics").await;
    assert!(parts(&answer).0 == 200 && answer.contains("# TYPE tabiya_rooms gauge"), "{answer}");
    let outside = "GET /metrics HTTP/1.1\nx-forwarded-for: 203.0.113.9";
    assert_eq!(parts(&ask(house.address, outside).await).0, 403);

    // A proxy that nobody told us about.
    let house = House::open(&[]);
    assert_eq!(parts(&ask(house.address, outside).await).0, 403);
    let house = House::open(&[("TABIYA_METRICS_PUBLIC", "true")]);
    assert_eq!(parts(&ask(house.address, outside).await).0, 200);

    let house = House::open(&[("TABIYA_METRICS_LISTEN", "127.0.0.1:0")]);
    assert_eq!(parts(&get(house.address, "/metrics").await).0, 404);
    let own = house.metrics_address.unwrap();
    assert_eq!(parts(&get(own, "/metrics").await).0, 200);
    assert_eq!(parts(&get(own, "/healthz").await).0, 200);
    assert_eq!(parts(&get(own, "/who").await).0, 404);
}
