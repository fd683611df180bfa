import PotluckCore

@testable import PotluckNet

/// An attacker on the network without the code. It sends forged beacons in any name from any address, and replays
/// beacons of members.
struct Outsider {
    /// A datagram's content, kind and source.
    struct Deed: Hashable, Comparable, CustomStringConvertible {
        enum What: String, CaseIterable {
            /// A beacon of the session with a wrong tag, in the name of a present node or of none.
            case lie
            /// A replay of a recent or an old beacon, or an old one with one bit changed.
            case repetition, oldRepetition, changed
            case otherSession
            /// A beacon for every session at once, which only questions may be.
            case anySession
        }

        enum Whence: String, CaseIterable { case ofGuest, own, ownLinkLocal }

        let what: What
        let kind: BeaconPacket.Kind
        let whence: Whence

        static let all = What.allCases.flatMap { what in
            BeaconPacket.Kind.allCases.flatMap { kind in
                Whence.allCases.map { Deed(what: what, kind: kind, whence: $0) }
            }
        }

        static func < (a: Deed, b: Deed) -> Bool { a.description < b.description }

        var description: String { "\(what) \(kind) \(whence)" }
    }

    /// The most beacons of each kind that it remembers.
    private static let memory = 512

    let party: Party
    private var generator: SeededGenerator
    private var heard: [BeaconPacket.Kind: [[UInt8]]] = [:]
    private var known: Set<[UInt8]> = []
    private var done: Set<Deed> = []

    init(_ party: Party, seed: UInt64) {
        self.party = party
        generator = SeededGenerator(seed: seed ^ 0x6f75_7473)
    }

    /// The deeds that it has not done yet.
    var missing: [Deed] {
        // Present nodes have sent no goodbye, so there may be no recent one to replay.
        Deed.all.filter { !done.contains($0) && !($0.what == .repetition && $0.kind == .leaving) }
    }

    /// Returns a beacon with a wrong tag, of Monty by default.
    func lie(
        _ kind: BeaconPacket.Kind, in name: NodeID, of hash: SessionHash = Party.monty.hash, mode: Mode = .server,
        port: UInt16 = 7077, sequence: UInt32 = 1, tag: UInt8 = 0
    ) -> [UInt8] {
        let isMonty = hash == Party.monty.hash
        let said = Announcement(
            node: name, mode: mode, sessionHash: hash, session: isMonty ? Party.monty : nil, name: "liar", port: port)
        let asked = kind == .question ? [name] : []
        return BeaconPacket(kind: kind, announcement: said, sequence: sequence, asked: asked).body()
            + [UInt8](repeating: tag, count: BeaconPacket.tagLength)
    }

    /// Sends a random datagram from a random address.
    mutating func shout() {
        listen()
        let whence = pick(Deed.Whence.allCases)
        let what = pick(Deed.What.allCases)
        let octets = words(what, of: pick(BeaconPacket.Kind.allCases))
        guard let octets, let kind = BeaconPacket.Kind(rawValue: octets[BeaconPacket.magic.count + 1]) else { return }
        done.insert(Deed(what: what, kind: kind, whence: whence))
        party.room.shout(octets, from: address(whence))
    }

    private mutating func listen() {
        for octets in party.room.overheard where known.insert(octets).inserted {
            guard let kind = Self.kind(octets) else { continue }
            heard[kind, default: []].append(octets)
            if heard[kind, default: []].count > Self.memory { heard[kind]?.removeFirst() }
        }
    }

    private static func kind(_ octets: [UInt8]) -> BeaconPacket.Kind? {
        BeaconPacket.Kind(rawValue: octets[BeaconPacket.magic.count + 1])
    }

    /// Returns nil if there is no such beacon to replay.
    private mutating func words(_ what: Deed.What, of kind: BeaconPacket.Kind) -> [UInt8]? {
        let names = party.guests.map(\.node) + [party.newID()]
        let hashes = (0..<3).map { Party.session("Other \($0)").hash }
        switch what {
        case .lie, .otherSession, .anySession:
            let hash = what == .lie ? Party.monty.hash : what == .anySession ? .any : pick(hashes)
            return lie(
                kind, in: pick(names), of: hash, mode: pick([.server, .client, .peer]), port: pick([0, 7077, 7078, 9]),
                sequence: pick([0, 1, 1000, .max]), tag: UInt8(truncatingIfNeeded: generator.next()))
        case .repetition: return some(party.room.overheard.filter { Self.kind($0) == kind })
        case .oldRepetition: return some(heard[kind] ?? [])
        case .changed:
            guard var octets = some(heard[kind] ?? []) else { return nil }
            // The kind stays, because changing it would be another deed.
            let places = octets.indices.filter { $0 != BeaconPacket.magic.count + 1 }
            octets[pick(places)] ^= 1 << UInt8(generator.next(below: 8))
            return octets
        }
    }

    private mutating func address(_ whence: Deed.Whence) -> [UInt8] {
        switch whence {
        case .ofGuest: pick(party.guests.flatMap { party.room.addresses(of: $0.host) }.filter { !$0.isLoopback })
        case .own: pick((0..<20).map { [10, 77, 0, 200 + UInt8($0)] } + [[10, 0, 0, 1]])
        case .ownLinkLocal: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [UInt8(generator.next(below: 256))]
        }
    }

    private mutating func some(_ list: [[UInt8]]) -> [UInt8]? { list.isEmpty ? nil : pick(list) }

    private mutating func pick<Element>(_ some: [Element]) -> Element {
        some[Int(generator.next(below: UInt64(some.count)))]
    }
}
