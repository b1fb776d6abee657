use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};
use clap::ArgAction;

use super::*;

/// A directory that is removed after the test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tabiya-config-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn parser() -> SettingsParser {
    SettingsParser::new(Settings::augment_args(Command::new("serve")))
}

/// Resolves settings from a command line, an environment and a directory with settings files, as `command::run` does.
fn resolve(line: &str, environment: &[(&str, &str)], directory: &Path) -> Result<(Config, String), ConfigError> {
    let parser = parser();
    let arguments: Vec<OsString> = ["serve"].into_iter().chain(line.split_whitespace()).map(OsString::from).collect();
    let flags = parser.parse_flags(&arguments).map_err(|error| ConfigError::Value(one_line(&error)))?;
    let environment: HashMap<_, _> = environment.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
    let variables = Variables::load(environment, environment_flag(&flags), directory, &parser.names())?;
    let matches = parser.parse(&arguments, &variables)?;
    let config = Settings::from_arg_matches(&matches).unwrap().config(&variables)?;
    Ok((config, parser.print("serve", &matches, &variables)))
}

fn read(line: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    resolve(line, environment, Path::new("/nowhere")).map(|(config, _)| config)
}

fn error(line: &str, environment: &[(&str, &str)]) -> String {
    read(line, environment).unwrap_err().to_string()
}

#[test]
fn every_setting_has_a_default() {
    let config = read("", &[]).unwrap();
    assert_eq!(config.listen, "[::]:8080".parse().unwrap());
    assert_eq!(config.store, StoreConfig::Embedded { data: "tabiya-data".into() });
    assert_eq!(config.tls, None);
    assert_eq!(config.keep_games, Duration::from_hours(30 * 24));
    assert_eq!(config.grace, Duration::from_mins(1));
    assert_eq!(config.limits.connections, NonZeroU32::new(10_000));
    assert_eq!(config.limits.message, 65_536);
    assert_eq!(config.proxies, Proxies::default());
    assert_eq!(config.virtual_board, Some(TouchPolicy::Local));
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let directory = Directory::new("precedence");
    directory.write(".env.dev", "TABIYA_LISTEN=127.0.0.1:1\nREDIS_HOST=file\nREDIS_PORT=1\n");
    directory.write(".env.prod", "REDIS_HOST=production\nENVIRONMENT=dev\n");
    let read = |line: &str, environment: &[(&str, &str)]| resolve(line, environment, &directory.0).unwrap().0;
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
    // The name of the file comes from the environment or a flag, never from the file.
    assert_eq!(host(&read("", &[("ENVIRONMENT", "prod")])), "production");
    assert_eq!(host(&read("--environment prod", &[("ENVIRONMENT", "dev")])), "production");
    // A missing file is not an error, and an empty variable counts as not set.
    assert_eq!(host(&read("", &[("ENVIRONMENT", "test")])), "");
    assert_eq!(host(&read("", &[("REDIS_HOST", "")])), "file");
}

#[test]
fn redis_is_used_only_if_requested() {
    let redis = |line: &str, environment: &[(&str, &str)]| match read(line, environment).unwrap().store {
        StoreConfig::Redis(redis) => Some(redis),
        StoreConfig::Embedded { .. } => None,
    };
    assert_eq!(redis("", &[]), None);
    assert_eq!(redis("", &[("REDIS_PORT", "7000")]), None);
    assert_eq!(redis("", &[("TABIYA_REDIS", "no")]), None);
    assert_eq!(redis("--redis", &[]).unwrap().host, "127.0.0.1");
    assert_eq!(redis("", &[("TABIYA_REDIS", "yes")]).unwrap().host, "127.0.0.1");
    let all = [("REDIS_HOST", "r"), ("REDIS_PORT", "7000"), ("REDIS_PREFIX", "chezz:"), ("REDIS_PASSWORD", "hunter2")];
    let redis = redis("--redis-cluster", &all).unwrap();
    assert_eq!((redis.host.as_str(), redis.port, redis.prefix.as_str(), redis.cluster), ("r", 7000, "chezz:", true));
    assert_eq!(redis.password.as_ref().map(Secret::reveal), Some("hunter2"));
    assert!(!format!("{redis:?}").contains("hunter2"));
}

#[test]
fn livechess_is_off_by_default_and_alone_listens_where_pages_expect_it() {
    let address = |line: &str| read(line, &[]).unwrap().livechess;
    assert_eq!(address(""), None);
    assert_eq!(address("--livechess"), Some(([127, 0, 0, 1], 1982).into()));
    assert_eq!(address("--livechess --virtual-board=off"), Some(([127, 0, 0, 1], 1982).into()));
    assert_eq!(address("--livechess=192.168.1.2:1983"), Some(([192, 168, 1, 2], 1983).into()));
}

