import Glibc
import PotluckModel
import PotluckSystem

/// The beacon's sockets: one to receive by each family, and one to send from for each IPv4 address. They move bytes and
/// nothing else.
final class BeaconSockets {
    struct Datagram {
        var bytes: [UInt8]
        var source: Endpoint
        var interface: UInt32
    }

    /// Transient, link-local scope; "ptlk" at the end.
    static let group: [UInt8] = [0xff, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("ptlk".utf8)
    /// Over the longest beacon, so that what does not fit is seen to be too long.
    private static let bufferSize = 512

    private struct Sender: Hashable {
        let interface: UInt32
        let address: [UInt8]
        let broadcast: [UInt8]
    }

    private let port: UInt16
    private var receive4: Socket?
    private let receive6: Socket?
    private var senders: [Sender: Socket] = [:]
    private var joined: Set<UInt32> = []
    private let buffer: UnsafeMutableRawPointer
    private let control: UnsafeMutableRawPointer
    private static let controlSize = 256

    /// Why there is no beacon.
    struct Failure: Error { let reason: String }

    /// Another program keeps the port to itself, by IPv4 alone: half a network is deaf, and people must be told.
    private(set) var trouble: Failure?

    init(port: UInt16) throws(Failure) {
        self.port = port
        let (v4, why4) = Self.receiver(AF_INET, port)
        let (v6, _) = Self.receiver(AF_INET6, port)
        let failure = Failure(
            reason: why4 == EADDRINUSE
                ? "another program uses UDP port \(port) exclusively"
                : "cannot open UDP port \(port): \(String(cString: strerror(why4)))")
        guard v4 != nil || v6 != nil else { throw failure }
        // A kernel without IPv4 is no trouble: nobody there speaks it.
        trouble = v4 == nil && why4 == EADDRINUSE ? failure : nil
        receive4 = v4
        receive6 = v6
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
        control = .allocate(byteCount: Self.controlSize, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        control.deallocate()
    }

    /// The other program may have ended.
    func retry() {
        guard trouble != nil, let socket = Self.receiver(AF_INET, port).0 else { return }
        receive4 = socket
        trouble = nil
    }

    /// What to wait for.
    var descriptors: [Int32] { [receive4, receive6].compactMap { $0?.descriptor } }

    /// Several nodes on one machine share the port, and each gets every broadcast and multicast. SO_REUSEADDR does that
    /// among different users as well, which SO_REUSEPORT would refuse.
    private static func receiver(_ family: Int32, _ port: UInt16) -> (Socket?, errno: Int32) {
        guard let socket = Socket(family, SOCK_DGRAM) else { return (nil, errno) }
        socket.set(Int(SOL_SOCKET), SO_REUSEADDR, 1)
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

    /// Speaks on these from now on, and listens.
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
        let multicast = Set(interfaces.filter(\.multicasts).map(\.index))
        for index in multicast.subtracting(joined) { join(index) }
        // An interface that is gone has taken its membership along; one that is back has none.
        joined = multicast
    }

    private func join(_ index: UInt32) {
        guard let receive6 else { return }
        var membership = ipv6_mreq()
        membership.ipv6mr_interface = index
        withUnsafeMutableBytes(of: &membership.ipv6mr_multiaddr) { $0.copyBytes(from: Self.group) }
        setsockopt(
            receive6.descriptor, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, &membership,
            socklen_t(MemoryLayout<ipv6_mreq>.size))
    }

    private static func open(_ sender: Sender) -> Socket? {
        guard let socket = Socket(AF_INET, SOCK_DGRAM) else { return nil }
        socket.set(Int(SOL_SOCKET), SO_BROADCAST, 1)
        // The index in network order. It needs no privilege, unlike SO_BINDTODEVICE.
        socket.set(Int(IPPROTO_IP), IP_UNICAST_IF, Int32(bitPattern: sender.interface.bigEndian))
        return socket.bind(sender.address, port: 0) == nil ? socket : nil
    }

    // MARK: - Sending and receiving

    /// To every network there is. What cannot be sent now is sent in a second.
    func send(_ bytes: [UInt8]) {
        for (sender, socket) in senders {
            send(bytes, by: socket, to: sender.broadcast, scope: 0)
        }
        guard let receive6 else { return }
        for index in joined { send(bytes, by: receive6, to: Self.group, scope: index) }
    }

    private func send(_ bytes: [UInt8], by socket: Socket, to octets: [UInt8], scope: UInt32) {
        _ = SocketAddress.with(octets, scope: scope, port: port) {
            sendto(socket.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0, $1)
        }
    }

    /// The next datagram that waits at this descriptor.
    func receive(_ descriptor: Int32) -> Datagram? {
        var from = sockaddr_storage()
        var vector = iovec(iov_base: buffer, iov_len: Self.bufferSize)
        var controlLength = 0
        let count = withUnsafeMutablePointer(to: &from) { from in
            withUnsafeMutablePointer(to: &vector) { vector in
                var message = msghdr()
                message.msg_name = UnsafeMutableRawPointer(from)
                message.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
                message.msg_iov = vector
                message.msg_iovlen = 1
                message.msg_control = control
                message.msg_controllen = Self.controlSize
                let count = recvmsg(descriptor, &message, Int32(MSG_DONTWAIT))
                controlLength = Int(message.msg_controllen)
                return count
            }
        }
        guard count >= 0, let source = SocketAddress.endpoint(from) else { return nil }
        return Datagram(
            bytes: Array(UnsafeRawBufferPointer(start: buffer, count: count)), source: source,
            interface: interface(UnsafeRawBufferPointer(start: control, count: controlLength)) ?? source.scope)
    }

    /// The interface a datagram came in on, from what the kernel says besides. (Swift does not import the CMSG macros: a
    /// record is its length in eight octets, level and type in four each, and its data; the next begins at a multiple of
    /// eight.)
    private func interface(_ records: UnsafeRawBufferPointer) -> UInt32? {
        var start = 0
        while start + 16 <= records.count {
            let length = records.loadUnaligned(fromByteOffset: start, as: Int.self)
            guard length >= 16, start + length <= records.count else { return nil }
            let level = records.loadUnaligned(fromByteOffset: start + 8, as: Int32.self)
            let type = records.loadUnaligned(fromByteOffset: start + 12, as: Int32.self)
            if level == Int32(IPPROTO_IP), type == IP_PKTINFO, length >= 20 {
                return records.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self)
            }
            if level == Int32(IPPROTO_IPV6), type == IPV6_PKTINFO, length >= 36 {
                return records.loadUnaligned(fromByteOffset: start + 32, as: UInt32.self)
            }
            start += (length + 7) & ~7
        }
        return nil
    }
}
