import PotluckCore

/// The messages between the ranks of a program: which message a receive takes, which ranks wait, and whether any rank
/// can continue.
///
/// It is a value without threads or clocks. After a call, `takeWoken` has the ranks whose waiting ended. A program's ranks
/// may be on several nodes, each of which has a world with ranks of its own. Their worlds send each other letters; those
/// of this one are in `takeLetters`.
public struct RankWorld: Sendable {
    var desks: [RankDesk]
    /// The activities of the ranks of this node. Ranks of other nodes count as computing.
    public private(set) var activities: [RankActivity]
    /// What a waiting rank waits for; empty for other ranks.
    private var parked: [Parked]
    /// The ranks that may continue since the last `takeWoken`.
    private var woken: [Int] = []
    /// How many ranks of this node compute.
    private var computing: Int
    /// Bytes of all messages here that no rank has taken.
    package internal(set) var held = 0
    public internal(set) var traffic: [RankTraffic]
    public private(set) var checkpoints: RankCheckpoints
    /// Where the ranks are.
    public let map: RankMap
    var post: RankPost
    /// Whether a `RankLead` finds deadlocks and keeps the states of checkpoints. Otherwise this world does.
    private let isLed: Bool
    /// Whether nothing has changed since the last `takeReport`.
    var isReported = false

    /// The condition under which a rank continues.
    private enum Parked: Sendable {
        case no
        /// One of these requests is complete.
        case requests([Int32])
        /// A message matches.
        case probe(RankPattern)
        case checkpoint
    }

    /// The ranks of a program that nobody leads: all are here.
    public init(size: Int, rooms: RankRooms = RankRooms()) {
        self.init(RankMap(size: size), node: 0, rooms, isLed: false)
    }

    /// The ranks of one of the nodes of a program that a `RankLead` leads. All nodes have the same `rooms`.
    public init(_ map: RankMap, node: Int, rooms: RankRooms = RankRooms()) {
        self.init(map, node: node, rooms, isLed: true)
    }

    private init(_ map: RankMap, node: Int, _ rooms: RankRooms, isLed: Bool) {
        precondition((1...RankLimits.ranks).contains(map.size))
        (self.map, self.isLed) = (map, isLed)
        desks = Array(repeating: RankDesk(room: rooms.room), count: map.size)
        activities = Array(repeating: .computing, count: map.size)
        parked = Array(repeating: .no, count: map.size)
        traffic = Array(repeating: RankTraffic(), count: map.size)
        computing = map.ranks(of: node).count
        checkpoints = RankCheckpoints(size: map.size)
        post = RankPost(own: node, map, rooms)
    }

    public var size: Int { map.size }
    /// The ranks of this node.
    public var own: [Int] { map.ranks(of: post.own) }
    /// Whether no rank of this node computes. Only a letter can change that.
    public var isQuiet: Bool { computing == 0 }

    func isOwn(_ rank: Int) -> Bool { map.isOn(post.own, rank) }

    /// The ranks whose waiting ended since the last call.
    public mutating func takeWoken() -> [Int] {
        guard !woken.isEmpty else { return [] }
        defer { woken.removeAll(keepingCapacity: true) }
        return woken
    }

    /// The letters to other nodes since the last call, in their order.
    public mutating func takeLetters() -> [(node: Int, letter: RankLetter)] { post.take() }

    // MARK: sending

    /// Sends a message. Returns a request if the sender must wait, or if it `wants` one in any case.
    public mutating func send(
        _ message: RankMessage, to receiver: Int, _ mode: RankSendMode, wantsRequest: Bool = false
    ) throws(RankError) -> Int32? {
        let (sender, octets) = (message.source, message.octets.count)
        traffic[sender].sent(octets)
        guard isOwn(receiver) else { return try sendAway(message, to: receiver, mode, wantsRequest) }
        try hold(message.envelope)
        if let (number, capacity) = desks[receiver].receiver(of: message.envelope) {
            try fits(message.envelope, capacity, receiver)
            received(receiver, number, message)
            return wantsRequest ? try open(sender, .sent(octets: octets)) : nil
        }
        let waits = mode == .synchronous || mode == .standard && !desks[receiver].hasRoom
        var request: Int32?
        if waits {
            let number = try open(sender, .sending(receiver))
            let name = RankDesk.RequestName(rank: sender, number: number)
            desks[receiver].hold(message, mode == .synchronous ? .waits(name) : .waitsForRoom(name))
            request = number
        } else {
            desks[receiver].hold(message, .continues)
            if wantsRequest { request = try open(sender, .sent(octets: octets)) }
        }
        came(receiver, message.envelope)
        return request
    }

