# shellcheck shell=bash
# A part of `lab`: the commands that make links worse and repair them.

cmd_cut() { # I [--silent]
    host_pid "$1" >/dev/null
    if [[ ${2:-} == --silent ]]; then
        on_switch ip link set "$(uplink "$1")" nomaster
    else
        on_switch ip link set "p$1" down
    fi
}

cmd_heal() { # I
    host_pid "$1" >/dev/null
    local port
    port=$(uplink "$1")
    [[ $(on_switch ip link show "$port") == *' master '* ]] ||
        on_switch ip link set "$port" master br0
    on_switch ip link set "p$1" up
}

cmd_split() { # I...
    (($#)) || die 'usage: lab split I...'
    local i
    for i in "$@"; do
        host_pid "$i" >/dev/null
        on_switch ip link set "$(uplink "$i")" master br1
    done
}

cmd_merge() {
    local dir
    for dir in "$state"/hosts/*; do
        ! has_link "p${dir##*/}" ||
            on_switch ip link set "$(uplink "${dir##*/}")" master br0
    done
}

has_netem() {
    on_switch tc qdisc replace dev lo root netem delay 1us 2>/dev/null &&
        on_switch tc qdisc del dev lo root
}

cmd_slow() { # I [--delay T] [--jitter T] [--loss P] [--rate R]
    local i=${1:-} delay=0ms jitter=0ms loss=0% rate=''
    host_pid "$i" >/dev/null
    shift
    while (($# >= 2)); do
        case $1 in
            --delay) delay=$2 ;;
            --jitter) jitter=$2 ;;
            --loss) loss=${2%\%}% ;;
            --rate) rate=$2 ;;
            *) die "lab slow: what is $1?" ;;
        esac
        shift 2
    done
    (($# == 0)) || die "lab slow: $1 needs a value"
    cmd_fast "$i"
    if has_netem; then
        local -a netem=(netem limit 10000 delay "$delay" "$jitter" loss "$loss")
        [[ -z $rate ]] || netem+=(rate "$rate")
        on_host "$i" tc qdisc replace dev eth0 root "${netem[@]}"
        on_switch tc qdisc replace dev "p$i" root "${netem[@]}"
    else
        [[ -w /dev/net/tun ]] || die 'neither netem nor a writable /dev/net/tun here'
        lay_wire "$i" --delay "$delay" --jitter "$jitter" --loss "$loss" ${rate:+--rate "$rate"}
    fi
    echo "delay $delay jitter $jitter loss $loss rate ${rate:-any}" >"$state/hosts/$i/slow"
}

cmd_wall() { # I
    [[ -w /dev/net/tun ]] || die 'no writable /dev/net/tun here'
    cmd_fast "$1"
    lay_wire "$1" --wall
    echo 'walled' >"$state/hosts/$1/slow"
}

lay_wire() { # I OPTION...: a lab-wire between host I and the bridge it is on
    local i=$1 dir pid bridge
    dir=$(host_dir "$i")
    pid=$(switch_pid)
    local -a ns
    ns_flags "$pid"
    rm -f "$dir/wire.log"
    spawn "$dir/wire" "$dir/wire.log" nsenter "${ns[@]}" -- python3 "$here/lab-wire" "s$i" "w$i" "${@:2}"
    wait_for 20 "the wire (see $dir/wire.log)" has_link "w$i"
    bridge=$(on_switch ip -o link show "p$i" | sed -n 's/.* master \([^ ]*\) .*/\1/p')
    inside "$pid" insert_wire "$i" "$bridge"
}

insert_wire() { # I BRIDGE; inside the switch
    local link
    add_bridge "q$1"
    for link in "s$1" "w$1"; do
        echo 1 >"/proc/sys/net/ipv6/conf/$link/disable_ipv6"
        ip link set dev "$link" up
    done
    ip link set dev "s$1" master "q$1"
    ip link set dev "p$1" master "q$1"
    [[ -z ${2:-} ]] || ip link set dev "w$1" master "$2"
}

cmd_fast() { # I
    local dir bridge
    host_pid "$1" >/dev/null
    dir=$(host_dir "$1")
    if has_link "w$1"; then
        bridge=$(on_switch ip -o link show "w$1" | sed -n 's/.* master \([^ ]*\) .*/\1/p')
        on_switch ip link del "q$1"
        stop_recorded "$dir/wire" KILL
        [[ -z $bridge ]] || on_switch ip link set "p$1" master "$bridge"
    else
        on_host "$1" tc qdisc del dev eth0 root 2>/dev/null || true
        on_switch tc qdisc del dev "p$1" root 2>/dev/null || true
    fi
    rm -f "$dir/slow"
}

cmd_nic() { # I NAME [ADDR/LEN]
    (($# == 2 || $# == 3)) || die 'usage: lab nic I NAME [ADDR/LEN]'
    local pid
    pid=$(host_pid "$1")
    if (($# == 3)); then
        into "$pid" ip link add name "$2" type bridge
        inside "$pid" configure "$2" "$3"
        return
    fi
    local port="p$1.$2"
    port=${port:0:15}
    on_switch ip link add name "$port" type veth peer name "$2" netns "$pid"
    inside "$(switch_pid)" attach_port "$port"
    inside "$pid" configure "$2" "$subnet.$((100 + $1))/24"
}