#[test]
fn only_lichess_and_chess_com_may_use_livechess_by_default() {
    let origins = read("--livechess", &[]).unwrap().livechess_origins;
    let allows = |origin: &str| {
        let headers = HeaderMap::from_iter([(HOST, "localhost:1982"), (ORIGIN, origin)].map(header));
        origins.check(&headers).is_ok()
    };
    for origin in ["https://lichess.org", "https://www.chess.com", "https://chess.com"] {
        assert!(allows(origin), "{origin}");
    }
    for origin in [
        "http://lichess.org",
        "https://lichess.org.evil.example",
        "https://evil-lichess.org",
        "https://lichess.org:8443",
        "https://lichess.dev",
        "https://chess.com.evil.example",
        "https://localhost:1982",
        "http://localhost:1982",
        "null",
    ] {
        assert!(!allows(origin), "{origin}");
    }
}

fn header((name, value): (HeaderName, &str)) -> (HeaderName, HeaderValue) {
    (name, value.parse().unwrap())
}

#[test]
fn lists_may_have_commas_or_repeated_flags() {
    let trusted = |line: &str, environment: &[(&str, &str)]| read(line, environment).unwrap().proxies.trusted.len();
    assert_eq!(trusted("--trusted-proxy 10.0.0.0/8 --trusted-proxy ::1", &[]), 2);
    assert_eq!(trusted("--trusted-proxy 10.0.0.0/8,::1", &[("TABIYA_TRUSTED_PROXY", "127.0.0.1")]), 2);
    assert_eq!(trusted("", &[("TABIYA_TRUSTED_PROXY", "10.0.0.0/8, ::1, 127.0.0.1")]), 3);
    assert!(read("", &[("ALLOWED_DOMAIN", "https://a.example, b.example")]).is_ok());
}

#[test]
fn engines_are_separated_by_semicolons() {
    let names = |line: &str, environment: &[(&str, &str)]| -> Vec<String> {
        read(line, environment).unwrap().engines.iter().map(|engine| engine.name.to_string()).collect()
    };
    assert_eq!(names("", &[]), [""; 0]);
    assert_eq!(names("--engine a=/bin/a,nodes=5 --engine b=/bin/b", &[]), ["a", "b"]);
    assert_eq!(names("", &[("TABIYA_ENGINE", "a=/bin/a,Skill Level=3;b=/bin/b")]), ["a", "b"]);
    assert_eq!(error("--engine a=/bin/a;a=/bin/b", &[]), "--engine: two engines have the same name");
    assert!(error("--engine a=/bin/a,nodes=no", &[]).contains("nodes must be a number"));
}

#[test]
fn an_invalid_value_is_one_line_that_names_its_source() {
    assert_eq!(
        error("--listen here", &[]),
        "invalid value 'here' for '--listen <ADDRESS>': must be an address and a port, such as 0.0.0.0:8080 or [::]:8080"
    );
    let port = "must be a port from 1 to 65535";
    assert_eq!(error("", &[("REDIS_PORT", "0")]), format!("invalid value '0' for 'REDIS_PORT': {port}"));
    assert_eq!(error("", &[("REDIS_PORT", "+1")]), format!("invalid value '+1' for 'REDIS_PORT': {port}"));
    assert!(error("--grace 0", &[]).ends_with("'--grace <SECONDS>': must be a number of seconds from 1 to 86400"));
    assert!(error("--keep-games x", &[]).ends_with("must be a number of days from 1 to 36500"));
    assert!(error("", &[("TABIYA_REDIS", "maybe")]).starts_with("invalid value 'maybe' for 'TABIYA_REDIS'"));
    assert!(error("--log-format xml", &[]).ends_with("'--log-format <FORMAT>' [possible values: human, json]"));
    assert!(error("--log =,=", &[]).contains("must be error, warn, info"));
    assert!(error("--trusted-proxy 10.0.0.0/8 --trusted-proxy me", &[]).contains("'--trusted-proxy <NETWORK>'"));
    assert!(error("", &[("ALLOWED_DOMAIN", "http://")]).contains("for 'ALLOWED_DOMAIN': must be an origin"));
    assert_eq!(error("--tls-cert a.pem", &[]), "--tls-cert needs --tls-key as well");
    assert_eq!(error("", &[("TABIYA_TLS_KEY", "a.pem")]), "--tls-key needs --tls-cert as well");
    assert!(error("", &[("REDIS_CLUSTER", "1")]).contains("--redis-host"));
    assert!(error("--redis --virtual-board all", &[]).contains("tabiya board --relay"));
    assert!(error("--environment ../x", &[]).contains("'--environment <NAME>'"));
    assert!(error("", &[("ENVIRONMENT", "../x")]).contains("for ENVIRONMENT: must consist of letters"));
    assert!(error("--listn x", &[]).ends_with("did you mean '--listen'?"));
    assert_eq!(error("", &[("TABIYA_GRACE", "a\nb")]).lines().count(), 1);

    let directory = Directory::new("wrong");
    let error = || resolve("", &[], &directory.0).unwrap_err().to_string();
    directory.write(".env.dev", "A=1\nREDIS_PORT=none\n");
    assert_eq!(error(), format!("invalid value 'none' for 'REDIS_PORT in .env.dev': {port}"));
    directory.write(".env.dev", "A=1\nnonsense\n");
    assert!(error().contains(".env.dev, line 2: "));
    directory.write(".env.dev", "A=1\nTABIYA_LISTN=[::]:80\n");
    assert_eq!(error(), ".env.dev: unknown variable TABIYA_LISTN, did you mean TABIYA_LISTEN?");
    directory.write(".env.dev", "TABIYA_CASTLE=1\n");
    assert_eq!(error(), ".env.dev: unknown variable TABIYA_CASTLE");
}

