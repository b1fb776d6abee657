//! The one list of everything that can be set.

use std::collections::BTreeMap;

use Kind::{List, Secret, Switch, Value};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// Something that can be set.
#[derive(Debug)]
pub(super) struct Setting {
    /// What it is called, on the command line and here. Those in capitals are only ever said in the environment.
    pub(super) name: &'static str,
    /// The variable, if there is one.
    pub(super) variable: Option<&'static str>,
    /// What is said about it.
    pub(super) kind: Kind,
    /// What it is if nobody says anything.
    pub(super) default: Option<&'static str>,
    /// Whether it is about the store, and so about other commands, too.
    store: bool,
    /// What it does, in a sentence.
    help: &'static str,
}

/// What is said about a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A value, and what such a value is called.
    Value(&'static str),
    /// Values, with commas between them or one after the other.
    List(&'static str),
    /// That it is so.
    Switch,
    /// A value that nobody may read: other people see the command line.
    Secret,
}

macro_rules! settings {
    ($($name:literal, $variable:expr, $kind:expr, $default:expr, $store:literal, $help:literal;)*) => {
        &[$(Setting { name: $name, variable: $variable, kind: $kind, default: $default, store: $store, help: $help }),*]
    };
}

#[rustfmt::skip]
pub(super) const SETTINGS: &[Setting] = settings! {
    "listen", Some("TABIYA_LISTEN"), Value("ADDRESS"), Some("[::]:8080"), false,
        "Listen here. Boards on the local network must reach it, so by default it is every address, IPv4 as well";
    "data", Some("TABIYA_DATA"), Value("DIR"), Some("tabiya-data"), true,
        "Keep games and boards in this directory, if not in Redis";
    "redis", Some("TABIYA_REDIS"), Switch, None, true,
        "Keep games and boards in Redis, on this machine if no host is given";
    "redis-host", Some("REDIS_HOST"), Value("HOST"), None, true,
        "Keep games and boards in Redis on this host";
    "redis-port", Some("REDIS_PORT"), Value("PORT"), Some("6379"), true,
        "The port of Redis";
    "redis-prefix", Some("REDIS_PREFIX"), Value("TEXT"), Some("tabiya:"), true,
        "Begin all keys in Redis with this";
    "redis-user", Some("REDIS_USER"), Value("NAME"), None, true,
        "The user in Redis";
    "REDIS_PASSWORD", Some("REDIS_PASSWORD"), Secret, None, true,
        "The password in Redis";
    "redis-database", Some("REDIS_DATABASE"), Value("NUMBER"), Some("0"), true,
        "The database in Redis";
    "redis-cluster", Some("REDIS_CLUSTER"), Switch, None, true,
        "Redis is a cluster, and the host is one of its nodes";
    "redis-tls", Some("REDIS_TLS"), Switch, None, true,
        "Speak TLS with Redis, whose certificate must be one that this machine believes";
    "redis-ca", Some("REDIS_CA"), Value("FILE"), None, true,
        "Speak TLS with Redis, and believe certificates of this authority (PEM) and of no other";
    "keep-games", Some("TABIYA_KEEP_GAMES"), Value("DAYS"), Some("30"), false,
        "Keep games for so long when they are over";
    "grace", Some("TABIYA_GRACE"), Value("SECONDS"), Some("60"), false,
        "A player may be away from a game for so long before it is lost";
    "allowed-domain", Some("ALLOWED_DOMAIN"), List("ORIGIN"), None, false,
        "Pages from here may talk to the relay, like https://chess.example or chess.example; * is any. Without it only the relay's own pages may";
    "virtual-board", Some("TABIYA_VIRTUAL_BOARD"), Value("WHO"), None, false,
        "Have a virtual board at /board, whose pieces only this machine may touch (local), or everybody (all), or have none (off). Without it, there is one for this machine; with Redis there is none";
    "trusted-proxy", Some("TABIYA_TRUSTED_PROXY"), List("NETWORK"), None, false,
        "Believe proxies in this network when they say who is asking, like 127.0.0.1 or 10.0.0.0/8";
    "proxy-header", Some("TABIYA_PROXY_HEADER"), Value("NAME"), Some("x-forwarded-for"), false,
        "Where those proxies say it: x-forwarded-for or forwarded";
    "tls-cert", Some("TABIYA_TLS_CERT"), Value("FILE"), None, false,
        "Speak TLS with this certificate (PEM, with all that lead to a known one). It is read again on SIGHUP";
    "tls-key", Some("TABIYA_TLS_KEY"), Value("FILE"), None, false,
        "The private key of that certificate (PEM)";
    "metrics-listen", Some("TABIYA_METRICS_LISTEN"), Value("ADDRESS"), None, false,
        "Answer /metrics here, and nowhere else";
    "metrics-public", Some("TABIYA_METRICS_PUBLIC"), Switch, None, false,
        "Answer /metrics to everybody, and not only to this machine";
    "log", Some("TABIYA_LOG"), Value("FILTER"), Some("info"), false,
        "Log this and what is worse: error, warn, info, debug or trace";
    "log-format", Some("TABIYA_LOG_FORMAT"), Value("FORMAT"), Some("human"), false,
        "Log lines for people or for programs: human or json";
    "stop-within", Some("TABIYA_STOP_WITHIN"), Value("SECONDS"), Some("10"), false,
        "Wait so long for connections to end when told to stop";
    "max-connections", Some("TABIYA_MAX_CONNECTIONS"), Value("NUMBER"), Some("10000"), false,
        "Have at most so many connections; 0 is no limit, here and below";
    "max-connections-per-address", Some("TABIYA_MAX_CONNECTIONS_PER_ADDRESS"), Value("NUMBER"), Some("250"), false,
        "Have at most so many connections with one address";
    "connections-per-minute", Some("TABIYA_CONNECTIONS_PER_MINUTE"), Value("NUMBER"), Some("600"), false,
        "Accept so many new connections from one address in a minute";
    "requests-per-minute", Some("TABIYA_REQUESTS_PER_MINUTE"), Value("NUMBER"), Some("1200"), false,
        "Answer so many requests from one address in a minute";
    "joins-per-minute", Some("TABIYA_JOINS_PER_MINUTE"), Value("NUMBER"), Some("30"), false,
        "Let one address try so many wrong or new codes in a minute";
    "messages-per-second", Some("TABIYA_MESSAGES_PER_SECOND"), Value("NUMBER"), Some("30"), false,
        "Take so many messages from one connection in a second";
    "max-message", Some("TABIYA_MAX_MESSAGE"), Value("BYTES"), Some("65536"), false,
        "Take messages of up to so many bytes";
    "environment", Some("ENVIRONMENT"), Value("NAME"), Some("dev"), true,
        "Read what else is set from the file .env.NAME, if there is one in the working directory";
    "print-config", None, Switch, None, false,
        "Show what all of this comes to, as such a file, and do nothing else";
};

impl Setting {
    /// The setting of this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    fn argument(&self) -> Option<Arg> {
        let argument = Arg::new(self.name).long(self.name).help(self.sentence());
        match self.kind {
            Value(name) => Some(argument.value_name(name).action(ArgAction::Set)),
            List(name) => Some(argument.value_name(name).action(ArgAction::Append)),
            Switch => Some(argument.action(ArgAction::SetTrue)),
            Secret => None,
        }
    }

    fn sentence(&self) -> String {
        let mut text = self.help.to_owned();
        if let Some(variable) = self.variable {
            text = format!("{text} [env: {variable}]");
        }
        if let Some(default) = self.default {
            text = format!("{text} [default: {default}]");
        }
        text
    }

    /// A row for the table in docs/operations.md.
    #[cfg(test)]
    pub(super) fn row(&self) -> String {
        let flag = match self.kind {
            Value(name) | List(name) => format!("`--{} {name}`", self.name),
            Switch => format!("`--{}`", self.name),
            Secret => String::new(),
        };
        let code = |text: Option<&str>| text.map(|text| format!("`{text}`")).unwrap_or_default();
        format!("| {flag} | {} | {} | {}. |", code(self.variable), code(self.default), self.help)
    }
}

