/* SPDX-License-Identifier: MIT
 * See trace.h. A filter (seccomp) stops the process before each system call of the kind that
 * is asked for, and before no other: a run takes little longer than without. */
#define _GNU_SOURCE
#include "trace.h"

#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <elf.h>
#include <linux/filter.h>
#include <linux/ptrace.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/user.h>

const char *const call_names[CALL_KINDS] = {
    [CALL_OPEN] = "open",   [CALL_READ] = "read",        [CALL_WRITE] = "write",
    [CALL_SYNC] = "fsync",  [CALL_RENAME] = "rename",    [CALL_MAP] = "mmap",
    [CALL_LOCK] = "flock",  [CALL_CUT] = "truncate",     [CALL_STAT] = "stat",
    [CALL_CLOSE] = "close", [CALL_RANDOM] = "getrandom", [CALL_CHANGE] = "chmod"};

/* ---- registers of the processors that we know ---------------------------------------- */

#if defined(__x86_64__)

/* A call of the number -1 is none, and its result is what the register says. */
static bool refuse(pid_t process, struct user_regs_struct *r, int error)
{
    (void)process;
    r->orig_rax = (unsigned long long)-1;
    r->rax = (unsigned long long)-(long long)error;
    return true;
}

static void set_third(struct user_regs_struct *r, uint64_t value)
{
    r->rdx = value;
}

#elif defined(__aarch64__)

static bool refuse(pid_t process, struct user_regs_struct *r, int error)
{
    int none = -1;
    struct iovec part = {&none, sizeof none};
    r->regs[0] = (unsigned long long)-(long long)error;
    return ptrace(PTRACE_SETREGSET, process, (void *)NT_ARM_SYSTEM_CALL, &part) == 0;
}

static void set_third(struct user_regs_struct *r, uint64_t value)
{
    r->regs[2] = value;
}

#else
#error "trace.c has to be told the registers of this processor"
#endif

static void get_registers(pid_t process, struct user_regs_struct *r)
{
    struct iovec part = {r, sizeof *r};
    if (ptrace(PTRACE_GETREGSET, process, (void *)NT_PRSTATUS, &part) != 0)
        give_up("the registers of a process cannot be read");
}

static void put_registers(pid_t process, struct user_regs_struct *r)
{
    struct iovec part = {r, sizeof *r};
    if (ptrace(PTRACE_SETREGSET, process, (void *)NT_PRSTATUS, &part) != 0)
        give_up("the registers of a process cannot be set");
}

/* ---- which file a call is about -------------------------------------------------------- */

/* What is known of a system call: its kind, and which of its arguments are a descriptor and a
 * path; -1: none is. */
typedef struct call {
    long number;
    call_kind kind;
    int descriptor, path;
} call;

static const call calls[] = {
#ifdef SYS_open
    {SYS_open, CALL_OPEN, -1, 0},
#endif
    {SYS_openat, CALL_OPEN, 0, 1},        {SYS_read, CALL_READ, 0, -1},
    {SYS_pread64, CALL_READ, 0, -1},      {SYS_readv, CALL_READ, 0, -1},
    {SYS_write, CALL_WRITE, 0, -1},       {SYS_pwrite64, CALL_WRITE, 0, -1},
    {SYS_writev, CALL_WRITE, 0, -1},      {SYS_fsync, CALL_SYNC, 0, -1},
    {SYS_fdatasync, CALL_SYNC, 0, -1},
#ifdef SYS_rename
    {SYS_rename, CALL_RENAME, -1, 0},
#endif
#ifdef SYS_renameat
    {SYS_renameat, CALL_RENAME, 0, 1},
#endif
    {SYS_renameat2, CALL_RENAME, 0, 1},   {SYS_mmap, CALL_MAP, 4, -1},
    {SYS_flock, CALL_LOCK, 0, -1},        {SYS_ftruncate, CALL_CUT, 0, -1},
#ifdef SYS_stat
    {SYS_stat, CALL_STAT, -1, 0},         {SYS_lstat, CALL_STAT, -1, 0},
#endif
    {SYS_fstat, CALL_STAT, 0, -1},        {SYS_newfstatat, CALL_STAT, 0, 1},
    {SYS_statx, CALL_STAT, 0, 1},         {SYS_faccessat, CALL_STAT, 0, 1},
    {SYS_faccessat2, CALL_STAT, 0, 1},    {SYS_close, CALL_CLOSE, 0, -1},
    {SYS_getrandom, CALL_RANDOM, -1, -1}, {SYS_fchmod, CALL_CHANGE, 0, -1},
    {SYS_fchown, CALL_CHANGE, 0, -1},
};

static const call *find_call(uint64_t number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if ((uint64_t)calls[i].number == number)
            return &calls[i];
    return NULL;
}

