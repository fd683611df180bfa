import Glibc
import PotluckCore

/// Lists this machine's interfaces. It is called repeatedly, because a laptop's networks change.
struct InterfaceScanner {
    /// The name of the only interface to report; nil for all.
    let only: String?
    /// The kind of each interface, so that the kernel's files are read only once.
    private var kinds: [String: NetworkInterface.Kind] = [:]

    init(only: String?) { self.only = only }

    /// Returns the interfaces that are up and connected, in order of index. Returns nil if the system does not list
    /// them.
    mutating func scan() -> [NetworkInterface]? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var found: [UInt32: NetworkInterface] = [:]
        var next = list
        while let item = next?.pointee {
            next = item.ifa_next
            guard let pointer = item.ifa_name, let address = item.ifa_addr else { continue }
            let name = String(cString: pointer)
            let flags = Int32(bitPattern: item.ifa_flags)
            // docker0 without a container, and a network card without a cable, are up but not running.
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_RUNNING) != 0,
                only == nil || only == name
            else { continue }
            let index = if_nametoindex(pointer)
            let isLoopback = flags & Int32(IFF_LOOPBACK) != 0
            // A tunnel has only one other end, so it has no broadcast.
            let isTunnel = flags & Int32(IFF_POINTOPOINT) != 0
            guard index != 0, let octets = Self.octets(address) else { continue }
            let prefix = item.ifa_netmask.flatMap(Self.octets)?.reduce(0) { $0 + $1.nonzeroBitCount } ?? 0
            var broadcast: [UInt8]?
            if octets.count == 4 {
                if isLoopback {
                    broadcast = [127, 255, 255, 255]
                } else if flags & Int32(IFF_BROADCAST) != 0, let theirs = item.ifa_ifu.ifu_broadaddr {
                    broadcast = Self.broadcast(of: octets, given: Self.octets(theirs), prefix: prefix)
                }
            }
            let multicasts = flags & Int32(IFF_MULTICAST) != 0 && !isTunnel && !isLoopback
            let kind = isLoopback ? .loopback : isTunnel ? .virtual : kind(of: name, index: index)
            found[
                index,
                default: NetworkInterface(index: index, name: name, kind: kind, multicasts: false, addresses: [])
            ].add(NetworkInterface.Address(octets: octets, prefix: prefix, broadcast: broadcast), multicasts)
        }
        return found.values.sorted { $0.index < $1.index }
    }

    /// Returns the broadcast address of an IPv4 network; nil if there is none. `given` is the one that the C library
    /// lists. If the address was set without one, it lists the address itself, where a beacon would reach only this
    /// machine. The kernel then takes the last address of the network for broadcasts.
    static func broadcast(of address: [UInt8], given: [UInt8]?, prefix: Int) -> [UInt8]? {
        guard given == address else { return given }
        // A network of one or two addresses has none to spare.
        guard prefix < 31 else { return nil }
        return address.enumerated().map { index, octet in
            let fixedBits = min(max(prefix - 8 * index, 0), 8)
            return octet | UInt8.max >> fixedBits
        }
    }

    private mutating func kind(of name: String, index: UInt32) -> NetworkInterface.Kind {
        if let known = kinds["\(index) \(name)"] { return known }
        let kind = Self.readKind(of: name, index: index)
        kinds["\(index) \(name)"] = kind
        return kind
    }

    /// A bridge or a dummy is a virtual device that is linked to itself. A veth, the network card of a container, is
    /// linked to its other end, and counts as wired.
    private static func readKind(of name: String, index: UInt32) -> NetworkInterface.Kind {
        let folder = "/sys/class/net/\(name)"
        if exists("\(folder)/wireless") || exists("\(folder)/phy80211") { return .wireless }
        if exists("\(folder)/device") || exists("\(folder)/bonding") { return .wired }
        if exists("\(folder)/bridge") || exists("\(folder)/tun_flags") { return .virtual }
        return linkedTo("\(folder)/iflink") == index ? .virtual : .wired
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func linkedTo(_ path: String) -> UInt32? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 16)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        return UInt32(strtoul(line, nil, 10))
    }

    /// Returns the four or sixteen bytes of an IPv4 or IPv6 address, or nil for another family.
    private static func octets(_ address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { v4 in
                withUnsafeBytes(of: v4.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
                withUnsafeBytes(of: v6.pointee.sin6_addr) { Array($0) }
            }
        default: nil
        }
    }
}

extension NetworkInterface {
    fileprivate mutating func add(_ address: Address, _ carriesMulticast: Bool) {
        addresses.append(address)
        if address.octets.count == 16 && carriesMulticast { multicasts = true }
    }
}
