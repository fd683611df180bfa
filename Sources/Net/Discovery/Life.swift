import PotluckCore

/// The state of a node in the table, and what to do about it next.
enum Life: Hashable, Sendable {
    /// Its beacon was heard, last at this time.
    case heard(at: Instant)
    /// It fell silent and is being asked.
    case asked(Asking)
    /// Only mDNS lists it. It is shown as unconfirmed until something answers at its address.
    case hinted(Probe)
    /// Only mDNS lists it, and something answers at its address.
    case answering(Probe)
    /// Only mDNS lists it, and nothing answers. It is not shown.
    case ghost(Probe)

    struct Asking: Hashable, Sendable {
        var since: Instant
        /// The number of questions, by us and by other nodes in our place.
        var questions = 0
        /// The number of other nodes' questions since our last one.
        var spared = 0
        var next: Instant
    }

    struct Probe: Hashable, Sendable {
        var next: Instant
        var failures = 0
        var underWay = false
        /// The time until the next probe of a ghost.
        var patience = Limits.ghostRetry.first
    }

    /// The state of its probes; nil if its beacons are heard.
    var probe: Probe? {
        get {
            switch self {
            case .hinted(let probe), .answering(let probe), .ghost(let probe): probe
            case .heard, .asked: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .hinted: self = .hinted(newValue)
            case .answering: self = .answering(newValue)
            case .ghost: self = .ghost(newValue)
            case .heard, .asked: break
            }
        }
    }

    /// How it is shown; nil if it is not.
    var standing: NodeEntry.Standing? {
        switch self {
        case .heard, .answering: .present
        case .asked(let asking): asking.questions > Limits.questionsUntilSuspect ? .suspect : .present
        case .hinted: .unconfirmed
        case .ghost: nil
        }
    }

    /// Returns whether its last beacon is recent enough that it need not be asked.
    func isHeard(now: Instant) -> Bool { if case .heard(let at) = self { now - at <= Limits.silence } else { false } }

    /// When it is due; nil while a probe is in flight.
    var due: Instant? {
        switch self {
        case .heard(let at): at + Limits.silence
        case .asked(let asking):
            asking.questions < Limits.fewestQuestions
                ? asking.next : min(asking.next, asking.since + Limits.patience)
        case .hinted(let probe), .answering(let probe), .ghost(let probe): probe.underWay ? nil : probe.next
        }
    }
}

/// A node in the table.
struct Node: Sendable {
    var announcement: Announcement
    var trust: Sighting.Trust
    var host: String?
    var since: Instant
    var life: Life
    var routes: [Route] = []
    /// The highest number of its verified beacons, and when that one arrived.
    var sequence: UInt32 = 0
    var sequenceAt: Instant
    /// The number of copies of that beacon.
    var copies = 0
    /// The address at which it was first seen. Limits on strangers count by it.
    let origin: [UInt8]
    /// Its last reported entry; nil if it is not reported.
    var shown: NodeEntry?

    func entry(in surroundings: Surroundings) -> NodeEntry? {
        guard let standing = life.standing else { return nil }
        var sources: [Sighting.Source] = []
        if life.probe == nil { sources.append(.beacon) }
        if routes.contains(where: { !$0.hints.isEmpty }) { sources.append(.mdns) }
        return NodeEntry(
            announcement: announcement, standing: standing, trust: trust, sources: sources, host: host,
            sameMachine: routes.contains(where: \.sameMachine),
            endpoints: surroundings.ranked(routes).map(\.endpoint), since: since)
    }
}

/// The nodes that departed, so that an mDNS cache or a late packet does not bring them back. When it is full, the
/// oldest is forgotten.
struct Departures: Sendable {
    struct Record: Sendable {
        var at: Instant
        var departure: Departure
        var sequence: UInt32
    }

    private let limit: Int
    private var records: [NodeID: Record] = [:]
    private var order: [NodeID] = []

    init(limit: Int) { self.limit = limit }

    subscript(node: NodeID) -> Record? { records[node] }

    mutating func add(_ node: NodeID, _ record: Record) {
        remove(node)
        while let oldest = order.first,
            order.count >= limit || record.at - (records[oldest]?.at ?? .start) > Limits.departedFor
        {
            remove(oldest)
        }
        records[node] = record
        order.append(node)
    }

    mutating func remove(_ node: NodeID) {
        if records.removeValue(forKey: node) != nil { order.removeAll { $0 == node } }
    }
}
