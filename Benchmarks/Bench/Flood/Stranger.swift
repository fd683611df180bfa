import PotluckCore
import PotluckNet
import PotluckSystem

/// The datagrams that a sender without the code can send.
struct Stranger {
    enum Kind: CaseIterable {
        case wrongTags, otherSessions, garbage, repetitions, everything

        var words: String {
            switch self {
            case .wrongTags: "wrong tags"
            case .otherSessions: "other sessions"
            case .garbage: "garbage"
            case .repetitions: "repetitions"
            case .everything: "all of it"
            }
        }
    }

    /// The number of different datagrams of each kind, so many that no cache holds them all. They are sent in turns.
    private static let count = 4096

    let datagrams: [[UInt8]]

    /// `heard` are beacons that the nodes sent before.
    init(_ kind: Kind, heard: [[UInt8]]) {
        var made: [[UInt8]] = []
        var generator = SeededGenerator(seed: 1)
        for number in 0..<Self.count {
            let kinds: [Kind] = [.wrongTags, .otherSessions, .garbage, .repetitions]
            made.append(Self.datagram(kind == .everything ? kinds[number % kinds.count] : kind, heard, &generator))
        }
        datagrams = made
    }

    private static func datagram(_ kind: Kind, _ heard: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
        switch kind {
        case .wrongTags: return beacon(of: FloodedNode.session, &generator)
        case .otherSessions:
            guard let session = SessionID("Other \(generator.next(below: 1000))") else { return [] }
            return beacon(of: session, &generator)
        case .garbage:
            let start = generator.next(below: 2) == 0 ? BeaconPacket.magic + [BeaconPacket.version] : []
            return start + octets(Int(generator.next(below: 500)), &generator)
        case .repetitions, .everything: return heard[Int(generator.next(below: UInt64(heard.count)))]
        }
    }

    private static func beacon(of session: SessionID, _ generator: inout SeededGenerator) -> [UInt8] {
        let kinds = BeaconPacket.Kind.allCases
        let node = NodeID(firstOctetsOf: octets(NodeID.length, &generator))
        let said = Announcement(
            node: node, mode: .server, sessionHash: session.hash, session: session, name: "stranger", port: 7077)
        let kind = kinds[Int(generator.next(below: UInt64(kinds.count)))]
        let packet = BeaconPacket(
            kind: kind, announcement: said, sequence: UInt32(truncatingIfNeeded: generator.next()),
            asked: kind == .question ? [node] : [])
        return packet.body() + octets(BeaconPacket.tagLength, &generator)
    }

    private static func octets(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
}