/// What the command line says, by setting.
pub(super) type Flags = BTreeMap<&'static str, Vec<String>>;

fn add(command: Command, wanted: impl Fn(&Setting) -> bool) -> Command {
    let arguments = SETTINGS.iter().filter(|setting| wanted(setting)).filter_map(Setting::argument);
    command.args(arguments)
}

fn take(matches: &ArgMatches, wanted: impl Fn(&Setting) -> bool) -> Flags {
    let said = |setting: &Setting| match setting.kind {
        Switch => matches.get_flag(setting.name).then(|| vec!["true".to_owned()]),
        Value(_) | List(_) => Some(matches.get_many::<String>(setting.name)?.cloned().collect()),
        Secret => None,
    };
    let wanted = SETTINGS.iter().filter(|setting| wanted(setting));
    wanted.filter_map(|setting| Some((setting.name, said(setting)?))).collect()
}

/// The flags of a relay, unread.
#[derive(Clone, Debug, Default)]
pub struct Arguments(pub(super) Flags);

/// The flags of a command that only needs to find the store, unread.
#[derive(Clone, Debug, Default)]
pub struct StoreArguments(pub(super) Flags);

impl Arguments {
    /// Whether the settings are to be shown, and nothing else is to be done.
    #[must_use]
    pub fn only_print(&self) -> bool {
        self.0.contains_key("print-config")
    }
}

// The list is read by more than the parser of the command line, so the parser is built from the list.
macro_rules! arguments {
    ($($name:ident $wanted:expr),*) => {$(
        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                Ok(Self(take(matches, $wanted)))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                self.0.extend(take(matches, $wanted));
                Ok(())
            }
        }

        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                add(command, $wanted)
            }

            fn augment_args_for_update(command: Command) -> Command {
                add(command, $wanted)
            }
        }
    )*};
}

arguments!(Arguments | _ | true, StoreArguments | setting | setting.store);
