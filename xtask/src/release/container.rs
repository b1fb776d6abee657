//! The relay as a container image: a `docker save` archive with one layer, which has the program, the shared libraries that it
//! needs, the licences of all of them, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use super::sha256;
use super::system_libraries;
use super::tar::Tar;
use crate::process;

/// User and group that the relay runs as.
const USER: u32 = 65_532;

/// Folder of the store in the container.
const DATA: &str = "/data";

/// The image, for `docker load` or `podman load`, with these licences of the relay and those of the libraries.
pub(super) fn image(relay: &Path, version: &str, licences: &[(&str, Vec<u8>)]) -> Result<Vec<u8>> {
    let listed =
        process::capture(process::program("ldd").arg(relay)).context("cannot list the libraries of the relay")?;
    let mut layer = Tar::default();
    layer.folder("data/", 0o700, USER);
    layer.folder("tmp/", 0o1777, 0);
    let libraries = libraries(&listed);
    for (name, content) in licences {
        layer.file(&format!("licences/{name}"), 0o644, content);
    }
    for (package, content) in system_libraries::notices(&libraries)? {
        layer.file(&format!("licences/{package}.txt"), 0o644, &content);
    }
    for library in libraries {
        let content = fs::read(&library).with_context(|| format!("cannot read {}", library.display()))?;
        layer.file(library.to_string_lossy().trim_start_matches('/'), 0o755, &content);
    }
    let content = fs::read(relay).with_context(|| format!("cannot read {}", relay.display()))?;
    layer.file("tabiya", 0o755, &content);
    Ok(archive(&layer.finish(), version))
}

/// The paths in the output of `ldd`: of libraries, and of the dynamic loader.
fn libraries(listed: &str) -> Vec<PathBuf> {
    let path = |line: &str| line.split_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    listed.lines().filter_map(path).collect()
}

/// An archive of one image with one layer.
fn archive(layer: &[u8], version: &str) -> Vec<u8> {
    let layer_id = sha256(layer);
    let config = json!({
        "architecture": architecture(),
        "os": "linux",
        "created": "1970-01-01T00:00:00Z",
        "config": {
            "User": format!("{USER}:{USER}"),
            "Entrypoint": ["/tabiya"],
            "Cmd": ["serve"],
            "Env": [format!("TABIYA_DATA={DATA}"), "TABIYA_VIRTUAL_BOARD=off"],
            "ExposedPorts": { "8080/tcp": {} },
            "Volumes": { DATA: {} },
            "WorkingDir": DATA,
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer_id}")] },
    });
    let config = config.to_string();
    let config_name = format!("{}.json", sha256(config.as_bytes()));
    let layer_name = format!("{layer_id}/layer.tar");
    let tags = [format!("tabiya:{version}"), "tabiya:latest".to_owned()];
    let manifest = json!([{ "Config": config_name, "RepoTags": tags, "Layers": [layer_name] }]);
    let mut archive = Tar::default();
    archive.file("manifest.json", 0o644, manifest.to_string().as_bytes());
    archive.file(&config_name, 0o644, config.as_bytes());
    archive.file(&layer_name, 0o644, layer);
    archive.finish()
}

/// The architecture of this machine in the terms of containers.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// The compose file: the relay with Redis.
///
/// The relay uses the network of the host: behind a bridge neither its mDNS announcement reaches the boards, nor does any client look like
/// one on the relay's own machine, so that the owner's page would be closed.
pub(super) fn compose(version: &str) -> String {
    format!(
        "# Relay with Redis. First: `docker load --input tabiya-*.container.tar`, then `docker compose up --detach`.
# A line `TABIYA_OWNER_TOKEN=..` in a file `.env` beside this one, with at least 16 characters, is the password of the page /owner for
# clients on other machines. All users of this machine can reach Redis, as with any container.
services:
  redis:
    image: redis:7-alpine
    # Every write is on disk before it is acknowledged, so that an acknowledged move survives a power cut.
    command: [redis-server, --appendonly, \"yes\", --appendfsync, always]
    volumes: [games:/data]
    ports: [\"127.0.0.1:6379:6379\"]
    restart: unless-stopped
  relay:
    image: tabiya:{version}
    # The page is at port 8080 of this machine. Boards find the relay by mDNS, and /owner is open to browsers on this machine.
    # On macOS and Windows, turn on host networking in the settings of Docker Desktop.
    network_mode: host
    environment:
      REDIS_HOST: 127.0.0.1
      TABIYA_OWNER_TOKEN: \"${{TABIYA_OWNER_TOKEN:-}}\"
    depends_on: [redis]
    restart: unless-stopped
    # Longer than --stop-within, the time for open connections.
    stop_grace_period: 15s
    read_only: true
volumes:
  games:
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_libraries_of_a_program() {
        let listed = "\tlinux-vdso.so.1 (0x00007ffd)\n\
                      \tlibgcc_s.so.1 => /lib/x86_64-linux-gnu/libgcc_s.so.1 (0x00007f11)\n\
                      \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f10)\n\
                      \t/lib64/ld-linux-x86-64.so.2 (0x00007f12)\n";
        let found = libraries(listed);
        let expected =
            ["/lib/x86_64-linux-gnu/libgcc_s.so.1", "/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"];
        assert_eq!(found, expected.map(PathBuf::from));
        assert_eq!(libraries("\tstatically linked\n"), [] as [PathBuf; 0]);
    }

    #[test]
    fn the_compose_file_names_the_image_of_the_archive() {
        let archive = archive(b"layer", "1.2.3");
        let text = String::from_utf8_lossy(&archive);
        assert!(text.contains("\"RepoTags\":[\"tabiya:1.2.3\",\"tabiya:latest\"]"));
        assert!(compose("1.2.3").contains("image: tabiya:1.2.3\n"));
    }

    /// Behind a bridge boards do not find the relay, and the owner's page is closed.
    #[test]
    fn a_relay_of_the_compose_file_can_pair_boards() {
        let compose = compose("1.2.3");
        let relay = compose.split("  relay:\n").nth(1).expect("the relay is the last service");
        assert!(relay.contains("    network_mode: host\n") && !relay.contains("    ports:"), "{compose}");
        assert!(relay.contains("      TABIYA_OWNER_TOKEN: \"${TABIYA_OWNER_TOKEN:-}\"\n"), "{compose}");
        assert!(
            compose.contains("    ports: [\"127.0.0.1:6379:6379\"]\n"),
            "Redis is for this machine only: {compose}"
        );
    }
}
