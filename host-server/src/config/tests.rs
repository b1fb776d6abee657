use std::fs;
use std::path::Path;

use clap::{Args, Command, FromArgMatches};

use super::setting::{Kind, SETTINGS};
use super::*;

/// A directory of its own, gone when the test is over.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tabiya-config-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn arguments(line: &str) -> Arguments {
    let command = Arguments::augment_args(Command::new("serve"));
    let matches = command.try_get_matches_from(["serve"].into_iter().chain(line.split_whitespace())).unwrap();
    Arguments::from_arg_matches(&matches).unwrap()
}

fn sources(line: &str, environment: &[(&str, &str)], at: &Path) -> Result<Sources, ConfigError> {
    let environment = environment.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
    Sources::new(arguments(line).0, environment, at)
}

fn read(line: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::read(&sources(line, environment, Path::new("/nowhere"))?)
}

fn complaint(line: &str, environment: &[(&str, &str)]) -> String {
    read(line, environment).unwrap_err().to_string()
}

#[test]
fn there_is_a_default_for_everything() {
    let config = read("", &[]).unwrap();
    assert_eq!(config.listen, "[::]:8080".parse().unwrap());
    assert_eq!(config.store, StoreConfig::Embedded { data: "tabiya-data".into() });
    assert_eq!(config.tls, None);
    assert_eq!(config.keep_games, Duration::from_hours(30 * 24));
    assert_eq!(config.grace, Duration::from_mins(1));
    assert_eq!(config.limits.connections, NonZeroU32::new(10_000));
    assert_eq!(config.limits.message, 65_536);
    assert_eq!(config.proxies, Proxies::default());
}

#[test]
fn flags_count_more_than_the_environment_and_that_more_than_the_file() {
    let directory = Directory::new("precedence");
    fs::write(directory.0.join(".env.dev"), "TABIYA_LISTEN=127.0.0.1:1\nREDIS_HOST=file\nREDIS_PORT=1\n").unwrap();
    fs::write(directory.0.join(".env.prod"), "REDIS_HOST=production\nENVIRONMENT=dev\n").unwrap();
    let read = |line: &str, environment: &[(&str, &str)]| {
        Config::read(&sources(line, environment, &directory.0).unwrap()).unwrap()
    };
    let host = |config: &Config| match &config.store {
        StoreConfig::Redis(redis) => redis.host.clone(),
        StoreConfig::Embedded { .. } => String::new(),
    };
    let config = read("", &[]);
    assert_eq!((config.listen.port(), host(&config)), (1, "file".to_owned()));
    let config = read("", &[("TABIYA_LISTEN", "127.0.0.1:2"), ("REDIS_HOST", "environment")]);
    assert_eq!((config.listen.port(), host(&config)), (2, "environment".to_owned()));
    let config = read("--listen 127.0.0.1:3 --redis-host flag", &[("TABIYA_LISTEN", "127.0.0.1:2")]);
    assert_eq!((config.listen.port(), host(&config)), (3, "flag".to_owned()));
    // The environment is what names the file, so the file cannot.
    assert_eq!(host(&read("", &[("ENVIRONMENT", "prod")])), "production");
    assert_eq!(host(&read("--environment prod", &[])), "production");
    // A file that is not there is not missed, and an empty variable is as good as none.
    assert_eq!(host(&read("", &[("ENVIRONMENT", "test")])), "");
    assert_eq!(host(&read("", &[("REDIS_HOST", "")])), "file");
}

#[test]
fn redis_is_used_if_somebody_says_so() {
    let redis = |line: &str, environment: &[(&str, &str)]| match read(line, environment).unwrap().store {
        StoreConfig::Redis(redis) => Some(redis),
        StoreConfig::Embedded { .. } => None,
    };
    assert_eq!(redis("", &[]), None);
    assert_eq!(redis("", &[("REDIS_PORT", "7000")]), None);
    assert_eq!(redis("", &[("TABIYA_REDIS", "no")]), None);
    assert_eq!(redis("--redis", &[]).unwrap().host, "127.0.0.1");
    let all = [("REDIS_HOST", "r"), ("REDIS_PORT", "7000"), ("REDIS_PREFIX", "chezz:"), ("REDIS_PASSWORD", "hunter2")];
    let redis = redis("--redis-cluster", &all).unwrap();
    assert_eq!((redis.host.as_str(), redis.port, redis.prefix.as_str(), redis.cluster), ("r", 7000, "chezz:", true));
    assert_eq!(redis.password.as_ref().map(Secret::reveal), Some("hunter2"));
    assert!(!format!("{redis:?}").contains("hunter2"));
}

