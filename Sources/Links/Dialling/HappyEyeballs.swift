import PotluckModel

/// Which of a node's addresses is tried when: RFC 8305 in small. Families alternate, each attempt has a head start over the
/// next, a failure starts the next at once, and an attempt that connected is given time for its handshake.
package struct HappyEyeballs {
    private var untried: [Endpoint] = []
    private var seen: Set<Endpoint> = []
    private var lookups = 0
    private var underWay = 0
    private var nextStart: Instant
    private let end: Instant
    /// The reason that says most so far.
    package private(set) var failure = DialFailure.notTried

    package init(_ candidates: [Candidate], at now: Instant) {
        nextStart = now
        end = now + LinkLimits.dial
        add(candidates.compactMap { if case .endpoint(let endpoint) = $0 { endpoint } else { nil } })
        lookups = candidates.count { if case .host = $0 { true } else { false } }
    }

    /// One that can be tried now. It must be tried, and its end reported.
    package mutating func next(at now: Instant) -> Endpoint? {
        guard now < end, now >= nextStart || underWay == 0, !untried.isEmpty else { return nil }
        underWay += 1
        nextStart = now + LinkLimits.headStart
        return untried.removeFirst()
    }

    /// When `next` or `isOver` has something new to say.
    package var due: Instant { untried.isEmpty ? end : min(nextStart, end) }

    /// Whether all has failed: nothing under way and nothing left, or no time left.
    package func isOver(at now: Instant) -> Bool {
        now >= end || untried.isEmpty && underWay == 0 && lookups == 0
    }

    /// Why, once it is over.
    package func verdict(at now: Instant) -> DialFailure {
        now >= end ? Self.clearer(failure, .timedOut) : failure
    }

    /// TCP connected: the others wait until the handshake is through or hangs.
    package mutating func connected(at now: Instant) { nextStart = max(nextStart, now + LinkLimits.headStart * 5) }

    /// An attempt failed: the next one has waited long enough.
    package mutating func failed(_ reason: DialFailure, at now: Instant) {
        underWay -= 1
        failure = Self.clearer(failure, reason)
        nextStart = now
    }

    /// A name was looked up.
    package mutating func found(_ endpoints: [Endpoint]) {
        lookups -= 1
        add(endpoints)
    }

    /// A name has no address.
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

    /// What is known about the right node says more than what is known about a network.
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
