"""Executes calls of rule scripts: one forked child per call, so that no call sees what another one did.

The relay starts this program locked down (lockdown.rs). This process executes no line of a script and reads no request, so it has nothing of one
game that a child could find in another one. A child is forked before its call. It gives up everything but computing and two pipes, reads its
request from standard input, and writes its reply to the pipe that is the standard error of this process. Standard output has frames: "+" when
everything is loaded, "P" with the id of the child that waits, and "R" with how it ended.
"""

import ctypes
import gc
import json
import os
import resource
import signal
import struct
import sys
import types

# What scripts may import. Nothing can be loaded from files later, so all of it is loaded now.
MODULES = (
    "abc", "array", "bisect", "collections", "collections.abc", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "json", "math", "numbers", "operator", "random", "re", "statistics", "string", "time",
    "types", "typing",
)
# What these modules load only when they are used: annotations, and reading dates and names of characters.
HIDDEN = ("__future__", "_strptime", "unicodedata")
for name in MODULES + HIDDEN:
    try:
        __import__(name)
    except ImportError:
        # A small installation may lack what is hidden, and has all of the others.
        if name not in HIDDEN:
            raise

# What the loaded modules use themselves, and scripts may not. It is removed for clear errors, not for security.
REFUSED = ("__main__", "_ctypes", "_signal", "ctypes", "gc", "os", "posix", "resource", "signal", "struct")

SCRIPT = "<script>"
# The exit code of a child that could not give up something.
NOT_LOCKED = 70
READ = b"B"
PR_SET_PDEATHSIG, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 22, 2


class Program(ctypes.Structure):
    """A seccomp filter, as prctl takes it."""

    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


class OutOfTime(BaseException):
    """The script has used up its time."""


class NoOutput:
    """Drops what a script prints."""

    @staticmethod
    def write(text):
        return len(text)

    @staticmethod
    def flush():
        pass


class NoImport:
    """Refuses every module that is not loaded."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        raise ModuleNotFoundError(f"scripts cannot import {name}; available modules: {', '.join(MODULES)}", name=name)


def read(length):
    """Reads bytes from the relay. The end of the input is the end of this process."""
    parts = []
    while length > 0:
        part = os.read(0, min(length, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def read_frame():
    return read(struct.unpack("<I", read(4))[0])


def write(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


def write_frame(tag, payload=b""):
    write(1, tag + struct.pack("<I", len(payload)) + payload)


def line_of(frame):
    """The innermost line of the script, of a stack."""
    while frame is not None:
        if frame.f_code.co_filename == SCRIPT:
            return frame.f_lineno
        frame = frame.f_back
    return None


def line_of_traceback(traceback):
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == SCRIPT:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def failure(kind, line=None, text=""):
    # Half of a surrogate pair is a text in Python, but not in the relay.
    text = text[:1000].encode("utf-8", "replace").decode()
    return {"error": {"kind": kind, "text": text, "line": line}}


def described(error):
    """The type and the text of an exception. Its text is made by the script, which may fail at that as well."""
    name = type(error).__name__
    try:
        text = str(error)
    except OutOfTime:
        raise
    except BaseException:
        text = ""
    return f"{name}: {text}" if text else name


def evaluate(request):
    """The reply to a request, as the relay reads it."""
    module = types.ModuleType("script")
    sys.modules["script"] = module
    space = module.__dict__
    try:
        exec(compile(request["script"], SCRIPT, "exec", dont_inherit=True), space)
        for name in request["functions"]:
            if not callable(space.get(name)):
                return failure("function", text=name)
        return {"answer": space[request["functions"][0]](*request["arguments"])}
    except OutOfTime as error:
        return failure("timeout", error.args[0])
    except MemoryError as error:
        return failure("memory", line_of_traceback(error.__traceback__))
    except SyntaxError as error:
        line = error.lineno if error.filename == SCRIPT else line_of_traceback(error.__traceback__)
        return failure("syntax", line, str(error.msg))
    except BaseException as error:
        return failure("exception", line_of_traceback(error.__traceback__), described(error))


def encoded(reply):
    try:
        return json.dumps(reply, allow_nan=False, separators=(",", ":")).encode()
    except MemoryError:
        reply = failure("memory")
    except Exception as error:
        reply = failure("exception", None, f"the answer is not JSON: {error}")
    return json.dumps(reply).encode()


def out_of_time(_, frame):
    raise OutOfTime(line_of(frame))


def give_up_everything(setup, server):
    """Leaves this process only what a script needs: processor time, some memory, and two pipes. Raises if anything fails."""
    os.dup2(2, 1)
    os.closerange(2, 64)
    for limit, value in (
        (resource.RLIMIT_AS, setup["size"]),
        (resource.RLIMIT_CPU, 1),
        (resource.RLIMIT_NOFILE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        resource.setrlimit(limit, (value, value))
    libc = setup["libc"]
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0 or os.getppid() != server:
        raise OSError("the end of this server would not end its child")
    signal.signal(signal.SIGPROF, out_of_time)
    signal.setitimer(signal.ITIMER_PROF, setup["seconds"])
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(setup["program"]), 0, 0) != 0:
        raise OSError("the system call filter was refused")


def be_child(setup, server):
    """Waits for a request, executes it, and ends."""
    try:
        give_up_everything(setup, server)
    except BaseException:
        os._exit(NOT_LOCKED)
    try:
        request = json.loads(read_frame())
        os.close(0)
        # Says that nothing of the request is left in the pipe.
        write(1, READ)
        sys.stdin, sys.stdout, sys.stderr = None, NoOutput, NoOutput
        sys.meta_path[:] = [NoImport]
        sys.path[:] = []
        for name in REFUSED:
            sys.modules.pop(name, None)
        try:
            reply = evaluate(request)
            reply = encoded(reply)
        except OutOfTime as error:
            # The timer may also expire while an error is described.
            reply = encoded(failure("timeout", error.args[0]))
        write(1, reply)
        os._exit(0)
    finally:
        # The script has broken this process.
        os._exit(1)


def serve():
    # Objects of this process are never collected in a child: that would copy the memory that both share.
    gc.collect()
    gc.freeze()
    write_frame(b"+")
    setup = json.loads(read_frame())
    code = bytes.fromhex(setup["filter"])
    buffer = ctypes.create_string_buffer(code, len(code))
    setup["program"] = Program(len(code) // 8, ctypes.addressof(buffer))
    setup["libc"] = ctypes.CDLL(None, use_errno=True)
    server = os.getpid()
    ended = None
    while True:
        child = os.fork()
        if child == 0:
            be_child(setup, server)
        write_frame(b"P", struct.pack("<I", child))
        result = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        # A child is reaped one call later: the relay may signal it until it has the result, and until then its id must not be another's.
        if ended is not None:
            os.waitpid(ended, 0)
        ended = child
        write_frame(b"R", struct.pack("<BI", result.si_code != os.CLD_EXITED, result.si_status))


serve()
