//! System calls that the processes may use.

use std::collections::BTreeMap;

use libc::{
    EPERM, MAP_ANONYMOUS, PROT_EXEC, SYS_accept, SYS_accept4, SYS_add_key, SYS_bind, SYS_bpf, SYS_brk, SYS_chroot,
    SYS_clock_getres, SYS_clock_gettime, SYS_clock_settime, SYS_close, SYS_connect, SYS_delete_module, SYS_exit,
    SYS_exit_group, SYS_fanotify_init, SYS_finit_module, SYS_futex, SYS_getpid, SYS_getrandom, SYS_getrusage,
    SYS_gettid, SYS_gettimeofday, SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup,
    SYS_kexec_load, SYS_keyctl, SYS_listen, SYS_madvise, SYS_memfd_create, SYS_mmap, SYS_mount, SYS_mprotect,
    SYS_mq_open, SYS_mremap, SYS_msgget, SYS_munmap, SYS_open_by_handle_at, SYS_perf_event_open, SYS_personality,
    SYS_pidfd_getfd, SYS_pivot_root, SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace, SYS_read, SYS_reboot,
    SYS_request_key, SYS_restart_syscall, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sched_yield, SYS_semget, SYS_setns,
    SYS_shmget, SYS_sigaltstack, SYS_socket, SYS_socketpair, SYS_swapoff, SYS_swapon, SYS_umount2, SYS_unshare,
    SYS_userfaultfd, SYS_write,
};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use crate::hex::Hex;

/// System calls that the fork server does not need. It executes no line of a script, so this is only the second line of defence.
const FORBIDDEN_TO_PROGRAM: [i64; 44] = [
    SYS_accept,
    SYS_accept4,
    SYS_add_key,
    SYS_bind,
    SYS_bpf,
    SYS_chroot,
    SYS_clock_settime,
    SYS_connect,
    SYS_delete_module,
    SYS_fanotify_init,
    SYS_finit_module,
    SYS_init_module,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_io_uring_setup,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_listen,
    SYS_memfd_create,
    SYS_mount,
    SYS_mq_open,
    SYS_msgget,
    SYS_open_by_handle_at,
    SYS_perf_event_open,
    SYS_personality,
    SYS_pidfd_getfd,
    SYS_pivot_root,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_ptrace,
    SYS_reboot,
    SYS_request_key,
    SYS_semget,
    SYS_setns,
    SYS_shmget,
    SYS_socket,
    SYS_socketpair,
    SYS_swapoff,
    SYS_swapon,
    SYS_umount2,
    SYS_unshare,
    SYS_userfaultfd,
    libc::SYS_seccomp,
    libc::SYS_execveat,
];

/// What computing needs: memory, time, random numbers, the end.
const ALLOWED_TO_SCRIPTS: [i64; 19] = [
    SYS_brk,
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_getrandom,
    SYS_getrusage,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_madvise,
    SYS_mremap,
    SYS_munmap,
    SYS_restart_syscall,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sched_yield,
    SYS_sigaltstack,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
    #[cfg(not(target_arch = "x86_64"))]
    SYS_gettid,
];

/// `FUTEX_WAKE`, without the flags for private memory and for the clock.
const FUTEX_WAKE: u64 = 1;
const FUTEX_OPERATION: u64 = 0x7f;

/// The filter of the fork server, which is in force from before the interpreter starts.
pub(super) fn of_fork_server() -> Result<BpfProgram, BackendError> {
    let mut rules = BTreeMap::new();
    for call in FORBIDDEN_TO_PROGRAM {
        rules.insert(call, Vec::new());
    }
    compile(rules, SeccompAction::Allow, REFUSED)
}

/// The filter of a script: everything is refused, except for a few system calls. None of them can open or wait for anything.
pub(super) fn of_scripts() -> Result<BpfProgram, BackendError> {
    let mut rules = BTreeMap::new();
    for call in ALLOWED_TO_SCRIPTS {
        rules.insert(call, Vec::new());
    }
    // The request, which is closed before the script is executed, and the reply.
    rules.insert(SYS_close, vec![all_of([equal(0, 0)?])?]);
    rules.insert(SYS_read, vec![all_of([equal(0, 0)?])?]);
    rules.insert(SYS_write, vec![all_of([equal(0, 1)?])?]);
    // Memory, but no code in it and no files.
    let no_code = masked(2, PROT_EXEC as u64, 0)?;
    rules.insert(SYS_mmap, vec![all_of([no_code.clone(), masked(3, MAP_ANONYMOUS as u64, MAP_ANONYMOUS as u64)?])?]);
    rules.insert(SYS_mprotect, vec![all_of([no_code])?]);
    // A lock that is never released is an error instead of an endless wait.
    rules.insert(SYS_futex, vec![all_of([masked(1, FUTEX_OPERATION, FUTEX_WAKE)?])?]);
    compile(rules, REFUSED, SeccompAction::Allow)
}

/// The filter in the form of the kernel, as hexadecimal text.
pub(super) fn to_hex(program: &BpfProgram) -> String {
    let mut bytes = Vec::with_capacity(program.len() * 8);
    for instruction in program {
        bytes.extend(instruction.code.to_ne_bytes());
        bytes.extend([instruction.jt, instruction.jf]);
        bytes.extend(instruction.k.to_ne_bytes());
    }
    Hex(&bytes).to_string()
}

/// An error in Python, which names the line of the script, unlike a signal.
const REFUSED: SeccompAction = SeccompAction::Errno(EPERM as u32);

fn compile(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    listed: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    // A system call in the way of another architecture ends the process.
    let architecture = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, otherwise, listed, architecture)?.try_into()
}

fn all_of<const N: usize>(conditions: [SeccompCondition; N]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into())
}

fn equal(argument: u8, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_compile_for_this_machine() {
        assert!(!of_fork_server().unwrap().is_empty());
        let program = of_scripts().unwrap();
        assert_eq!(to_hex(&program).len(), program.len() * 16);
    }

    #[test]
    fn nothing_is_listed_twice() {
        let unique = |calls: &[i64]| calls.iter().collect::<std::collections::BTreeSet<_>>().len();
        assert_eq!(unique(&FORBIDDEN_TO_PROGRAM), FORBIDDEN_TO_PROGRAM.len());
        #[cfg(target_arch = "x86_64")]
        assert_eq!(unique(&ALLOWED_TO_SCRIPTS), ALLOWED_TO_SCRIPTS.len());
    }
}
