use axum::body::{Body, to_bytes};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST,
    IF_NONE_MATCH,
};
use axum::http::{Method, Request};
use tower::ServiceExt;

use super::shelf::{Origin, extension, is_document};
use super::*;

/// What a program gets that was not built for whoever works on the pages.
static RELEASED: LazyLock<Shelf> = LazyLock::new(|| Shelf::stock(Origin::Program));

async fn ask(method: Method, path: &str, headers: &[(axum::http::HeaderName, &str)]) -> (Response, Vec<u8>) {
    ask_of(routes(House::default()), method, path, headers).await
}

async fn ask_of(
    routes: Router,
    method: Method,
    path: &str,
    headers: &[(axum::http::HeaderName, &str)],
) -> (Response, Vec<u8>) {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let response = routes.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    (Response::from_parts(parts, Body::empty()), body)
}

#[tokio::test]
async fn the_page_is_there_under_all_its_addresses() {
    for path in ["/", "/g/abc", "/g/not-a-code"] {
        let (response, body) = ask(Method::GET, path, &[]).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
        assert!(response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("default-src 'none'"));
        let text = String::from_utf8(body).unwrap();
        assert!(text.starts_with("<!doctype html>"));
    }
}

#[tokio::test]
async fn all_files_that_a_document_names_are_there() {
    let documents: Vec<_> = SHELF.names().filter(|name| is_document(name)).collect();
    assert!(!documents.is_empty());
    for name in documents {
        let document = SHELF.document(name).unwrap();
        let text = std::str::from_utf8(&document.plain).unwrap();
        let mut files = 0;
        for rest in text.split("\"/page/").skip(1) {
            let path = format!("/page/{}", rest.split('"').next().unwrap());
            assert!(path.contains(SHELF.version()), "{path}");
            let (response, _) = ask(Method::GET, &path, &[]).await;
            assert_eq!(response.status(), StatusCode::OK, "{name} names {path}");
            files += 1;
        }
        assert!(files > 0, "{name} names no files");
    }
}

/// A browser finds out about a module when it has read the one that names it, unless the document has named it before.
#[tokio::test]
async fn a_document_names_every_module_that_it_needs() {
    for name in SHELF.names().filter(|name| is_document(name)) {
        let document = SHELF.document(name).unwrap();
        let text = std::str::from_utf8(&document.plain).unwrap();
        let prefix = format!("/page/{}/", SHELF.version());
        let named = |module: &str| text.contains(&format!("\"{prefix}{module}\""));
        let mut waiting: Vec<String> =
            text.split(&prefix).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(module) = waiting.pop() {
            if extension(&module) != "js" || !seen.insert(module.clone()) {
                continue;
            }
            assert!(named(&module), "{name} needs {module} and does not name it");
            let file = SHELF.file(&module).unwrap_or_else(|| panic!("{name} needs {module}, which is not there"));
            waiting.extend(imports(&module, std::str::from_utf8(&file.plain).unwrap()));
        }
    }
}

/// What a module imports, as paths from the root of the files.
fn imports(module: &str, text: &str) -> Vec<String> {
    let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
    let lines = text.lines().filter(|line| line.starts_with("import ") || line.starts_with("} from "));
    let paths = lines.filter_map(|line| line.split('"').nth(1)).filter(|path| path.starts_with('.'));
    paths
        .map(|path| {
            let mut parts: Vec<_> = folder.split('/').filter(|part| !part.is_empty()).collect();
            for part in path.split('/') {
                match part {
                    "." => {}
                    ".." => drop(parts.pop()),
                    part => parts.push(part),
                }
            }
            parts.join("/")
        })
        .collect()
}

#[tokio::test]
async fn a_file_is_sent_once() {
    let path = format!("/page/{}/style/theme.css", SHELF.version());
    let (response, plain) = ask(Method::GET, &path, &[]).await;
    assert_eq!((response.status(), response.headers().get(CONTENT_ENCODING)), (StatusCode::OK, None));
    let tag = response.headers()[ETAG].to_str().unwrap().to_owned();
    let (response, squeezed) = ask(Method::GET, &path, &[(ACCEPT_ENCODING, "gzip, br")]).await;
    assert_eq!(response.headers()[CONTENT_ENCODING], "gzip");
    assert!(squeezed.len() < plain.len() && squeezed.starts_with(&[0x1f, 0x8b]));
    let (response, body) = ask(Method::GET, &path, &[(IF_NONE_MATCH, &tag)]).await;
    assert_eq!((response.status(), body.len()), (StatusCode::NOT_MODIFIED, 0));
    let (response, body) = ask(Method::HEAD, &path, &[]).await;
    assert_eq!((response.status(), body.len()), (StatusCode::OK, 0));
}