#[test]
fn whatever_is_wrong_is_said_with_its_name() {
    assert_eq!(
        complaint("--listen here", &[]),
        r#"--listen "here": it is an address and a port, like 0.0.0.0:8080 or [::]:8080"#
    );
    assert_eq!(complaint("", &[("REDIS_PORT", "0")]), r#"REDIS_PORT "0": a port is a number from 1 to 65535"#);
    assert_eq!(complaint("", &[("REDIS_PORT", "+1")]), r#"REDIS_PORT "+1": a port is a number from 1 to 65535"#);
    assert_eq!(complaint("--grace 0", &[]), r#"--grace "0": it is a number of seconds from 1 to 86400"#);
    assert_eq!(complaint("--keep-games x", &[]), r#"--keep-games "x": it is a number of days from 1 to 36500"#);
    assert_eq!(complaint("", &[("TABIYA_REDIS", "maybe")]), r#"TABIYA_REDIS "maybe": it is true or false"#);
    assert_eq!(complaint("--log-format xml", &[]), r#"--log-format "xml": it is human or json"#);
    assert!(complaint("--log =,=", &[]).starts_with(r#"--log "=,=": it is error, warn"#));
    assert!(complaint("--trusted-proxy 10.0.0.0/8 --trusted-proxy me", &[]).starts_with("--trusted-proxy"));
    assert!(complaint("", &[("ALLOWED_DOMAIN", "http://")]).starts_with(r#"ALLOWED_DOMAIN "http://": "#));
    assert_eq!(complaint("--tls-cert a.pem", &[]), "--tls-cert needs --tls-key as well");
    assert_eq!(complaint("", &[("TABIYA_TLS_KEY", "a.pem")]), "--tls-key needs --tls-cert as well");
    assert!(complaint("", &[("REDIS_CLUSTER", "1")]).contains("--redis-host"));
    assert!(complaint("--environment ../x", &[]).starts_with(r#"--environment "../x": "#));
    assert_eq!(complaint("", &[("TABIYA_GRACE", "a\nb")]).lines().count(), 1);

    let directory = Directory::new("wrong");
    fs::write(directory.0.join(".env.dev"), "A=1\nREDIS_PORT=none\n").unwrap();
    let error = Config::read(&sources("", &[], &directory.0).unwrap()).unwrap_err().to_string();
    assert_eq!(error, r#"REDIS_PORT in .env.dev "none": a port is a number from 1 to 65535"#);
    fs::write(directory.0.join(".env.dev"), "A=1\nnonsense\n").unwrap();
    let error = sources("", &[], &directory.0).unwrap_err().to_string();
    assert!(error.contains(".env.dev, line 2: "), "{error}");
}

#[test]
fn what_is_printed_can_be_read_again_and_holds_no_secret() {
    let environment =
        [("REDIS_HOST", "redis"), ("REDIS_PASSWORD", "hunter2"), ("TABIYA_LOG", "info,host_server=debug")];
    let printed = sources("--grace 5 --data a$b", &environment, Path::new("/nowhere")).unwrap().print().unwrap();
    assert!(printed.contains("TABIYA_GRACE=5  # --grace\n"), "{printed}");
    assert!(printed.contains("REDIS_HOST=redis  # REDIS_HOST\n"), "{printed}");
    assert!(printed.contains("REDIS_PORT=6379  # default\n"), "{printed}");
    assert!(printed.contains("# REDIS_PASSWORD is set by REDIS_PASSWORD, and not shown\n"), "{printed}");
    assert!(!printed.contains("hunter2"), "{printed}");

    let directory = Directory::new("printed");
    fs::write(directory.0.join(".env.dev"), &printed).unwrap();
    let again = sources("", &[], &directory.0).unwrap().print().unwrap();
    let settings = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(settings(&again), settings(&printed));
}

/// Every name that is asked for is in the list: a value that has a default is never missing.
#[test]
fn the_list_is_complete() {
    let text = [include_str!("../config.rs"), include_str!("sources.rs")].concat();
    for asked in [".value(\"", ".optional(\"", ".switch(\"", ".value_or_default(\""] {
        for name in text.split(asked).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(setting::Setting::named(name).is_some(), "{name}");
        }
    }
    for setting in SETTINGS {
        assert_eq!(setting.kind == Kind::Secret, setting.name.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
    }
}

#[test]
fn the_document_has_every_setting() {
    let document = include_str!("../../../docs/operations.md");
    let head = "| flag | variable | default | what it does |\n|---|---|---|---|\n";
    let rows: String = SETTINGS.iter().map(|setting| setting.row() + "\n").collect();
    assert!(document.contains(&format!("{head}{rows}\n")), "the table in docs/operations.md should be:\n{head}{rows}");
}

#[test]
fn the_example_sets_what_it_says() {
    let directory = Directory::new("example");
    fs::write(directory.0.join(".env.dev"), include_str!("../../../.env.example")).unwrap();
    let config = Config::read(&sources("", &[], &directory.0).unwrap()).unwrap();
    assert!(matches!(config.store, StoreConfig::Redis(_)));
}
