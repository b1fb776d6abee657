use axum::body::{Body, to_bytes};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST,
    IF_NONE_MATCH,
};
use axum::http::{Method, Request};
use tower::ServiceExt;

use super::assets::{AssetSource, extension, is_document};
use super::*;

/// The files as in a release build.
static RELEASED: LazyLock<Assets> = LazyLock::new(|| Assets::load(AssetSource::Program));

async fn request(method: Method, path: &str, headers: &[(axum::http::HeaderName, &str)]) -> (Response, Vec<u8>) {
    request_from(routes(PageState::default()), method, path, headers).await
}

async fn request_from(
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
async fn the_page_is_served_at_all_its_paths() {
    for path in ["/", "/g/abc", "/g/not-a-code", "/games", "/rules", "/lab"] {
        let (response, body) = request(Method::GET, path, &[]).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
        assert!(response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("default-src 'none'"));
        let text = String::from_utf8(body).unwrap();
        assert!(text.starts_with("<!doctype html>"));
    }
}

#[tokio::test]
async fn all_files_of_a_document_exist() {
    let documents: Vec<_> = ASSETS.names().filter(|name| is_document(name)).collect();
    assert!(!documents.is_empty());
    for name in documents {
        let document = ASSETS.document(name).unwrap();
        let text = std::str::from_utf8(&document.plain).unwrap();
        let mut files = 0;
        for rest in text.split("\"/page/").skip(1) {
            let path = format!("/page/{}", rest.split('"').next().unwrap());
            assert!(path.contains(ASSETS.version()), "{path}");
            let (response, _) = request(Method::GET, &path, &[]).await;
            assert_eq!(response.status(), StatusCode::OK, "{name} names {path}");
            files += 1;
        }
        assert!(files > 0, "{name} names no files");
    }
}

/// Preloading: the document lists every module, so that the browser does not discover them one after the other.
#[tokio::test]
async fn a_document_preloads_every_module() {
    for name in ASSETS.names().filter(|name| is_document(name)) {
        let document = ASSETS.document(name).unwrap();
        let text = std::str::from_utf8(&document.plain).unwrap();
        let prefix = format!("/page/{}/", ASSETS.version());
        let named = |module: &str| text.contains(&format!("\"{prefix}{module}\""));
        let mut waiting: Vec<String> =
            text.split(&prefix).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(module) = waiting.pop() {
            if extension(&module) != "js" || !seen.insert(module.clone()) {
                continue;
            }
            assert!(named(&module), "{name} needs {module} and does not name it");
            let file = ASSETS.file(&module).unwrap_or_else(|| panic!("{name} needs {module}, which is not there"));
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
async fn an_unchanged_file_is_not_sent_again() {
    let path = format!("/page/{}/style/theme.css", ASSETS.version());
    let (response, plain) = request(Method::GET, &path, &[]).await;
    assert_eq!((response.status(), response.headers().get(CONTENT_ENCODING)), (StatusCode::OK, None));
    let tag = response.headers()[ETAG].to_str().unwrap().to_owned();
    let (response, squeezed) = request(Method::GET, &path, &[(ACCEPT_ENCODING, "gzip, br")]).await;
    assert_eq!(response.headers()[CONTENT_ENCODING], "gzip");
    assert!(squeezed.len() < plain.len() && squeezed.starts_with(&[0x1f, 0x8b]));
    let (response, body) = request(Method::GET, &path, &[(IF_NONE_MATCH, &tag)]).await;
    assert_eq!((response.status(), body.len()), (StatusCode::NOT_MODIFIED, 0));
    let (response, body) = request(Method::HEAD, &path, &[]).await;
    assert_eq!((response.status(), body.len()), (StatusCode::OK, 0));
}

#[tokio::test]
async fn a_path_of_another_version_serves_the_current_file() {
    for path in ["/page/style/theme.css", "/page/0123/style/theme.css"] {
        let (response, _) = request(Method::GET, path, &[]).await;
        assert_eq!(
            (response.status(), &response.headers()[CACHE_CONTROL]),
            (StatusCode::OK, &"no-cache".parse().unwrap())
        );
    }
}

#[tokio::test]
async fn a_file_of_this_version_is_cached_for_a_year() {
    let path = format!("/page/{}/style/theme.css", RELEASED.version());
    let (response, body) = request_from(files_of(&RELEASED), Method::GET, &path, &[]).await;
    assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
    assert_eq!(body, RELEASED.file("style/theme.css").unwrap().plain);
    let tag = response.headers()[ETAG].to_str().unwrap();
    let (response, _) = request_from(files_of(&RELEASED), Method::GET, &path, &[(IF_NONE_MATCH, tag)]).await;
    assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
    for path in ["/page/style/theme.css", "/page/0123/style/theme.css"] {
        let (response, _) = request_from(files_of(&RELEASED), Method::GET, path, &[]).await;
        assert_eq!(response.headers()[CACHE_CONTROL], "no-cache", "{path}");
    }
}

/// Its version is that of the build, and the file on the disk may be newer.
#[tokio::test]
async fn a_file_from_disk_is_not_cached() {
    static DEVELOPMENT: LazyLock<Assets> = LazyLock::new(|| Assets::load(AssetSource::Disk));
    let path = format!("/page/{}/style/theme.css", DEVELOPMENT.version());
    let (response, _) = request_from(files_of(&DEVELOPMENT), Method::GET, &path, &[]).await;
    assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
}

#[tokio::test]
async fn an_unknown_path_shows_the_not_found_page() {
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for path in ["/nowhere", "/g/", "/g/abc/more", "/board.php?id=1"] {
        let (response, body) = request(Method::GET, path, &[(ACCEPT, browser), (IF_NONE_MATCH, "*")]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        assert!(response.headers().contains_key(CONTENT_SECURITY_POLICY));
        assert!(String::from_utf8(body).unwrap().contains("href=\"/\""), "{path}");
        for accept in ["*/*", "application/json", ""] {
            let (response, body) = request(Method::GET, path, &[(ACCEPT, accept)]).await;
            assert_eq!((response.status(), &*body), (StatusCode::NOT_FOUND, &b"not found\n"[..]));
        }
    }
}

#[tokio::test]
async fn other_paths_are_not_found() {
    for path in
        ["/page/none.css", "/page/index.html", "/page/../Cargo.toml", "/page/x/..%2f..%2fCargo.toml", "/page/x/"]
    {
        let (response, _) = request(Method::GET, path, &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let (response, _) = request(Method::POST, "/", &[]).await;
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_link_is_drawn_as_a_qr_code() {
    let path = "/qr.svg?link=http%3A%2F%2Fboard.local%2Fg%2Fabc";
    let (response, body) = request(Method::GET, path, &[(HOST, "board.local")]).await;
    assert_eq!(
        (response.status(), &response.headers()[CONTENT_TYPE]),
        (StatusCode::OK, &"image/svg+xml".parse().unwrap())
    );
    assert!(body.starts_with(b"<svg "));
    let (response, _) = request(Method::GET, path, &[(HOST, "other.local")]).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

/// All files of all pages as they are sent, with the heaviest language: a browser loads one.
#[test]
fn the_pages_stay_within_their_weight() {
    let weigh = |name: &str| {
        let file = ASSETS.document(name).or_else(|| ASSETS.file(name)).unwrap();
        file.gzip.as_ref().unwrap_or(&file.plain).len()
    };
    let is_language = |name: &str| name.strip_prefix("language/").is_some_and(|file| file.len() == "en.js".len());
    let (languages, others): (Vec<_>, Vec<_>) = ASSETS.names().partition(|name| is_language(name));
    assert!(languages.len() > 1);
    let heaviest = languages.into_iter().map(weigh).max().unwrap_or_default();
    let weight = others.into_iter().map(weigh).sum::<usize>() + heaviest;
    println!("{weight} bytes, compressed, of which {heaviest} are texts");
    assert!(weight < 150_000, "{weight} bytes");
}

/// Otherwise sending it without indentation would change it.
#[test]
fn no_string_of_the_page_goes_on_in_another_line() {
    for name in ASSETS.names().filter(|name| extension(name) == "js") {
        let file = ASSETS.file(name).unwrap();
        for (at, line) in std::str::from_utf8(&file.plain).unwrap().lines().enumerate() {
            assert!(line.matches('`').count().is_multiple_of(2) && !line.ends_with('\\'), "{name}:{}: {line}", at + 1);
        }
    }
}

/// The addresses of the private network are not told to clients from elsewhere, and neither is a board that they may not touch.
#[tokio::test]
async fn only_local_clients_learn_the_address_in_the_network_and_a_local_board() {
    let listening = Some("0.0.0.0:8080".parse().unwrap());
    let whereabouts = async |board: Option<TouchPolicy>, client: Option<ClientContext>| {
        let state = PageState { listening, board, ..PageState::default() };
        let mut request = Request::get("/whereabouts").body(Body::empty()).unwrap();
        if let Some(client) = client {
            request.extensions_mut().insert(client);
        }
        let response = routes(state).oneshot(request).await.unwrap();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        serde_json::from_slice::<serde_json::Value>(&body).unwrap()
    };
    let known = PageState { listening, ..PageState::default() }.addresses().and_then(PageAddresses::nearby);
    let local = || Some(ClientContext::for_tests());
    assert_eq!(whereabouts(None, local()).await, serde_json::json!({ "nearby": known, "board": false }));
    assert_eq!(whereabouts(None, None).await["nearby"], serde_json::Value::Null);
    for (board, client, expected) in
        [(TouchPolicy::Local, local(), true), (TouchPolicy::Local, None, false), (TouchPolicy::All, None, true)]
    {
        assert_eq!(whereabouts(Some(board), client).await["board"], expected, "{board:?}");
    }
}

/// What browsers require to offer the page as an app: a name, a start page in its scope, and icons of two sizes that exist.
#[tokio::test]
async fn the_page_can_be_installed_as_an_app() {
    for (name, document) in ASSETS.names().filter(|name| is_document(name)).map(|name| (name, ASSETS.document(name))) {
        let text = String::from_utf8(document.unwrap().plain.to_vec()).unwrap();
        let link = text.split("rel=\"manifest\" href=\"").nth(1).unwrap_or_else(|| panic!("{name} has no manifest"));
        let path = link.split('"').next().unwrap();
        let (response, body) = request(Method::GET, path, &[]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()[CONTENT_TYPE], "application/manifest+json");
        let manifest: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&manifest["name"], &manifest["start_url"]), (&"Tabiya".into(), &"/".into()));
        assert_eq!((&manifest["display"], &manifest["scope"]), (&"standalone".into(), &"/".into()));
        let mut png_sizes = Vec::new();
        for icon in manifest["icons"].as_array().unwrap() {
            // Addresses are relative to the manifest.
            let folder = path.rsplit_once('/').unwrap().0;
            let file = format!("{folder}/{}", icon["src"].as_str().unwrap());
            let (response, image) = request(Method::GET, &file, &[]).await;
            assert_eq!(response.status(), StatusCode::OK, "{file}");
            assert_eq!(response.headers()[CONTENT_TYPE], icon["type"].as_str().unwrap(), "{file}");
            if icon["type"] == "image/png" {
                // The header of a PNG has the width and the height at byte 16.
                let (width, height) = image[16..24].split_at(4);
                let side = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
                assert_eq!(icon["sizes"], format!("{}x{}", side(width), side(height)), "{file}");
                png_sizes.push(side(width));
            }
        }
        assert!(png_sizes.contains(&192) && png_sizes.contains(&512), "{png_sizes:?}");
    }
}
