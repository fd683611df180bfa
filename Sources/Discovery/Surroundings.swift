import PotluckModel

/// An interface of this machine that is up and has a network.
public struct NetworkInterface: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Comparable, Sendable {
        case loopback, wired, wireless
        /// A bridge, a tunnel: whoever is behind it is on this machine, or far away.
        case virtual

        public static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
    }

    public struct Address: Hashable, Sendable {
        /// Four or sixteen, in network order.
        public var octets: [UInt8]
        /// How many of its bits the network shares.
        public var prefix: Int
        /// Where a datagram reaches all of an IPv4 network; nil where that cannot be.
        public var broadcast: [UInt8]?

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
    public var multicasts: Bool
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
    /// Whether a beacon can go by it, to all who are there.
    var carriesBeacons: Bool { multicasts || addresses.contains { $0.broadcast != nil } }

    /// What others dial: IPv4 where it has it.
    public var address: String? {
        (addresses.first { $0.octets.count == 4 } ?? addresses.first).map { IPAddressText.text($0.octets) }
    }
}

/// What addresses mean, seen from this machine.
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

    /// Whether a sighting's address can be the node's at all. Loopback and our own addresses can only be a node's on this
    /// machine: every laptop has a 127.0.1.1, and every one with Docker the same 172.17.0.1.
    func admits(_ sighting: Sighting) -> Bool {
        let octets = sighting.endpoint.octets
        guard !octets.isUnspecified, !octets.isMulticast, !octets.isMappedIPv4 else { return false }
        return sighting.sameMachine || !isOwn(octets)
    }

    /// Whether it is in the network of one of our interfaces.
    func isOnLink(_ octets: [UInt8]) -> Bool {
        interfaces.contains { $0.addresses.contains { $0.contains(octets) } }
    }

    /// The order in which a node's addresses are dialled: lower first.
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

    /// The addresses to show and dial, best first. One that mDNS alone gave and that is in no network of ours (another
    /// machine's docker0) counts only where there is nothing better: behind a reflector it may be right.
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

    /// A beacon came first by this one. Counts are of the latest beacons: all are halved when one is full.
    mutating func noteFirst(at index: Int) {
        self[index].firsts += 1
        guard self[index].firsts > Limits.firsts else { return }
        for index in indices { self[index].firsts /= 2 }
    }
}

/// One way to a node.
struct Route: Hashable, Sendable {
    var endpoint: Endpoint
    /// The best interface of those it was seen on.
    var interface: UInt32
    var sameMachine: Bool
    /// When a beacon last came from there; nil where mDNS alone told.
    var heard: Instant?
    /// How many of the latest beacons came from there before they came from elsewhere. Anybody can repeat what a node says, from
    /// any address; but only what was lost on its way comes from them first.
    var firsts = 0
    /// The interfaces on which mDNS lists it.
    var hints: [UInt32] = []

    /// How little speaks for it; less is better.
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

/// What kind of address four or sixteen octets are.
extension [UInt8] {
    var isLoopback: Bool { count == 4 ? self[0] == 127 : isZero(first: 15) && self[15] == 1 }

    var isUnspecified: Bool { count == 4 ? self[0] == 0 : isZero(first: 16) }

    /// Broadcast with it, and what is reserved.
    var isMulticast: Bool { count == 4 ? self[0] >= 224 : self[0] == 0xff }

    var isLinkLocal: Bool {
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