#[test]
fn the_printed_settings_can_be_read_again_and_contain_no_secret() {
    let environment =
        [("REDIS_HOST", "redis"), ("REDIS_PASSWORD", "hunter2"), ("TABIYA_LOG", "info,host_server=debug")];
    let (_, printed) = resolve("--grace 5 --data a$b --redis-tls", &environment, Path::new("/nowhere")).unwrap();
    assert!(printed.contains("TABIYA_GRACE=5  # --grace\n"), "{printed}");
    assert!(printed.contains("REDIS_TLS=true  # --redis-tls\n"), "{printed}");
    assert!(printed.contains("REDIS_HOST=redis  # REDIS_HOST\n"), "{printed}");
    assert!(printed.contains("REDIS_PORT=6379  # default\n"), "{printed}");
    assert!(printed.contains("# REDIS_PASSWORD is set by REDIS_PASSWORD, and not shown\n"), "{printed}");
    assert!(!printed.contains("hunter2"), "{printed}");

    let directory = Directory::new("printed");
    directory.write(".env.dev", &printed);
    let (_, again) = resolve("", &[], &directory.0).unwrap();
    assert!(again.contains("TABIYA_GRACE=5  # TABIYA_GRACE in .env.dev\n"), "{again}");
    let settings = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(settings(&again), settings(&printed));
}

/// The table in docs/operations.md: flag, variable, default and help of every setting.
#[test]
fn the_document_lists_every_setting() {
    let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
    let command = Settings::augment_args(Command::new("serve"));
    let mut rows: Vec<String> = command
        .get_arguments()
        .map(|arg| {
            let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
            let name = arg.get_value_names().and_then(|names| names.first()).filter(|_| takes_value);
            // A value that may be missing is only read after an equals sign.
            let shown = |name| if arg.is_require_equals_set() { format!("[={name}]") } else { format!(" {name}") };
            let name = name.map(shown).unwrap_or_default();
            let flag = format!("--{}{name}", arg.get_long().unwrap());
            let variable = arg.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let default = arg.get_default_values().first().filter(|_| takes_value);
            let default = default.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default();
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            format!("| {} | {} | {} | {help}. |\n", code(&flag), code(&variable), code(&default))
        })
        .collect();
    let user = rows.iter().position(|row| row.contains("`REDIS_USER`")).unwrap();
    for (variable, help) in SECRETS {
        rows.insert(user + 1, format!("|  | `{variable}` |  | {help}. |\n"));
    }
    let table = format!("| flag | variable | default | what it does |\n|---|---|---|---|\n{}", rows.concat());
    let document = include_str!("../../../docs/operations.md");
    assert!(document.contains(&format!("{table}\n")), "the table in docs/operations.md should be:\n{table}");
}

#[test]
fn the_example_file_works_unchanged() {
    let directory = Directory::new("example");
    let example = include_str!("../../../.env.example");
    directory.write(".env.dev", example);
    let config = resolve("", &[], &directory.0).unwrap().0;
    assert!(matches!(config.store, StoreConfig::Embedded { .. }));
    // The commented lines are valid settings, too.
    directory.write(".env.dev", &example.replace("\n#REDIS_", "\nREDIS_").replace("\n#TABIYA_", "\nTABIYA_"));
    let config = resolve("", &[], &directory.0).unwrap().0;
    assert!(matches!(config.store, StoreConfig::Redis(_)));
}