    /// Counts the bytes of a message of a rank of this node, which no rank has taken yet.
    mutating func hold(_ envelope: RankEnvelope) throws(RankError) {
        held += envelope.cost
        guard held <= RankLimits.pending else { throw .pending(rank: envelope.source) }
    }

    /// Throws if a message is longer than the place for it.
    func fits(_ envelope: RankEnvelope, _ capacity: Int, _ receiver: Int) throws(RankError) {
        guard envelope.octets <= capacity else {
            throw .truncated(rank: receiver, envelope.status, capacity: capacity)
        }
    }

    /// A message has come for which no receive has asked.
    mutating func came(_ receiver: Int, _ envelope: RankEnvelope) {
        if case .probe(let pattern) = parked[receiver], pattern.matches(envelope) { wake(receiver) }
    }

    /// Completes a request with its message.
    mutating func received(_ receiver: Int, _ number: Int32, _ message: RankMessage) {
        traffic[receiver].received(message.octets.count)
        desks[receiver].received(number, message)
        completed(receiver, number)
    }

    mutating func open(_ rank: Int, _ request: RankDesk.Request) throws(RankError) -> Int32 {
        guard let number = desks[rank].open(request) else { throw .tooManyRequests(rank: rank) }
        return number
    }

    /// A request of this rank is complete.
    mutating func completed(_ rank: Int, _ number: Int32) {
        if case .requests(let numbers) = parked[rank], numbers.contains(number) { wake(rank) }
    }

    // MARK: receiving

    /// The outcome of a receive.
    public enum Receipt: Sendable {
        case message(RankMessage)
        /// Nothing has come. This request completes when it does.
        case request(Int32)
    }

    /// Takes the first message that matches, or asks for it.
    public mutating func receive(_ rank: Int, _ pattern: RankPattern, capacity: Int) throws(RankError) -> Receipt {
        switch try take(rank, pattern, capacity: capacity) {
        case .whole(let message):
            held -= message.cost
            return .message(message)
        case .arriving(let envelope): return .request(try open(rank, .arriving(envelope)))
        case nil: return .request(try open(rank, .receiving(pattern, capacity: capacity)))
        }
    }

    /// Asks for a message that matches. Returns the request, which may be complete already.
    public mutating func request(_ rank: Int, _ pattern: RankPattern, capacity: Int) throws(RankError) -> Int32 {
        switch try take(rank, pattern, capacity: capacity) {
        case .whole(let message): try open(rank, .received(message))
        case .arriving(let envelope): try open(rank, .arriving(envelope))
        case nil: try open(rank, .receiving(pattern, capacity: capacity))
        }
    }

    /// A message that a receive takes.
    private enum Taken {
        case whole(RankMessage)
        /// Its bytes are on their way.
        case arriving(RankEnvelope)
    }

    private mutating func take(_ rank: Int, _ pattern: RankPattern, capacity: Int) throws(RankError) -> Taken? {
        guard let found = desks[rank].take(pattern) else { return nil }
        let envelope = found.envelope
        try fits(envelope, capacity, rank)
        switch found.sender {
        case .continues, .brings: break
        case .waits(let sender), .waitsForRoom(let sender): sent(sender.rank, sender.number, octets: envelope.octets)
        case .elsewhere:
            answer(envelope, found.sender)
            post.leaves(envelope, rank)
        case .offers: answer(envelope, found.sender)
        }
        for (envelope, sender) in desks[rank].giveRoom() {
            if case .waitsForRoom(let name) = sender {
                sent(name.rank, name.number, octets: envelope.octets)
            } else {
                answer(envelope, sender)
            }
        }
        guard let octets = found.octets else { return .arriving(envelope) }
        traffic[rank].received(octets.count)
        return .whole(envelope.message(octets))
    }

    /// A request that waited to send is complete.
    mutating func sent(_ rank: Int, _ number: Int32, octets: Int) {
        desks[rank].sent(number, octets: octets)
        completed(rank, number)
    }

    /// The first message that matches, which stays where it is.
    public func probe(_ rank: Int, _ pattern: RankPattern) -> RankStatus? { desks[rank].find(pattern)?.status }

    // MARK: requests

    /// The outcome of a request.
    public enum Completion: Sendable {
        case sent(octets: Int)
        case received(RankMessage)
    }

