import PotluckCore

/// An interface of this machine that is up and has a network.
public struct NetworkInterface: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Comparable, Sendable {
        case loopback, wired, wireless
        /// A bridge or a tunnel. Nodes behind it are on this machine, or far away.
        case virtual

        public static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
    }

    public struct Address: Hashable, Sendable {
        /// Four or sixteen bytes, in network order.
        public var octets: [UInt8]
        /// The length of the network's prefix, in bits.
        var prefix: Int
        /// The broadcast address of an IPv4 network; nil if there is none.
        var broadcast: [UInt8]?

        public init(octets: [UInt8], prefix: Int, broadcast: [UInt8]? = nil) {
            self.octets = octets
            self.prefix = prefix
            self.broadcast = broadcast
        }
    }

    public var index: UInt32
    public var name: String
    public var kind: Kind
    /// Whether it carries IPv6 multicast.
    var multicasts: Bool
    public var addresses: [Address]

    public init(index: UInt32, name: String, kind: Kind, multicasts: Bool, addresses: [Address]) {
        self.index = index
        self.name = name
        self.kind = kind
        self.multicasts = multicasts
        self.addresses = addresses
    }
}

extension NetworkInterface {
    /// Whether a beacon can be sent on it, by broadcast or multicast.
    var carriesBeacons: Bool { multicasts || addresses.contains { $0.broadcast != nil } }

    /// The address for other nodes to dial, IPv4 if there is one; nil if it has no address.
    public var address: String? {
        (addresses.first { $0.octets.count == 4 } ?? addresses.first).map { IPAddressText.text($0.octets) }
    }
}

/// This machine's interfaces, and the meaning of addresses as seen from them.
struct Surroundings: Sendable {
    let interfaces: [NetworkInterface]
    private let kinds: [UInt32: NetworkInterface.Kind]
    private let own: Set<[UInt8]>

    init(_ interfaces: [NetworkInterface] = []) {
        self.interfaces = interfaces
        kinds = Dictionary(interfaces.map { ($0.index, $0.kind) }) { first, _ in first }
        own = Set(interfaces.flatMap { $0.addresses.map(\.octets) })
    }

    func isOwn(_ octets: [UInt8]) -> Bool { octets.isLoopback || own.contains(octets) }

    /// Returns whether a sighting's address can belong to its node. Loopback and our own addresses belong only to nodes
    /// on this machine: every laptop has a 127.0.1.1, and every one with Docker the same 172.17.0.1.
    func admits(_ sighting: Sighting) -> Bool {
        let octets = sighting.endpoint.octets
        guard !octets.isUnspecified, !octets.isMulticast, !octets.isMappedIPv4 else { return false }
        return sighting.sameMachine || !isOwn(octets)
    }

    /// Returns whether an address is in the network of one of our interfaces.
    func isOnLink(_ octets: [UInt8]) -> Bool {
        interfaces.contains { $0.addresses.contains { $0.contains(octets) } }
    }

    /// Returns the sort key of a route. Lower ones are dialled first.
    func rank(_ route: Route) -> [UInt8] {
        let octets = route.endpoint.octets
        let kind = kinds[route.interface] ?? .virtual
        var reach: UInt8 = 1
        if octets.isLoopback {
            reach = 0
        } else if route.sameMachine && kind == .virtual {
            reach = 3
        } else if octets.isLinkLocal {
            reach = 2
        }
        let head: [UInt8] = [
            reach == 0 ? 0 : route.doubt, reach, kind.rawValue, octets.count == 4 ? 0 : 1,
        ]
        return head + octets + withUnsafeBytes(of: route.endpoint.scope.bigEndian) { Array($0) }
    }

    /// Returns the routes to show and dial, best first. Some addresses only mDNS gave, and they are in none of our
    /// networks, such as another machine's docker0. They count only if there is nothing better: behind an mDNS
    /// reflector they may be right.
    func ranked(_ routes: [Route]) -> [Route] {
        let plausible = routes.filter {
            $0.heard != nil || $0.endpoint.octets.isLinkLocal || $0.sameMachine || isOnLink($0.endpoint.octets)
        }
        return (plausible.isEmpty ? routes : plausible)
            .map { (route: $0, rank: rank($0)) }
            .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }
            .map(\.route)
    }
}

extension [Route] {
    var doubts: [UInt8] { map(\.doubt) }

    /// Counts a beacon that arrived first by this route. All counts are halved when one reaches its limit, so that they
    /// reflect recent beacons.
    mutating func noteFirst(at index: Int) {
        self[index].firsts += 1
        guard self[index].firsts > Limits.firsts else { return }
        for index in indices { self[index].firsts /= 2 }
    }
}

/// An address of a node, and the evidence for it.
struct Route: Hashable, Sendable {
    var endpoint: Endpoint
    /// The best of the interfaces on which it was seen.
    var interface: UInt32
    var sameMachine: Bool
    /// When a beacon last arrived from there; nil if only mDNS lists it.
    var heard: Instant?
    /// How many of the latest beacons arrived from there before they arrived from elsewhere. Anybody can replay beacons
    /// from any address, but a replay arrives first only if the original was lost.
    var firsts = 0
    /// The interfaces on which mDNS lists it.
    var hints: [UInt32] = []

    /// How doubtful it is; lower is better.
    var doubt: UInt8 { heard == nil ? 2 : firsts > 0 ? 0 : 1 }
}

extension NetworkInterface.Address {
    func contains(_ other: [UInt8]) -> Bool {
        guard other.count == octets.count, prefix > 0 else { return false }
        let whole = min(prefix / 8, octets.count)
        guard octets[..<whole] == other[..<whole] else { return false }
        let rest = prefix % 8
        guard rest > 0, whole < octets.count else { return true }
        let mask = ~UInt8(0) << UInt8(8 - rest)
        return octets[whole] & mask == other[whole] & mask
    }
}

/// The kinds of an address of four or sixteen bytes.
extension [UInt8] {
    var isUnspecified: Bool { count == 4 ? self[0] == 0 : isZero(first: 16) }

    /// Includes broadcast and reserved addresses.
    var isMulticast: Bool { count == 4 ? self[0] >= 224 : self[0] == 0xff }

    package var isLinkLocal: Bool {
        if count == 4 { return self[0] == 169 && self[1] == 254 }
        return self[0] == 0xfe && self[1] & 0xc0 == 0x80
    }

    var isMappedIPv4: Bool {
        guard count == 16, isZero(first: 10) else { return false }
        return self[10] == 0xff && self[11] == 0xff
    }

    private func isZero(first count: Int) -> Bool {
        for octet in self[..<count] where octet != 0 { return false }
        return true
    }
}
