import PotluckCore

/// Decides when to try which address of a node: a small version of RFC 8305. Address families
/// alternate. Each attempt has a head start over the next, and a failure starts the next at
/// once. An attempt that connected gets time for its handshake.
package struct HappyEyeballs {
    private var untried: [Endpoint] = []
    private var seen: Set<Endpoint> = []
    private var lookups = 0
    private var underWay = 0
    private var nextStart: Instant
    private let end: Instant
    /// The most informative failure so far.
    package private(set) var failure = DialFailure.notTried

    package init(_ candidates: [Candidate], at now: Instant) {
        nextStart = now
        end = now + LinkLimits.dial
        add(candidates.compactMap { if case .endpoint(let endpoint) = $0 { endpoint } else { nil } })
        lookups = candidates.count { if case .host = $0 { true } else { false } }
    }

    /// Returns an endpoint to try now, or nil. The caller must try it and report its failure.
    package mutating func next(at now: Instant) -> Endpoint? {
        guard now < end, now >= nextStart || underWay == 0, !untried.isEmpty else { return nil }
        underWay += 1
        nextStart = now + LinkLimits.headStart
        return untried.removeFirst()
    }

    /// When to call `next` and `isOver` again.
    package var due: Instant { untried.isEmpty ? end : min(nextStart, end) }

    /// Whether the dial has failed: no attempt is under way and no address is left, or the time is over.
    package func isOver(at now: Instant) -> Bool {
        now >= end || untried.isEmpty && underWay == 0 && lookups == 0
    }

    /// Returns the reason of the failure, once the dial is over.
    package func verdict(at now: Instant) -> DialFailure {
        now >= end ? Self.clearer(failure, .timedOut) : failure
    }

    /// Call it when TCP connected: other attempts wait for the handshake for a while.
    package mutating func connected(at now: Instant) { nextStart = max(nextStart, now + LinkLimits.headStart * 5) }

    /// Call it when an attempt failed: the next one may start at once.
    package mutating func failed(_ reason: DialFailure, at now: Instant) {
        underWay -= 1
        failure = Self.clearer(failure, reason)
        nextStart = now
    }

    /// Call it when a name lookup succeeded.
    package mutating func found(_ endpoints: [Endpoint]) {
        lookups -= 1
        add(endpoints)
    }

    /// Call it when a name lookup failed.
    package mutating func notFound(_ reason: DialFailure) {
        lookups -= 1
        failure = Self.clearer(failure, reason)
    }

    private mutating func add(_ endpoints: [Endpoint]) {
        let new = endpoints.filter { seen.count < LinkLimits.candidates && seen.insert($0).inserted }
        let first = (untried + new).first?.octets.count
        var same = (untried + new).filter { $0.octets.count == first }[...]
        var other = (untried + new).filter { $0.octets.count != first }[...]
        untried = []
        while !same.isEmpty || !other.isEmpty {
            if let endpoint = same.popFirst() { untried.append(endpoint) }
            if let endpoint = other.popFirst() { untried.append(endpoint) }
        }
    }

    /// Returns the more informative failure. A failure at the right node says more than a failure of the network.
    private static func clearer(_ a: DialFailure, _ b: DialFailure) -> DialFailure { rank(a) >= rank(b) ? a : b }

    private static func rank(_ failure: DialFailure) -> Int {
        switch failure {
        case .notTried: 0
        case .unreachable: 1
        case .timedOut: 2
        case .unknownHost: 3
        case .notPotluck: 4
        case .otherSession: 5
        case .turnedAway: 6
        case .wrongCode: 7
        }
    }
}