    /// Takes the outcome of a request, and closes it; nil if it is not complete. Throws if there is no such request.
    public mutating func complete(
        _ rank: Int, _ number: Int32, call: String = "wait"
    ) throws(RankError) -> Completion? {
        guard desks[rank].requests[number] != nil else {
            throw .argument(rank: rank, call: call, .request, Int(number))
        }
        switch desks[rank].close(number) {
        case .sent(let octets): return .sent(octets: octets)
        case .received(let message):
            held -= message.cost
            return .received(message)
        case .sending, .receiving, .arriving, nil: return nil
        }
    }

    // MARK: waiting

    /// The rank waits until one of the requests is complete. Returns false if one is.
    public mutating func park(_ rank: Int, on requests: [Int32], at now: Instant) throws(RankError) -> Bool {
        guard !requests.contains(where: { desks[rank].isComplete($0) }) else { return false }
        guard let first = requests.first, let cause = cause(rank, first) else {
            throw .argument(rank: rank, call: "wait", .request, Int(requests.first ?? 0))
        }
        for other in requests.dropFirst() where desks[rank].requests[other] == nil {
            throw .argument(rank: rank, call: "wait", .request, Int(other))
        }
        try park(rank, .requests(requests), requests.count == 1 ? cause : .requests(requests.count, first: cause), now)
        return true
    }

    /// The rank waits until a message matches. Returns false if one does.
    public mutating func park(_ rank: Int, until pattern: RankPattern, at now: Instant) throws(RankError) -> Bool {
        guard desks[rank].find(pattern) == nil else { return false }
        try park(rank, .probe(pattern), .message(pattern), now)
        return true
    }

    private func cause(_ rank: Int, _ number: Int32) -> RankActivity.Cause? {
        switch desks[rank].requests[number] {
        case .sending(let receiver): .receiver(receiver)
        case .receiving(let pattern, _): .message(pattern)
        case .arriving(let envelope):
            .message(RankPattern(source: envelope.source, tag: envelope.tag, context: envelope.context))
        case .sent, .received, nil: nil
        }
    }

    private mutating func park(
        _ rank: Int, _ condition: Parked, _ cause: RankActivity.Cause, _ now: Instant
    ) throws(RankError) {
        precondition(activities[rank] == .computing)
        parked[rank] = condition
        activities[rank] = .waiting(cause, since: now)
        computing -= 1
        try findDeadlock()
    }

    private mutating func wake(_ rank: Int) {
        precondition(activities[rank] != .computing && activities[rank] != .ended)
        parked[rank] = .no
        activities[rank] = .computing
        computing += 1
        woken.append(rank)
    }

    /// The rank's program has ended.
    public mutating func end(_ rank: Int) throws(RankError) {
        precondition(activities[rank] == .computing)
        activities[rank] = .ended
        computing -= 1
        try findDeadlock()
    }

    /// Throws if ranks wait and none computes: no rank is left to send or receive their messages.
    private func findDeadlock() throws(RankError) {
        guard !isLed, computing == 0 else { return }
        let waits = RankWait.all(activities)
        if !waits.isEmpty { throw .deadlock(waits) }
    }

    // MARK: checkpoints

    /// The rank brings its state to a checkpoint. Returns true if it must wait for others; the last one wakes all. In a
    /// program that is led, all wait, and `RankLead` keeps the states.
    public mutating func checkpoint(_ rank: Int, _ state: [UInt8], at now: Instant) throws(RankError) -> Bool {
        if !isLed {
            if checkpoints.isLast(rank) {
                if let open = openThings { throw open }
                checkpoints.bring(state, of: rank)
                checkpoints.pass()
                wakeFromCheckpoint()
                return false
            }
            checkpoints.bring(state, of: rank)
        }
        try park(rank, .checkpoint, .checkpoint, now)
        return true
    }

    /// All ranks of all nodes are at a checkpoint, so those of this node continue.
    public mutating func passCheckpoint() throws(RankError) {
        guard own.allSatisfy({ activities[$0].isAtCheckpoint }) else { throw .misfit }
        isReported = false
        checkpoints.pass()
        wakeFromCheckpoint()
    }

    private mutating func wakeFromCheckpoint() {
        for rank in desks.indices { if case .checkpoint = parked[rank] { wake(rank) } }
    }

    /// The fault of messages or requests that are open at a checkpoint; nil if there are none. An offer is open at its
    /// receiver.
    var openThings: RankError? {
        for rank in own {
            let (messages, requests) = (desks[rank].waitingCount, desks[rank].requests.count)
            if messages > 0 || requests > 0 {
                return .openAtCheckpoint(rank: rank, messages: messages, requests: requests)
            }
        }
        return nil
    }
}
