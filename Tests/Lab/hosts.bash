# shellcheck shell=bash
# A part of `lab`: the switch, the hosts, and what runs on each.

# --- the switch and its ports ------------------------------------------------
# Host I is the veth pair eth0 (host) - pI (switch). Its hardware address is its
# own and never changes, so that the others' ARP caches stay right after a reboot. A slowed link without netem
# is pI - bridge qI - tap sI - lab-wire - tap wI - br0.

start_switch() {
    recorded "$state/switch/init" >/dev/null && return
    mkdir -p "$state/switch" "$state/hosts"
    rm -f "$state/switch/ready"
    local -a flags=(--net --mount --uts --ipc --propagation private)
    ((EUID == 0)) || flags+=(--user --map-root-user)
    spawn "$state/switch/init" "$state/switch/log" unshare "${flags[@]}" -- "$self" __switch
    wait_for 20 'the switch' test -e "$state/switch/ready"
}

init_switch() {
    mount -n -t sysfs sysfs /sys 2>/dev/null || true
    hostname switch
    ip link set lo up
    add_bridge br0
    add_bridge br1
    : >"$state/switch/ready"
    exec sleep infinity
}

add_bridge() { # NAME; inside the switch
    ip link add name "$1" type bridge forward_delay 0 stp_state 0 mcast_snooping 0
    echo 1 >"/proc/sys/net/ipv6/conf/$1/disable_ipv6"
    ip link set dev "$1" up
}

has_link() { on_switch ip link show "$1" >/dev/null 2>&1; }

uplink() { # I: the interface that connects host I to br0 or br1
    if has_link "w$1"; then echo "w$1"; else echo "p$1"; fi
}

plug() { # I: the veth pair of host I
    local pid
    pid=$(host_pid "$1")
    on_switch ip link add name "p$1" type veth \
        peer name eth0 address "$(printf '02:70:6c:00:00:%02x' "$1")" netns "$pid"
    inside "$(switch_pid)" attach_port "p$1"
    inside "$pid" configure eth0 "$subnet.$1/24"
}

attach_port() { # PORT; inside the switch
    echo 1 >"/proc/sys/net/ipv6/conf/$1/disable_ipv6"
    ip link set dev "$1" master br0
    ip link set dev "$1" up
}

configure() { # INTERFACE ADDR/LEN; inside a host
    # Duplicate address detection would delay the link-local address by a second.
    echo 0 >/proc/sys/net/ipv6/conf/all/accept_dad
    echo 0 >"/proc/sys/net/ipv6/conf/$1/accept_dad"
    ip address add "$2" brd + dev "$1"
    ip link set dev "$1" up
}

# --- hosts -------------------------------------------------------------------

start_host() { # I WITH_AVAHI
    local dir=$state/hosts/$1 switch name=host$1
    mkdir -p "$dir/home" "$dir/tmp"
    rm -f "$dir/ready" "$dir/asleep"
    printf '127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.1.1 %s\n' "$name" >"$dir/hosts"
    echo "$name" >"$dir/hostname"
    if ((EUID != 0)); then
        # Root is the only user of this user namespace, so map avahi's user to it.
        sed 's/^avahi:.*/avahi:x:0:0::\/:\/bin\/false/' /etc/passwd >"$dir/passwd"
        sed 's/^\(avahi\|netdev\):.*/\1:x:0:/' /etc/group >"$dir/group"
    fi
    [[ -s $dir/machine-id ]] || od -An -N16 -tx1 /dev/urandom | tr -d ' ' >"$dir/machine-id"
    switch=$(switch_pid)
    local -a enter=()
    ((EUID == 0)) || enter=(nsenter -t "$switch" -U --preserve-credentials --)
    spawn "$dir/init" "$dir/log" "${enter[@]}" \
        unshare --net --mount --uts --ipc --propagation private -- "$self" __host "$dir"
    wait_for 20 "host $1" test -e "$dir/ready"
    plug "$1"
    if [[ $2 == yes ]]; then
        start_bus "$1"
        start_avahi "$1"
    fi
}

init_host() { # DIR; already inside the host's namespaces
    local dir=$1 file
    hostname -F "$dir/hostname"
    mount -n -t tmpfs -o mode=755,size=64m lab-run /run
    mount -n -t sysfs sysfs /sys 2>/dev/null || true
    mkdir -p /run/dbus /run/avahi-daemon /run/lock
    [[ /var/run -ef /run ]] || mount -n --bind /run /var/run
    mount -n -t tmpfs -o mode=1777 lab-shm /dev/shm
    for file in hosts hostname machine-id passwd group; do
        [[ ! -f /etc/$file || ! -f $dir/$file ]] || mount -n --bind "$dir/$file" "/etc/$file"
    done
    ip link set lo up
    : >"$dir/ready"
    exec sleep infinity
}

start_bus() { # I
    local dir pid
    dir=$(host_dir "$1")
    pid=$(host_pid "$1")
    recorded "$dir/bus" >/dev/null && return
    # A bus that allows everything, without the machine's policies for each service.
    cat >"$state/bus.conf.$1" <<'CONF'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true"/>
    <allow receive_type="method_call"/>
    <allow receive_type="signal"/>
    <allow receive_requested_reply="true"/>
  </policy>
</busconfig>
CONF
    into "$pid" rm -f /run/dbus/system_bus_socket
    local -a ns
    ns_flags "$pid"
    spawn "$dir/bus" "$dir/log" nsenter "${ns[@]}" -- \
        dbus-daemon --config-file="$state/bus.conf.$1" --nofork --nopidfile
    wait_for 20 "host $1's bus" into "$pid" test -S /run/dbus/system_bus_socket
}

avahi_running() { # PID
    [[ $(into "$1" dbus-send --system --print-reply=literal --dest=org.freedesktop.Avahi \
        / org.freedesktop.Avahi.Server.GetState 2>/dev/null) == *'int32 2'* ]]
}

start_avahi() { # I
    local dir pid
    dir=$(host_dir "$1")
    pid=$(host_pid "$1")
    recorded "$dir/avahi" >/dev/null && return
    # Equivalent to the configuration in Debian and Ubuntu.
    cat >"$dir/avahi.conf" <<'CONF'
[server]
use-ipv4=yes
use-ipv6=yes
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[wide-area]
enable-wide-area=no
[publish]
publish-hinfo=no
publish-workstation=no
CONF
    into "$pid" sh -c 'rm -rf /run/avahi-daemon && mkdir /run/avahi-daemon'
    local -a ns
    ns_flags "$pid"
    spawn "$dir/avahi" "$dir/log" nsenter "${ns[@]}" -- \
        avahi-daemon -f "$dir/avahi.conf" --no-drop-root --no-chroot --no-rlimits
    wait_for 20 "host $1's avahi-daemon (see $dir/log)" avahi_running "$pid"
}
