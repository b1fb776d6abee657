//! Scripts that attack: each is executed, and the table says what has to stop it. After each of them, another game goes on.

use host_server::scripts::{ScriptError, Scripts};

use crate::harness::{has_python, script, scripts, start};

/// What scripts cannot import, and attackers find in the variables of the fork server anyway.
pub(crate) const TOOLS: &str = "
import sys
frame = sys._getframe()
while frame.f_back is not None:
    frame = frame.f_back
server = frame.f_globals
os, ctypes, signal, resource, gc = (server[name] for name in ('os', 'ctypes', 'signal', 'resource', 'gc'))
thread = sys.modules['_thread']
libc = ctypes.CDLL(None, use_errno=True)

def native(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), 'native call')

";

/// What stops an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The system call filter: Python raises its error number, and the line is known.
    Filter,
    /// The limit of memory.
    Memory,
    /// The timer of the script's process, which knows the line unless the machine is so busy that the relay is first.
    Timer,
    /// The relay, which kills the process.
    Deadline,
    /// One of these, whichever is first on this machine and with this Python.
    Any(&'static [Stop]),
    /// Python itself, with this error.
    Python(&'static str),
    /// The process ends itself without an answer.
    Death,
    /// The check of the answer, with this message.
    Check(&'static str),
    /// Nothing has to: the answer is right, and no other game sees any of it.
    Isolation,
}

use Stop::{Any, Check, Deadline, Death, Filter, Isolation, Memory, Python, Timer};

/// Name, what stops it, and the lines that are executed before the script answers.
pub(crate) const ATTACKS: &[(&str, Stop, &str)] = &[
    // Time.
    ("infinite loop", Timer, "while True: pass"),
    (
        "infinite loop that catches everything",
        Deadline,
        "while True:\n    try:\n        any(False for _ in iter(int, 1))\n    except BaseException: pass",
    ),
    ("arithmetic without end in C", Deadline, "sum(range(10 ** 12))"),
    ("exponential regular expression", Timer, "import re\nre.match('(a+)+$', 'a' * 60 + 'b')"),
    ("sleep", Filter, "import time\ntime.sleep(60)"),
    ("native sleep", Filter, "native('sleep', 60) if libc.usleep(60_000_000) == 0 else native('usleep', 60_000_000)"),
    ("deadlock", Death, "lock = thread.allocate_lock()\nlock.acquire()\nlock.acquire()"),
    (
        "answer after the timer",
        Deadline,
        "import time\ntry: any(False for _ in iter(int, 1))\nexcept BaseException: pass\nwhile time.process_time() < 0.137: pass",
    ),
    (
        "answer after the timer, which is blocked",
        Deadline,
        "import time\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])\nwhile time.process_time() < 0.137: pass",
    ),
    ("timer switched off", Filter, "signal.setitimer(signal.ITIMER_PROF, 0)"),
    ("timer ignored", Filter, "signal.signal(signal.SIGPROF, signal.SIG_IGN)"),
    ("timer blocked", Deadline, "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])\nwhile True: pass"),
    // The process ends on the error in its handler; on a busy machine its deadline may come first.
    (
        "handler of the timer replaced",
        Any(&[Death, Deadline]),
        "server['OutOfTime'] = server['line_of'] = None\nwhile True: pass",
    ),
    ("higher priority", Filter, "os.nice(-10)"),
    ("waiting for input", Python("Bad file descriptor"), "os.read(0, 1)"),
    // Memory.
    ("large list", Memory, "[0] * 10 ** 9"),
    ("large bytes", Memory, "bytearray(10 ** 9)"),
    ("growing list", Any(&[Memory, Timer]), "kept = []\nwhile True: kept.append(bytearray(10 ** 6))"),
    ("endless iterator", Any(&[Memory, Timer]), "import itertools\nlist(itertools.count())"),
    ("native memory", Memory, "if libc.malloc(200_000_000) == 0: raise MemoryError"),
    (
        "higher memory limit",
        Python("not allowed to raise maximum limit"),
        "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    ),
    ("native limit", Filter, "native('setrlimit', 9, (ctypes.c_ulong * 2)(2 ** 63, 2 ** 63))"),
    ("locked memory", Filter, "native('mlockall', 3)"),
    ("shared memory", Filter, "native('shmget', 1, 4096, 0o1600)"),
    ("memory file", Filter, "native('memfd_create', b'x', 0)"),
    // Recursion and the end of the process.
    ("recursion", Python("RecursionError"), "def again(): again()\nagain()"),
    (
        "recursion without limit",
        Any(&[Death, Memory, Timer, Python("RecursionError")]),
        "sys.setrecursionlimit(2 ** 30)\nagain = lambda: again()\nagain()",
    ),
    ("recursion in C", Python("RecursionError"), "deep = []\nfor _ in range(20_000): deep = [deep]\nrepr(deep)"),
    ("exception", Python("ValueError: no such rule"), "raise ValueError('no such rule')"),
    ("exception with control characters", Python("KeyError"), "raise KeyError('\\x1b[2J\\r\\n' * 1000)"),
    ("exception with half a character", Python("ValueError: no ?"), "raise ValueError('no \\ud800')"),
    (
        "exception that cannot be described",
        Python("Mute"),
        "class Mute(Exception):\n    def __str__(self): raise self\nraise Mute",
    ),
    (
        "exception that is described without end",
        Timer,
        "class Long(Exception):\n    def __str__(self):\n        while True: pass\nraise Long",
    ),
    ("exit", Python("SystemExit"), "sys.exit(3)"),
    ("exit without cleaning up", Death, "os._exit(0)"),
    ("another exit code", Death, "os._exit(71)"),
    ("abort", Death, "os.abort()"),
    ("wild pointer", Death, "ctypes.string_at(8)"),
    // Signals.
    ("kills itself", Filter, "os.kill(os.getpid(), 9)"),
    ("kills its parent", Filter, "os.kill(server['os'].getpid() - 1, 9)"),
    ("kills every process", Filter, "os.kill(-1, 9)"),
    ("kills its group", Filter, "os.killpg(0, 9)"),
    ("native kill", Filter, "native('kill', -1, 9)"),
    ("leaves its group", Filter, "os.setsid()"),
    // Processes.
    ("fork", Filter, "os.fork()"),
    ("fork bomb", Filter, "while True: os.fork()"),
    ("native fork", Filter, "native('fork')"),
    ("thread", Python("can't start new thread"), "thread.start_new_thread(print, ())"),
    ("shell", Python("no shell"), "if os.system('true') != 0: raise ValueError('no shell')"),
    ("process by clone3", Filter, "native('syscall', 435, 0, 0)"),
    ("handle of another process", Filter, "native('syscall', 434, os.getpid() - 1, 0)"),
    ("exec", Filter, "os.execv('/bin/sh', ['sh'])"),
    ("the interpreter again", Filter, "os.execv(sys.executable, ['python3'])"),
    ("ptrace", Filter, "native('ptrace', 16, os.getpid() - 1, 0, 0)"),
    ("memory of its parent", Filter, "native('process_vm_readv', os.getpid() - 1, 0, 0, 0, 0, 0)"),
    // Files.
    ("reads a file", Filter, "open('/etc/passwd')"),
    ("writes a file", Filter, "open('/tmp/tabiya-attack', 'w')"),
    ("native open", Filter, "native('open', b'/etc/passwd', 0)"),
    ("file by openat2", Filter, "native('syscall', 437, -100, b'/etc/passwd', (ctypes.c_ulong * 3)(), 24)"),
    ("lists a directory", Filter, "os.listdir('/')"),
    ("looks at a file", Filter, "os.stat('/etc/passwd')"),
    ("makes a directory", Filter, "os.mkdir('/tmp/tabiya-attack')"),
    ("removes a file", Filter, "os.unlink('/tmp/tabiya-attack')"),
    ("links a file", Filter, "os.symlink('/etc/passwd', '/tmp/tabiya-attack')"),
    ("memory by /proc", Filter, "open('/proc/self/mem', 'rb')"),
    ("environment by /proc", Filter, "open('/proc/1/environ', 'rb')"),
    (
        "environment",
        Isolation,
        "if set(os.environ) & {'PATH', 'HOME', 'USER', 'CARGO'}: raise ValueError('environment')",
    ),
    ("open descriptors", Filter, "for fd in range(2, 64): os.read(fd, 1)"),
    ("writes to descriptors", Filter, "for fd in range(2, 64): os.write(fd, b'x')"),
    ("copies a descriptor", Filter, "os.dup(1)"),
    ("closes the reply", Filter, "os.close(1)"),
    ("pipe", Filter, "os.pipe()"),
    // Network and kernel.
    ("socket", Filter, "native('socket', 2, 1, 0)"),
    ("unix socket", Filter, "native('socket', 1, 1, 0)"),
    ("import of socket", Python("scripts cannot import socket"), "import socket"),
    ("import of os", Python("scripts cannot import os"), "import os"),
    ("import from a file", Python("scripts cannot import antigravity"), "import antigravity"),
    ("namespace", Filter, "native('unshare', 0x10000000)"),
    ("mount", Filter, "native('mount', b'none', b'/', b'tmpfs', 0, 0)"),
    ("chroot", Filter, "os.chroot('/')"),
    ("root", Filter, "os.setuid(0)"),
    ("io_uring", Filter, "native('syscall', 425, 8, 0)"),
    ("bpf", Filter, "native('syscall', 321, 0, 0, 0)"),
    ("user faults", Filter, "native('syscall', 323, 0)"),
    ("key rings", Filter, "native('syscall', 250, 0, 0, 0)"),
    // The numbers of the x32 interface, which a filter must not take for those of others.
    ("fork by x32", Any(&[Filter, Death]), "native('syscall', 0x40000000 + 57)"),
    ("file by x32", Any(&[Filter, Death]), "native('syscall', 0x40000000 + 2, b'/etc/passwd', 0)"),
    ("another filter", Filter, "native('prctl', 22, 1, 0, 0, 0)"),
    ("code in memory", Filter, "libc.mmap.restype = ctypes.c_long\nnative('mmap', 0, 4096, 7, 0x22, -1, 0)"),
    (
        "code in memory, later",
        Filter,
        "page = ctypes.create_string_buffer(8192)\nnative('mprotect', ctypes.c_void_p((ctypes.addressof(page) + 4095) & -4096), 4096, 7)",
    ),
    // The fork server and its protocol.
    ("prints", Isolation, "for _ in range(10_000): print('x' * 100)"),
    ("garbage in the reply", Check("it is not JSON"), "os.write(1, b'\\xff\\x00garbage')"),
    (
        "frames of the fork server",
        Check("it is not JSON"),
        "os.write(1, b'R\\x05\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00')",
    ),
    ("forged reply", Check("it must be a dictionary, and is 5"), "os.write(1, b'{\"answer\": 5}')\nos._exit(0)"),
    (
        "forged error",
        Python("not my line"),
        "os.write(1, b'{\"error\": {\"kind\": \"x\", \"text\": \"not my line\", \"line\": 4000000000}}')\nos._exit(0)",
    ),
    ("endless reply", Check("it is larger than 512 KB"), "while True: os.write(1, b'x' * 65536)"),
    (
        "serialiser replaced",
        Check("it must be a dictionary, and is a list"),
        "sys.modules['json'].dumps = lambda *_, **__: '{\"answer\": []}'",
    ),
    ("fork server replaced", Check("the key 'pieces' is missing"), "server['encoded'] = lambda _: b'{\"answer\": {}}'"),
    ("fork server destroyed", Death, "server.clear()"),
    ("built-in functions replaced", Isolation, "sys.modules['builtins'].len = sys.modules['builtins'].compile = None"),
    (
        "modules destroyed",
        Isolation,
        "for name in ('collections', 'copy', 'functools', 'math', 'random', 're', 'types'): vars(sys.modules[name]).clear()",
    ),
    (
        "state in a module",
        Isolation,
        "import random\nif hasattr(random, 'left_behind'): raise ValueError('state of another call')\nrandom.left_behind = True",
    ),
    (
        "objects of other calls",
        Isolation,
        "if any(type(other) is dict and 'the secret of another game' in other for other in gc.get_objects()): raise ValueError('another game')\nkept = {'the secret of another game': 1}",
    ),
];

/// Name, what stops it, and the value that the script returns.
pub(crate) const FALSE_ANSWERS: &[(&str, Stop, &str)] = &[
    ("nothing", Check("it must be a dictionary, and is null"), "None"),
    ("a text", Check("it must be a dictionary, and is \"x\""), "'x'"),
    ("a set", Python("the answer is not JSON"), "{1, 2}"),
    ("an object", Python("the answer is not JSON"), "object()"),
    ("no number", Python("the answer is not JSON"), "{**STATE, 'additional_data': float('nan')}"),
    (
        "a circle",
        Python("the answer is not JSON"),
        "(lambda circle: circle.append(circle) or {**STATE, 'additional_data': circle})([])",
    ),
    (
        "deep data",
        Check("it is nested deeper than 64 levels"),
        "{**STATE, 'additional_data': eval('[' * 80 + ']' * 80)}",
    ),
    ("large data", Check("additional_data is larger than 16 KB"), "{**STATE, 'additional_data': 'x' * 70_000}"),
    ("large answer", Check("it is larger than 512 KB"), "{**STATE, 'additional_data': 'x' * 10 ** 6}"),
    ("no pieces", Check("the key 'pieces' is missing"), "{'status': 'running', 'possible_moves': []}"),
    ("pieces as a dictionary", Check("pieces must be a list, and is a dictionary"), "{**STATE, 'pieces': {}}"),
    (
        "two pieces on a square",
        Check("pieces[0] and pieces[1] are both on e1"),
        "{**STATE, 'pieces': STATE['pieces'] * 2}",
    ),
    (
        "unknown piece",
        Check("pieces[0]['name'] must be 'pawn'"),
        "{**STATE, 'pieces': [{**STATE['pieces'][0], 'name': 'dragon'}]}",
    ),
    (
        "unknown colour",
        Check("pieces[0]['color'] must be 'white' or 'black'"),
        "{**STATE, 'pieces': [{**STATE['pieces'][0], 'color': 'red'}]}",
    ),
    (
        "off the board",
        Check("pieces[0]['x'] must be a whole number from 0 to 7, and is 8"),
        "{**STATE, 'pieces': [{**STATE['pieces'][0], 'x': 8}]}",
    ),
    (
        "a truth value as a number",
        Check("pieces[0]['y'] must be a whole number"),
        "{**STATE, 'pieces': [{**STATE['pieces'][0], 'y': True}]}",
    ),
    (
        "unknown key",
        Check("pieces[0] has the unknown key 'moved'"),
        "{**STATE, 'pieces': [{**STATE['pieces'][0], 'moved': 1}]}",
    ),
    (
        "move of no side",
        Check("possible_moves[0] starts on a3, where white has no piece"),
        "{**STATE, 'possible_moves': [{'from_x': 0, 'from_y': 2, 'to_x': 0, 'to_y': 3}]}",
    ),
    (
        "move of the opponent",
        Check("where white has no piece"),
        "{**STATE, 'pieces': [{**STATE['pieces'][0], 'color': 'black'}]}",
    ),
    (
        "move to nowhere",
        Check("possible_moves[0]['to_y'] must be a whole number"),
        "{**STATE, 'possible_moves': [{**STATE['possible_moves'][0], 'to_y': -1}]}",
    ),
    (
        "move without a target",
        Check("possible_moves[0]['to_x'] is missing"),
        "{**STATE, 'possible_moves': [{'from_x': 4, 'from_y': 0, 'to_y': 0}]}",
    ),
    (
        "move to its own square",
        Check("ends on the square where it starts"),
        "{**STATE, 'possible_moves': [{**STATE['possible_moves'][0], 'to_y': 0}]}",
    ),
    ("no moves", Check("there are no possible moves"), "{**STATE, 'possible_moves': []}"),
    ("unknown status", Check("status must be 'running'"), "{**STATE, 'status': 'white wins'}"),
];

/// Whole scripts: name, what stops it, text.
const WHOLE: &[(&str, Stop, &str)] = &[
    ("empty script", Check("no function get_starting_state"), ""),
    ("function that is none", Check("no function get_starting_state"), "get_starting_state = 5"),
    ("no moves later", Check("the script has no function make_move"), "def get_starting_state(): return {}"),
    ("wrong arguments", Python("TypeError"), "def make_move(): pass\ndef get_starting_state(board): pass"),
    ("syntax error", Check("line 2: syntax error"), "x = 1\ndef get_starting_state(:\n"),
    ("loop while loading", Timer, "while True: pass"),
    (
        "deep brackets",
        Any(&[Check("more than 100 MB"), Timer, Death, Check("syntax error"), Python("RecursionError")]),
        "DEEP",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn attacks_are_stopped_and_other_games_go_on() {
    let scripts = scripts(2);
    if !has_python(&scripts).await {
        return;
    }
    let mut wrong = Vec::new();
    for (name, stop, lines) in ATTACKS {
        let text = format!("{TOOLS}{}", script(lines));
        // Twice: the second one would see what the first one left behind.
        for _ in 0..2 {
            check(&scripts, name, *stop, &text, &mut wrong).await;
        }
    }
    for (name, stop, answer) in FALSE_ANSWERS {
        let text = script("pass").replace("return {", "STATE = {") + &format!("    return {answer}\n");
        check(&scripts, name, *stop, &text, &mut wrong).await;
    }
    for (name, stop, text) in WHOLE {
        let text = text.replace("DEEP", &format!("x = {}", "-".repeat(200_000)));
        check(&scripts, name, *stop, &text, &mut wrong).await;
    }
    assert!(ATTACKS.len() + FALSE_ANSWERS.len() + WHOLE.len() >= 40);
    assert!(wrong.is_empty(), "{} attacks were not stopped as expected:\n{}", wrong.len(), wrong.join("\n"));
}

async fn check(scripts: &Scripts, name: &str, stop: Stop, text: &str, wrong: &mut Vec<String>) {
    let result = scripts.starting_state(text).await;
    let message = result.as_ref().map_or_else(ToString::to_string, |_| "an answer".to_owned());
    if !is_stopped(stop, result.as_ref().err()) || message.contains(char::is_control) {
        wrong.push(format!("{name}: expected {stop:?}, found {message}"));
    }
    // Another game.
    if let Err(error) = start(scripts, "pass").await {
        wrong.push(format!("after {name}: {error}"));
    }
}

/// Whether this error, or an answer, is what the table says.
pub(crate) fn is_stopped(stop: Stop, error: Option<&ScriptError>) -> bool {
    let message = error.map(ToString::to_string).unwrap_or_default();
    match stop {
        Isolation => error.is_none(),
        Filter => message.contains("[Errno 1] ") && error.is_some_and(|error| error.line().is_some()),
        Memory => matches!(error, Some(ScriptError::Memory { line: Some(_) })),
        Timer => matches!(error, Some(ScriptError::Timeout { .. })),
        Deadline => matches!(error, Some(ScriptError::Timeout { line: None })),
        Any(stops) => stops.iter().any(|&stop| is_stopped(stop, error)),
        Python(text) => matches!(error, Some(ScriptError::Exception { .. })) && message.contains(text),
        Death => matches!(error, Some(ScriptError::NoAnswer(_))),
        Check(text) => error.is_some() && message.contains(text),
    }
}