#[tokio::test]
async fn a_file_of_another_version_is_the_one_that_there_is() {
    for path in ["/page/style/theme.css", "/page/0123/style/theme.css"] {
        let (response, _) = ask(Method::GET, path, &[]).await;
        assert_eq!(
            (response.status(), &response.headers()[CACHE_CONTROL]),
            (StatusCode::OK, &"no-cache".parse().unwrap())
        );
    }
}

#[tokio::test]
async fn a_file_of_this_version_is_kept_for_a_year() {
    let path = format!("/page/{}/style/theme.css", RELEASED.version());
    let (response, body) = ask_of(files_of(&RELEASED), Method::GET, &path, &[]).await;
    assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
    assert_eq!(body, RELEASED.file("style/theme.css").unwrap().plain);
    let tag = response.headers()[ETAG].to_str().unwrap();
    let (response, _) = ask_of(files_of(&RELEASED), Method::GET, &path, &[(IF_NONE_MATCH, tag)]).await;
    assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
    for path in ["/page/style/theme.css", "/page/0123/style/theme.css"] {
        let (response, _) = ask_of(files_of(&RELEASED), Method::GET, path, &[]).await;
        assert_eq!(response.headers()[CACHE_CONTROL], "no-cache", "{path}");
    }
}

/// Its version is that of the build, and the file on the disk may be newer.
#[tokio::test]
async fn a_file_from_the_disk_is_not_kept() {
    static WORKSHOP: LazyLock<Shelf> = LazyLock::new(|| Shelf::stock(Origin::Disk));
    let path = format!("/page/{}/style/theme.css", WORKSHOP.version());
    let (response, _) = ask_of(files_of(&WORKSHOP), Method::GET, &path, &[]).await;
    assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
}

#[tokio::test]
async fn who_is_lost_is_shown_the_way() {
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for path in ["/nowhere", "/g/", "/g/abc/more", "/board.php?id=1"] {
        let (response, body) = ask(Method::GET, path, &[(ACCEPT, browser), (IF_NONE_MATCH, "*")]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        assert!(response.headers().contains_key(CONTENT_SECURITY_POLICY));
        assert!(String::from_utf8(body).unwrap().contains("href=\"/\""), "{path}");
        for accept in ["*/*", "application/json", ""] {
            let (response, body) = ask(Method::GET, path, &[(ACCEPT, accept)]).await;
            assert_eq!((response.status(), &*body), (StatusCode::NOT_FOUND, &b"there is no such page\n"[..]));
        }
    }
}

#[tokio::test]
async fn nothing_else_is_there() {
    for path in
        ["/page/none.css", "/page/index.html", "/page/../Cargo.toml", "/page/x/..%2f..%2fCargo.toml", "/page/x/"]
    {
        let (response, _) = ask(Method::GET, path, &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let (response, _) = ask(Method::POST, "/", &[]).await;
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_link_is_drawn() {
    let path = "/qr.svg?link=http%3A%2F%2Fboard.local%2Fg%2Fabc";
    let (response, body) = ask(Method::GET, path, &[(HOST, "board.local")]).await;
    assert_eq!(
        (response.status(), &response.headers()[CONTENT_TYPE]),
        (StatusCode::OK, &"image/svg+xml".parse().unwrap())
    );
    assert!(body.starts_with(b"<svg "));
    let (response, _) = ask(Method::GET, path, &[(HOST, "other.local")]).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

/// With everything on it, in what it takes to get it.
#[test]
fn the_pages_are_light() {
    let weigh = |name: &str| {
        let file = SHELF.document(name).or_else(|| SHELF.file(name)).unwrap();
        file.gzip.as_ref().unwrap_or(&file.plain).len()
    };
    let weight: usize = SHELF.names().map(weigh).sum();
    println!("{weight} bytes, squeezed, in {} files", SHELF.names().count());
    assert!(weight < 150_000, "{weight} bytes");
}
