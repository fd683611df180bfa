import CLinux
import Glibc
import PotluckCore
import PotluckSystem

/// The beacon's sockets: one to receive for each family, and one to send for each IPv4 address. They only move bytes.
final class BeaconSockets {
    struct Datagram {
        var bytes: [UInt8]
        var source: Endpoint
        var interface: UInt32
    }

    /// The IPv6 multicast group: transient, of link-local scope, with "ptlk" at the end.
    static let group: [UInt8] = [0xff, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("ptlk".utf8)
    /// The receive buffer in bytes, including the kernel's overhead. It holds hundreds of datagrams, so that a flood
    /// does not displace beacons while this machine is busy. The system may allow less.
    private static let waiting: Int32 = 1 << 20

    private struct Sender: Hashable {
        let interface: UInt32
        let address: [UInt8]
        let broadcast: [UInt8]
    }

    private let port: UInt16
    private var receive4: BeaconSocket?
    private let receive6: BeaconSocket?
    private var senders: [Sender: BeaconSocket] = [:]
    /// The interfaces on which to send to the group. That needs no membership.
    private var multicasting: Set<UInt32> = []
    private var memberships = GroupMemberships()
    /// The most datagrams that one call receives.
    static let most = Int(potluck_linux_most_datagrams)
    private let taken: UnsafeMutablePointer<potluck_linux_datagram>

    /// Why the beacon does not work.
    struct SocketsError: Error { let reason: String }

    /// The failure if only IPv4 does not work because another program has the port. IPv6 alone reaches half of a
    /// network, so users must be told.
    private(set) var trouble: SocketsError?

    init(port: UInt16) throws(SocketsError) {
        self.port = port
        let (v4, why4) = Self.receiver(AF_INET, port)
        let (v6, _) = Self.receiver(AF_INET6, port)
        let failure = SocketsError(
            reason: why4 == EADDRINUSE
                ? "another program uses UDP port \(port) exclusively"
                : "cannot open UDP port \(port): \(String(cString: strerror(why4)))")
        guard v4 != nil || v6 != nil else { throw failure }
        // A kernel without IPv4 is no problem: nothing on this machine uses it.
        trouble = v4 == nil && why4 == EADDRINUSE ? failure : nil
        receive4 = v4
        receive6 = v6
        taken = .allocate(capacity: Self.most)
        taken.initialize(repeating: potluck_linux_datagram(), count: Self.most)
    }

    deinit { taken.deallocate() }

    /// Tries again to open the port, because the other program may have ended.
    func retry() {
        guard trouble != nil, let socket = Self.receiver(AF_INET, port).0 else { return }
        receive4 = socket
        trouble = nil
    }

    /// The descriptors to poll for reading.
    var descriptors: [Int32] { [receive4, receive6].compactMap { $0?.descriptor } }

    /// Opens a socket that receives beacons. Several nodes on one machine share the port, and each gets every broadcast
    /// and multicast. SO_REUSEADDR allows that even to different users, which SO_REUSEPORT would refuse.
    private static func receiver(_ family: Int32, _ port: UInt16) -> (BeaconSocket?, errno: Int32) {
        guard let socket = BeaconSocket(family, SOCK_DGRAM) else { return (nil, errno) }
        socket.set(Int(SOL_SOCKET), SO_REUSEADDR, 1)
        socket.set(Int(SOL_SOCKET), SO_RCVBUF, waiting)
        if family == AF_INET {
            socket.set(Int(IPPROTO_IP), IP_PKTINFO, 1)
        } else {
            socket.set(Int(IPPROTO_IPV6), IPV6_V6ONLY, 1)
            socket.set(Int(IPPROTO_IPV6), IPV6_RECVPKTINFO, 1)
            socket.set(Int(IPPROTO_IPV6), IPV6_MULTICAST_LOOP, 1)
        }
        let any = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
        if let error = socket.bind(any, port: port) { return (nil, error) }
        return (socket, 0)
    }

    // MARK: - Interfaces

    /// Sets the interfaces on which to send and receive.
    func use(_ interfaces: [NetworkInterface]) {
        var wanted: Set<Sender> = []
        for interface in interfaces {
            for address in interface.addresses where address.octets.count == 4 {
                guard let broadcast = address.broadcast else { continue }
                wanted.insert(Sender(interface: interface.index, address: address.octets, broadcast: broadcast))
            }
        }
        for sender in senders.keys where !wanted.contains(sender) { senders[sender] = nil }
        for sender in wanted where senders[sender] == nil { senders[sender] = Self.open(sender) }
        multicasting = Set(interfaces.filter(\.multicasts).map(\.index))
        guard let receive6 else { return }
        memberships.use(
            multicasting,
            join: { index in
                let failure = Self.change(receive6, IPV6_JOIN_GROUP, on: index)
                return failure == nil || failure == EADDRINUSE
            },
            leave: { index in _ = Self.change(receive6, IPV6_LEAVE_GROUP, on: index) })
    }

    /// Joins or leaves the group on an interface. Returns the error number, or nil on success. EADDRINUSE means that
    /// the socket is already a member.
    private static func change(_ socket: BeaconSocket, _ option: Int32, on index: UInt32) -> Int32? {
        var membership = ipv6_mreq()
        membership.ipv6mr_interface = index
        withUnsafeMutableBytes(of: &membership.ipv6mr_multiaddr) { $0.copyBytes(from: group) }
        let status = setsockopt(
            socket.descriptor, Int32(IPPROTO_IPV6), option, &membership, socklen_t(MemoryLayout<ipv6_mreq>.size))
        return status == 0 ? nil : errno
    }

    private static func open(_ sender: Sender) -> BeaconSocket? {
        guard let socket = BeaconSocket(AF_INET, SOCK_DGRAM) else { return nil }
        socket.set(Int(SOL_SOCKET), SO_BROADCAST, 1)
        // The index in network order. This needs no privilege, unlike SO_BINDTODEVICE.
        socket.set(Int(IPPROTO_IP), IP_UNICAST_IF, Int32(bitPattern: sender.interface.bigEndian))
        return socket.bind(sender.address, port: 0) == nil ? socket : nil
    }

    // MARK: - Sending and receiving

    /// Sends a datagram on every network. Errors are ignored, because the next beacon follows in a second.
    func send(_ bytes: [UInt8]) {
        for (sender, socket) in senders {
            send(bytes, by: socket, to: sender.broadcast, scope: 0)
        }
        guard let receive6 else { return }
        for index in multicasting { send(bytes, by: receive6, to: Self.group, scope: index) }
    }

    private func send(_ bytes: [UInt8], by socket: BeaconSocket, to octets: [UInt8], scope: UInt32) {
        _ = SocketAddress.with(octets, scope: scope, port: port) {
            sendto(socket.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0, $1)
        }
    }

    /// Receives the waiting datagrams of a descriptor, and returns their number. They stay in the buffer until the next
    /// call.
    func receive(_ descriptor: Int32) -> Int { Int(potluck_linux_receive(descriptor, taken)) }

    /// The bytes of a received datagram, valid until the next call of `receive`.
    func octets(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        withUnsafePointer(to: &taken[index].octets) { octets in
            UnsafeBufferPointer(
                start: UnsafeRawPointer(octets).assumingMemoryBound(to: UInt8.self), count: Int(taken[index].length))
        }
    }

    /// Returns a copy of a received datagram, or nil if its source is not an IP address.
    func datagram(_ index: Int) -> Datagram? {
        let address = withUnsafeBytes(of: &taken[index].source) { $0.loadUnaligned(as: sockaddr_storage.self) }
        guard let source = SocketAddress.endpoint(address) else { return nil }
        let interface = taken[index].interface
        return Datagram(
            bytes: Array(octets(index)), source: source, interface: interface == 0 ? source.scope : interface)
    }
}
