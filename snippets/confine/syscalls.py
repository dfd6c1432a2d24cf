"""The numbers of the system calls that a confined process keeps: those of computing, memory and time."""

_X86_64 = """
read 0, write 1, close 3, fstat 5, poll 7, lseek 8, mmap 9, mprotect 10, munmap 11, brk 12, rt_sigaction 13
rt_sigprocmask 14, rt_sigreturn 15, writev 20, select 23, sched_yield 24, mremap 25, madvise 28, nanosleep 35
getitimer 36, setitimer 38, getpid 39, exit 60, gettimeofday 96, getrusage 98, times 100, getuid 102, getgid 104
geteuid 107, getegid 108, getppid 110, sigaltstack 131, gettid 186, time 201, futex 202, sched_getaffinity 204
restart_syscall 219, clock_gettime 228, clock_getres 229, clock_nanosleep 230, exit_group 231, tgkill 234
pselect6 270, set_robust_list 273, getcpu 309, getrandom 318, membarrier 324, rseq 334
"""

_AARCH64 = """
close 57, lseek 62, read 63, write 64, writev 66, pselect6 72, ppoll 73, fstat 80, exit 93, exit_group 94, futex 98
set_robust_list 99, nanosleep 101, getitimer 102, setitimer 103, clock_gettime 113, clock_getres 114
clock_nanosleep 115, sched_getaffinity 123, sched_yield 124, restart_syscall 128, tgkill 131, sigaltstack 132
rt_sigaction 134, rt_sigprocmask 135, rt_sigreturn 139, times 153, getrusage 165, getcpu 168, gettimeofday 169
getpid 172, getppid 173, getuid 174, geteuid 175, getgid 176, getegid 177, gettid 178, brk 214, munmap 215, mremap 216
mmap 222, mprotect 226, madvise 233, getrandom 278, membarrier 283, rseq 293
"""


def _parsed(text: str) -> dict[str, int]:
    return {
        name: int(number)
        for name, number in (pair.split() for pair in text.replace("\n", ",").split(",") if pair.strip())
    }


#: By machine: the kernel's number for the architecture, and the calls by name.
MACHINES: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (0xC000003E, _parsed(_X86_64)),
    "aarch64": (0xC00000B7, _parsed(_AARCH64)),
}
