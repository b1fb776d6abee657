//! What a script can do, and what the processes cannot.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use host_server::scripts::{AdditionalData, Caller, MAX_SCRIPT, ScriptConfig, ScriptError, Scripts};

use crate::harness::{config, has_python, script, scripts, start};

#[tokio::test(flavor = "multi_thread")]
async fn a_script_can_use_the_documented_modules() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let document = include_str!("../../../docs/scripts.md");
    let row = document.lines().find_map(|line| line.strip_prefix("| modules | ")).unwrap();
    for module in row.split('`').filter(|part| part.chars().all(|c| c.is_ascii_lowercase()) && !part.is_empty()) {
        let result = start(&scripts, &format!("import {module}\nprint({module})")).await;
        assert!(result.is_ok(), "{module}: {result:?}");
    }
    // What some of them load when they are used first.
    for lines in [
        "import datetime\nassert datetime.datetime.strptime('2026-11-19', '%Y-%m-%d').day == 19",
        "import time\nassert time.strptime('21:36', '%H:%M').tm_min == 36",
        "import abc, copy\nclass A(abc.ABC): pass\ncopy.deepcopy(A())",
        "import array, bisect, heapq\nassert bisect.bisect(array.array('b', heapq.nsmallest(2, [3, 1, 2])), 1) == 1",
        "import collections, collections.abc, types\nassert isinstance(collections.Counter('aa'), collections.abc.Mapping)",
        "import decimal, fractions, numbers\nassert isinstance(fractions.Fraction(decimal.Decimal('0.5')), numbers.Rational)",
        "import functools, itertools, operator\nassert functools.reduce(operator.add, itertools.chain([1], [2])) == 3",
        "import json, re, string\nassert re.fullmatch('[a-z]+', json.loads(json.dumps(string.ascii_lowercase)))",
        "import math, statistics\nassert math.isclose(statistics.stdev([1, 3]), math.sqrt(2))",
        "import typing\nassert typing.get_type_hints(typing.NamedTuple('P', [('x', 'int')])) == {'x': int}",
        "assert f'{1.5:>6.2f} {10**6:,}' == '  1.50 1,000,000' and 'é'.encode().decode() == 'é'",
    ] {
        let result = start(&scripts, lines).await;
        assert!(result.is_ok(), "{lines}: {result:?}");
    }
    let annotated = format!("from __future__ import annotations\n{}", script("x: Unknown = 1"));
    assert!(scripts.starting_state(&annotated).await.is_ok());
    let dice = "import random, dataclasses, enum\n@dataclasses.dataclass\nclass Piece:\n    x: int\nclass Side(enum.Enum):\n    WHITE = 1";
    assert!(start(&scripts, dice).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_script_of_the_document_is_played() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let document = include_str!("../../../docs/scripts.md");
    let text = document.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let mut state = scripts.starting_state(text).await.unwrap();
    let mut turn = chess::Color::White;
    let mut moves = 0;
    while let [played] = state.possible_moves[..] {
        turn = !turn;
        state = scripts.make_move(text, &state.pieces, played, turn, &state.additional_data).await.unwrap();
        moves += 1;
    }
    assert_eq!((moves, state.status.text()), (4, "draw"));
    assert_eq!(state.additional_data, AdditionalData::parse(r#"{"moves":4}"#).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_and_data_arrive_unchanged() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let text = "def make_move(*arguments):\n    return {'pieces': [], 'possible_positions': [], 'status': 'draw', \
        'additional_data': arguments}\n";
    let data =
        AdditionalData::parse(r#"{"b":1.5,"a":[null,true,"\u00e9\ud800",123456789012345678901234567890]}"#).unwrap();
    let piece = serde_json::from_str(r#"{"color":"black","name":"queen","x":3,"y":7}"#).unwrap();
    let played = serde_json::from_str(r#"{"from_x":4,"from_y":1,"to_x":4,"to_y":3}"#).unwrap();
    let answer = scripts.make_move(text, &[piece], played, chess::Color::Black, &data).await.unwrap();
    assert_eq!(
        answer.additional_data.json(),
        concat!(
            r#"[[{"color":"black","name":"queen","x":3,"y":7}],{"from_x":4,"from_y":1,"to_x":4,"to_y":3},"black","#,
            r#"{"b":1.5,"a":[null,true,"\u00e9\ud800",123456789012345678901234567890]}]"#
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_may_begin_with_the_mark_of_some_editors_and_have_any_line_ends() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let text = script("pass");
    for text in [format!("\u{feff}{text}"), text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
        let result = scripts.starting_state(&text).await;
        assert!(result.is_ok(), "{result:?}");
    }
}

/// Looks for a text in the memory that a program gets from the system.
const SEARCH: &str = "
import sys
frame = sys._getframe()
while frame.f_back is not None:
    frame = frame.f_back
ctypes = frame.f_globals['ctypes']
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
if ('the secret of ' + 'another game').encode() in ctypes.string_at(libc.sbrk(0) - 400_000, 400_000): raise ValueError('found')
";

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_game_is_in_the_memory_of_the_next() {
    let scripts = scripts(1);
    if !has_python(&scripts).await {
        return;
    }
    let found = start(&scripts, &format!("{SEARCH}kept = 'the secret of another game'")).await;
    assert!(found.is_err_and(|error| error.to_string().contains("found")), "the search must find what is there");
    for _ in 0..3 {
        start(&scripts, "kept = 'the secret of another game'").await.unwrap();
        start(&scripts, SEARCH).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_games_go_on_while_scripts_attack() {
    let scripts = scripts(2);
    if !has_python(&scripts).await {
        return;
    }
    let attacks = ["while True: pass", "import os", "[0] * 10 ** 9", "import time\ntime.sleep(60)"];
    let attackers: Vec<_> = (0..12)
        .map(|number| {
            let (scripts, text) = (scripts.clone(), script(attacks[number % attacks.len()]));
            tokio::spawn(async move { scripts.starting_state(&text).await })
        })
        .collect();
    for _ in 0..12 {
        start(&scripts, "pass").await.unwrap();
    }
    for attacker in attackers {
        assert!(attacker.await.unwrap().is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_answered_while_looping_scripts_of_many_rooms_fill_the_queue() {
    const ROOMS: usize = 30;
    const CALLS: usize = 3;
    let scripts = scripts(2);
    if !has_python(&scripts).await {
        return;
    }
    let looped = Arc::new(Mutex::new(HashSet::new()));
    let ended = Arc::new(AtomicUsize::new(0));
    let attackers: Vec<_> = (0..ROOMS * CALLS)
        .map(|number| {
            let (room, looped, ended) = (number % ROOMS, looped.clone(), ended.clone());
            let scripts = scripts.asked_by(Caller::of(&room));
            tokio::spawn(async move {
                loop {
                    if let Err(ScriptError::Timeout { .. }) = start(&scripts, "while True: pass").await {
                        looped.lock().unwrap().insert(room);
                    }
                    ended.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    while looped.lock().unwrap().len() < ROOMS {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let game = scripts.asked_by(Caller::of("game"));
    let before = ended.load(Ordering::Relaxed);
    for _ in 0..5 {
        start(&game, "pass").await.unwrap();
    }
    let meanwhile = ended.load(Ordering::Relaxed) - before;
    assert!(meanwhile < ROOMS * CALLS, "the moves have waited for {meanwhile} calls of others");
    assert!(attackers.iter().all(|attacker| !attacker.is_finished()), "they still attack");
    attackers.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_is_too_large_is_not_executed() {
    let scripts = scripts(1);
    let text = "#".repeat(MAX_SCRIPT + 1);
    assert_eq!(scripts.starting_state(&text).await, Err(ScriptError::TooLarge(MAX_SCRIPT + 1)));
    if has_python(&scripts).await {
        let largest = script("pass") + &"#".repeat(MAX_SCRIPT - script("pass").len());
        assert!(scripts.starting_state(&largest).await.is_ok());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_python_the_error_says_what_to_install() {
    let missing = ScriptConfig { python: "/nowhere/python3".into(), ..config(1) };
    let error = Scripts::start(&missing).starting_state(&script("pass")).await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, ScriptError::Unavailable(_)), "{text}");
    assert!(text.contains("/nowhere/python3 was not found") && text.contains("apt install python3"), "{text}");
    let other = ScriptConfig { python: "/bin/true".into(), ..config(1) };
    let error = Scripts::start(&other).starting_state(&script("pass")).await.unwrap_err();
    assert!(error.to_string().contains("is not a complete Python"), "{error}");
    let off = config(0);
    let error = Scripts::start(&off).starting_state(&script("pass")).await.unwrap_err();
    assert!(error.to_string().contains("--script-processes is 0"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_not_locked_down_is_not_used() {
    if !has_python(&scripts(1)).await {
        return;
    }
    // It becomes the interpreter without giving up anything.
    let lines = r#"printf 'L\043\000\000\000{"landlock":true,"namespaces":true}'
exec "$2" -c "$3""#;
    let folder = TempDir::new("unlocked");
    let unlocked = ScriptConfig { launcher: folder.launcher(lines), ..config(1) };
    let error = Scripts::start(&unlocked).starting_state(&script("pass")).await.unwrap_err();
    assert!(error.to_string().contains("is not locked down: NoNewPrivs: 0"), "{error}");
}

/// A launcher that starts the fork server with this change of its program.
fn changed_program(folder: &TempDir, from: &str, to: &str) -> ScriptConfig {
    let lines = format!(
        r#"program=$(printf '%s' "$3" | sed 's/{from}/{to}/')
verb=$1; python=$2; shift 3
exec {} "$verb" "$python" "$program" "$@""#,
        env!("CARGO_BIN_EXE_tabiya")
    );
    ScriptConfig { launcher: folder.launcher(&lines), ..config(1) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_is_not_executed_in_a_process_that_could_not_be_locked_down() {
    if !has_python(&scripts(1)).await {
        return;
    }
    let folder = TempDir::new("children");
    // The same program is used where nothing is changed.
    let unchanged = changed_program(&folder, "NOT_LOCKED", "NOT_LOCKED");
    start(&Scripts::start(&unchanged), "pass").await.unwrap();
    for (from, to) in [
        // The kernel refuses the filter, and the child ends with exit code 70.
        ("SECCOMP_MODE_FILTER = 1, 22, 2", "SECCOMP_MODE_FILTER = 1, 22, 9"),
        // The child goes on without its filter.
        ("give_up_everything(setup, server)$", "os.dup2(2, 1)"),
    ] {
        let broken = Scripts::start(&changed_program(&folder, from, to));
        let error = start(&broken, "pass").await.unwrap_err();
        assert_eq!(error, ScriptError::Unavailable("its sandbox fails".to_owned()), "{from}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_processes_end_with_the_relay() {
    let folder = TempDir::new("ending");
    let list = folder.0.join("processes");
    // The interpreter has the process id of the shell.
    let lines = format!("echo $$ >> {}\nexec {} \"$@\"", list.display(), env!("CARGO_BIN_EXE_tabiya"));
    let scripts = Scripts::start(&ScriptConfig { launcher: folder.launcher(&lines), ..config(2) });
    if !has_python(&scripts).await {
        return;
    }
    let servers = fs::read_to_string(&list).unwrap();
    let mut processes: Vec<String> = servers.lines().map(ToOwned::to_owned).collect();
    for server in servers.lines() {
        let children = fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap_or_default();
        processes.extend(children.split_whitespace().map(ToOwned::to_owned));
    }
    assert!(processes.len() >= 2, "{processes:?}");
    drop(scripts);
    let is_alive = |process: &String| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        status.contains("Name:\tpython") && !status.contains("State:\tZ")
    };
    while processes.iter().any(is_alive) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn works_as_an_ordinary_user() {
    const PYTHON: &str = "/usr/bin/python3";
    let is_possible =
        Command::new("setpriv").args(["--reuid=65534", "--regid=65534", "--clear-groups", "true"]).status();
    if !is_possible.is_ok_and(|status| status.success()) || !Path::new(PYTHON).exists() {
        println!("skipped: this is no root, or there is no {PYTHON}");
        return;
    }
    let folder = TempDir::new("user");
    let program = folder.0.join("tabiya");
    // Below a directory that all users can read.
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_tabiya")).arg(&program).status().unwrap().success());
    let lines = format!("exec setpriv --reuid=65534 --regid=65534 --clear-groups {} \"$@\"", program.display());
    let config = ScriptConfig { launcher: folder.launcher(&lines), python: PYTHON.into(), processes: 1 };
    let scripts = Scripts::start(&config);
    start(&scripts, "pass").await.unwrap();
    let error = start(&scripts, "open('/etc/passwd')").await.unwrap_err();
    assert!(error.to_string().contains("PermissionError"), "{error}");
    let error = start(&scripts, "while True: pass").await.unwrap_err();
    assert!(matches!(error, ScriptError::Timeout { .. }), "{error}");
}

/// Tries what a fork server could do, if a script had taken it over. Prints the error number of each.
const TAKEN_OVER: &str = r#"
import ctypes, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(action):
    try:
        action()
        return 0
    except OSError as error:
        return error.errno
def native(name, *arguments):
    def call():
        if getattr(libc, name)(*arguments) == -1:
            raise OSError(ctypes.get_errno(), name)
    return call
print(json.dumps({
    "read": attempt(lambda: open("/etc/passwd")),
    "write": attempt(lambda: open("/tmp/tabiya-taken-over", "w")),
    "list": attempt(lambda: os.listdir("/")),
    "environment": attempt(lambda: open("/proc/self/environ")),
    "shell": attempt(lambda: os.execv("/bin/sh", ["sh", "-c", "true"])),
    "socket": attempt(native("socket", 2, 1, 0)),
    "ptrace": attempt(native("ptrace", 16, os.getppid(), 0, 0)),
    "mount": attempt(native("mount", b"none", b"/", b"tmpfs", 0, 0)),
    "namespace": attempt(native("unshare", 0x10000000)),
    "signal": attempt(lambda: os.kill(os.getppid(), 0)),
    "variables": sorted(os.environ),
    "file": os.path.exists("/tmp/tabiya-taken-over"),
}))
"#;

#[test]
fn the_fork_server_itself_has_no_files_network_or_processes_of_others() {
    let Some(found) = tried() else { return };
    for (action, number) in [("read", 13), ("write", 13), ("list", 13), ("environment", 13), ("shell", 13)] {
        assert_eq!(found[action], number, "Landlock does not stop it: {action} in {found}");
    }
    for action in ["socket", "ptrace", "mount", "namespace"] {
        assert_eq!(found[action], 1, "the filter does not stop it: {action} in {found}");
    }
    assert_eq!(found["signal"], 1, "{found}");
    assert_eq!(found["file"], false);
    let variables = found["variables"].as_array().unwrap();
    assert!(variables.iter().all(|name| name == "LC_CTYPE"), "{found}");
}

/// What `TAKEN_OVER` prints in a locked down process. `None` without Python.
fn tried() -> Option<serde_json::Value> {
    let probe = "import os, sys; print(os.path.realpath(getattr(sys, '_base_executable', None) or sys.executable)); \
        print(*[path for path in sys.path if os.path.isabs(path)], sys.base_exec_prefix + '/lib', sep='\\n')";
    let found =
        Command::new("python3").args(["-I", "-S", "-c", probe]).output().ok().filter(|output| output.status.success());
    let Some(found) = found else {
        assert!(std::env::var_os("TABIYA_REQUIRE_PARTS").is_none(), "there is no Python");
        println!("skipped: there is no Python");
        return None;
    };
    let found = String::from_utf8(found.stdout).unwrap();
    let mut lines = found.lines();
    let python = lines.next().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(["script-process", python, TAKEN_OVER]);
    command.args(lines.chain(["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"]));
    let output = command.env_clear().stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let json = text.find("{\"read\"").map(|start| &text[start..]);
    let json = json.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr)));
    if text.contains("\"landlock\":false") {
        println!("this kernel has no Landlock");
        return None;
    }
    Some(serde_json::from_str(json).unwrap())
}

/// Removed at the end.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tabiya-scripts-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A shell script in place of `tabiya`.
    fn launcher(&self, lines: &str) -> PathBuf {
        let path = self.0.join("launcher");
        // Written by another process: a file that is open for writing, also in a child of another test, cannot be executed.
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod 755 "$2""#;
        let written = Command::new("sh").args(["-c", write, "sh", lines]).arg(&path).status();
        assert!(written.unwrap().success());
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