/* The path of a descriptor of a process, or of its folder; "" if it has none. */
static void path_of(char *path, size_t room, pid_t process, int descriptor)
{
    char link[64];
    if (descriptor == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%ld/cwd", (long)process);
    else
        snprintf(link, sizeof link, "/proc/%ld/fd/%d", (long)process, descriptor);
    const ssize_t length = readlink(link, path, room - 1);
    path[length > 0 ? length : 0] = '\0';
}

/* A string of a process, as much of it as is in one piece of 64 bytes after the other. */
static void read_string(char *out, size_t room, pid_t process, uint64_t address)
{
    memset(out, 0, room);
    for (size_t i = 0; i + 1 < room && strlen(out) == i;) {
        const size_t piece = 64 - (address + i) % 64; /* which lies in one page */
        const size_t size = piece < room - 1 - i ? piece : room - 1 - i;
        const struct iovec to = {out + i, size},
                           from = {(void *)(uintptr_t)(address + i), size};
        if (process_vm_readv(process, &to, 1, &from, 1, 0) <= 0)
            return;
        i += size;
    }
}

/* The file that a call is about. */
static void find_path(char *path, size_t room, pid_t process, const call *c,
                      const uint64_t *arguments)
{
    char name[1024] = "";
    path[0] = '\0';
    if (c->path >= 0)
        read_string(name, sizeof name, process, arguments[c->path]);
    if (name[0] != '/' && (c->descriptor >= 0 || c->path >= 0))
        path_of(path, room, process,
                c->descriptor < 0 ? AT_FDCWD : (int)arguments[c->descriptor]);
    const size_t used = strlen(path);
    if (name[0])
        snprintf(path + used, room - used, "%s%s", used ? "/" : "", name);
}

/* Is it a call that counts? */
static bool counts(const call *c, const char *path, const uint64_t *arguments)
{
    const char *folder = commands_folder();
    const char *said = "/said"; /* what the program prints */
    if (c->kind == CALL_RANDOM) /* libc asks without waiting */
        return arguments[2] == 0;
    return strncmp(path, folder, strlen(folder)) == 0 &&
           strcmp(path + strlen(folder), said) != 0;
}

/* ---- the run ------------------------------------------------------------------------------
 */

typedef struct tracer {
    fault f;
    trace result;
    size_t met;
} tracer;

static void at_call(tracer *t, pid_t process)
{
    struct user_regs_struct r;
    struct ptrace_syscall_info info;
    char path[sizeof t->result.path];
    if (ptrace(PTRACE_GET_SYSCALL_INFO, process, (void *)sizeof info, &info) <= 0 ||
        info.op != PTRACE_SYSCALL_INFO_SECCOMP)
        give_up("a call of a process cannot be looked at");
    const uint64_t *arguments = (const uint64_t *)info.seccomp.args;
    const call *c = find_call(info.seccomp.nr);
    if (!c || t->result.came)
        return;
    find_path(path, sizeof path, process, c, arguments);
    if (!counts(c, path, arguments) || ++t->met != t->f.which)
        return;
    get_registers(process, &r);
    if (t->f.error == TRACE_SHORT)
        set_third(&r, (arguments[2] + 1) / 2);
    else if (!refuse(process, &r, t->f.error))
        give_up("a call of a process cannot be refused");
    put_registers(process, &r);
    t->result.came = true;
    memcpy(t->result.path, path, sizeof path);
}

/* Calls of these numbers stop the process, by a program for the kernel. */
static void stop_at(call_kind kind)
{
    struct sock_filter code[2 * sizeof calls / sizeof *calls + 2];
    struct sock_fprog whole = {0, code};
    code[whole.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                     offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].kind == kind) {
            code[whole.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                             (uint32_t)calls[i].number, 0, 1);
            code[whole.len++] =
                (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
        }
    code[whole.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) != 0)
        _exit(125);
}

static call_kind wanted; /* for the new process */

static void be_traced(void)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    stop_at(wanted);
}

trace trace_run(const char *const *words, fault f)
{
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
    tracer t = {.f = f};
    wanted = f.kind;
    const pid_t process = command_start(words, be_traced);
    int status = command_wait(process), number = 0;
    if (!WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)options) != 0)
        give_up("a process cannot be traced");
    for (;;) {
        if (ptrace(PTRACE_CONT, process, NULL, (void *)(intptr_t)number) != 0)
            give_up("a process cannot go on");
        status = command_wait(process);
        if (!WIFSTOPPED(status))
            break;
        number = WSTOPSIG(status);
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
            at_call(&t, process);
        if (number == SIGTRAP) /* of ours, or of exec */
            number = 0;
    }
    t.result.status = status;
    return t.result;
}

bool trace_possible(void)
{
    int status = 0;
    const pid_t process = fork();
    if (process == 0) {
        const bool traced = ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
        stop_at(CALL_RANDOM);
        _exit(traced ? 0 : 1);
    }
    return process > 0 && waitpid(process, &status, 0) == process && status == 0;
}
