# shellcheck shell=bash
# A part of `lab`: its processes, and how to get into namespaces.

# --- processes -------------------------------------------------------------
# A process is recorded as "PID STARTTIME", so that a PID that was reused is not taken for it.

# start_time PID: prints when the process started, in clock ticks; fails for a dead process or a zombie.
start_time() {
    local line
    local -a field
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    read -ra field <<<"${line##*) }"
    [[ ${field[0]} != [ZX] ]] || return 1
    echo "${field[19]}"
}

record() { # FILE PID
    local born
    born=$(start_time "$2") || return 1
    echo "$2 $born" >"$1"
}

recorded() { # FILE: prints the pid if that process is still running
    local pid born
    [[ -r $1 ]] && read -r pid born <"$1" || return 1
    [[ $(start_time "$pid") == "$born" ]] && echo "$pid"
}

stop_recorded() { # FILE SIGNAL: sends the signal, and kills a process that has not ended in 5 s
    local pid
    if pid=$(recorded "$1"); then
        kill -s "$2" "$pid" 2>/dev/null || true
        comes_true 5 ends "$pid" || kill -s KILL "$pid" 2>/dev/null || true
    fi
    rm -f "$1"
}

# members PID: prints every process in the network namespace of PID.
members() {
    local link path
    link=$(readlink "/proc/$1/ns/net" 2>/dev/null) || return 0
    link=${link//[/\\[}
    while IFS= read -r path; do
        path=${path#/proc/}
        echo "${path%%/*}"
    done < <(find /proc/[0-9]*/ns/net -maxdepth 0 -lname "${link//]/\\]}" 2>/dev/null)
}

signal_members() { # SIGNAL PID
    local -a pids
    mapfile -t pids < <(members "$2")
    ((${#pids[@]} == 0)) || kill -s "$1" "${pids[@]}" 2>/dev/null || true
}

kill_others() { # PID: kills the other processes of its namespace; fails if there were any
    local rest
    rest=$(members "$1" | grep -vx "$1" || true)
    [[ -n $rest ]] || return 0
    # shellcheck disable=SC2086 # one word a pid
    kill -s KILL $rest 2>/dev/null || true
    return 1
}

kill_members() { # PID: kills the processes of its namespace, PID last
    comes_true 5 kill_others "$1" || true
    kill -s KILL "$1" 2>/dev/null || true
    comes_true 5 ends "$1" || true
}

# --- namespaces ------------------------------------------------------------

# spawn FILE LOG CMD...: starts a process in a session of its own and records it in FILE.
spawn() {
    local file=$1 log=$2
    shift 2
    setsid "$@" </dev/null >>"$log" 2>&1 &
    record "$file" $!
}

# into PID CMD...: runs CMD in the namespaces of PID. If it is the last command of a subshell, CMD replaces the
# subshell, so that signals reach CMD itself.
ns_flags() {
    ns=(-t "$1" -m -u -i -n)
    ((EUID == 0)) || ns+=(-U --preserve-credentials)
}

into() {
    local -a ns
    ns_flags "$1"
    shift
    nsenter "${ns[@]}" -- "$@"
}

# inside PID FUNCTION ARG...: runs a function of this script in the namespaces of PID.
inside() {
    local pid=$1
    shift
    into "$pid" "$self" __inside "$@"
}

switch_pid() {
    recorded "$state/switch/init" || die 'the lab is not up (lab up N)'
}

on_switch() { into "$(switch_pid)" "$@"; }

host_dir() {
    [[ $1 =~ ^[1-9][0-9]?$ ]] || die "no such host: $1"
    [[ -d $state/hosts/$1 ]] || die "there is no host $1 in this lab"
    echo "$state/hosts/$1"
}

host_pid() {
    local dir
    dir=$(host_dir "$1")
    recorded "$dir/init" || die "host $1 is down (lab boot $1)"
}

on_host() { # I CMD...
    local pid
    pid=$(host_pid "$1")
    shift
    into "$pid" "$@"
}

# --- waiting ---------------------------------------------------------------

comes_true() { # SECONDS CMD...: whether CMD succeeds in that time; SECONDS are those of a quiet machine
    local until
    until=$((${EPOCHREALTIME/[.,]/} + $1 * patience * 1000000))
    shift
    until "$@" >/dev/null 2>&1; do
        ((${EPOCHREALTIME/[.,]/} < until)) || return 1
        sleep 0.03
    done
}

wait_for() { # SECONDS WHAT CMD...
    comes_true "$1" "${@:3}" || die "gave up waiting for $2"
}

ends() { # PID
    ! start_time "$1"
}
