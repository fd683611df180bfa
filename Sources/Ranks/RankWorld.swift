import PotluckModel

/// The messages between the ranks of a program: which message a receive takes, who waits, and whether anybody can go on.
///
/// It is a value without threads or clocks. After a call, `woken` has the ranks whose waiting ended.
public struct RankWorld: Sendable {
    private var desks: [RankDesk]
    public private(set) var activities: [RankActivity]
    /// What a waiting rank waits for; empty for other ranks.
    private var parked: [Parked]
    /// The ranks that may continue since the last `takeWoken`.
    private var woken: [Int] = []
    /// How many ranks compute.
    private var computing: Int
    /// Bytes of all messages that no rank has taken.
    private var held = 0
    public private(set) var traffic: [RankTraffic]
    public private(set) var checkpoints: RankCheckpoints

    /// The condition under which a rank continues.
    private enum Parked: Sendable {
        case no
        /// One of these requests is complete.
        case requests([Int32])
        /// A message matches.
        case probe(RankPattern)
        case checkpoint
    }

    public init(size: Int) {
        precondition((1...RankLimits.ranks).contains(size))
        desks = Array(repeating: RankDesk(), count: size)
        activities = Array(repeating: .computing, count: size)
        parked = Array(repeating: .no, count: size)
        traffic = Array(repeating: RankTraffic(), count: size)
        computing = size
        checkpoints = RankCheckpoints(size: size)
    }

    public var size: Int { desks.count }

    /// The ranks whose waiting ended since the last call.
    public mutating func takeWoken() -> [Int] {
        guard !woken.isEmpty else { return [] }
        defer { woken.removeAll(keepingCapacity: true) }
        return woken
    }

    // MARK: sending

    /// Sends a message. Returns a request if the sender must wait, or if it `wants` one in any case.
    public mutating func send(
        _ message: RankMessage, to receiver: Int, _ mode: RankSendMode, wantsRequest: Bool = false
    ) throws(RankFault) -> Int32? {
        let (sender, octets) = (message.source, message.octets.count)
        traffic[sender].sent(octets)
        held += message.cost
        guard held <= RankLimits.pending else { throw .pending(rank: sender) }
        if let (number, capacity) = desks[receiver].receiver(of: message) {
            guard octets <= capacity else {
                throw .truncated(rank: receiver, message.status, capacity: capacity)
            }
            traffic[receiver].received(octets)
            desks[receiver].received(number, message)
            completed(receiver, number)
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
            desks[receiver].hold(message, .goesOn)
            if wantsRequest { request = try open(sender, .sent(octets: octets)) }
        }
        if case .probe(let pattern) = parked[receiver], pattern.matches(message) { wake(receiver) }
        return request
    }

    private mutating func open(_ rank: Int, _ request: RankDesk.Request) throws(RankFault) -> Int32 {
        guard let number = desks[rank].open(request) else { throw .tooManyRequests(rank: rank) }
        return number
    }

    /// A request of this rank is complete.
    private mutating func completed(_ rank: Int, _ number: Int32) {
        if case .requests(let numbers) = parked[rank], numbers.contains(number) { wake(rank) }
    }

    // MARK: receiving

    /// What a receive finds.
    public enum Receipt: Sendable {
        case message(RankMessage)
        /// Nothing has come. This request completes when it does.
        case request(Int32)
    }

    /// Takes the first message that matches, or asks for it.
    public mutating func receive(_ rank: Int, _ pattern: RankPattern, capacity: Int) throws(RankFault) -> Receipt {
        if let message = try take(rank, pattern, capacity: capacity) {
            held -= message.cost
            return .message(message)
        }
        return .request(try open(rank, .receiving(pattern, capacity: capacity)))
    }

    /// Asks for a message that matches. Returns the request, which may be complete already.
    public mutating func request(_ rank: Int, _ pattern: RankPattern, capacity: Int) throws(RankFault) -> Int32 {
        if let message = try take(rank, pattern, capacity: capacity) { return try open(rank, .received(message)) }
        return try open(rank, .receiving(pattern, capacity: capacity))
    }

    private mutating func take(
        _ rank: Int, _ pattern: RankPattern, capacity: Int
    ) throws(RankFault) -> RankMessage? {
        guard let found = desks[rank].take(pattern) else { return nil }
        let message = found.message
        guard message.octets.count <= capacity else {
            throw .truncated(rank: rank, message.status, capacity: capacity)
        }
        traffic[rank].received(message.octets.count)
        switch found.sender {
        case .goesOn: break
        case .waits(let sender), .waitsForRoom(let sender): sent(sender, octets: message.octets.count)
        }
        for (sender, octets) in desks[rank].giveRoom() { sent(sender, octets: octets) }
        return message
    }

    /// A request that waited to send is complete.
    private mutating func sent(_ sender: RankDesk.RequestName, octets: Int) {
        desks[sender.rank].sent(sender.number, octets: octets)
        completed(sender.rank, sender.number)
    }

    /// The first message that matches, which stays where it is.
    public func probe(_ rank: Int, _ pattern: RankPattern) -> RankStatus? { desks[rank].find(pattern)?.status }

    // MARK: requests

    /// What a request that is complete brings.
    public enum Completion: Sendable {
        case sent(octets: Int)
        case received(RankMessage)
    }

    /// Takes what a request brings, and closes it; nil if it is not complete. Throws if there is no such request.
    public mutating func complete(
        _ rank: Int, _ number: Int32, call: String = "wait"
    ) throws(RankFault) -> Completion? {
        guard desks[rank].requests[number] != nil else {
            throw .argument(rank: rank, call: call, .request, Int(number))
        }
        switch desks[rank].close(number) {
        case .sent(let octets): return .sent(octets: octets)
        case .received(let message):
            held -= message.cost
            return .received(message)
        case .sending, .receiving, nil: return nil
        }
    }

    // MARK: waiting

    /// The rank waits until one of the requests is complete. Returns false if one is.
    public mutating func park(_ rank: Int, on requests: [Int32], at now: Instant) throws(RankFault) -> Bool {
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
    public mutating func park(_ rank: Int, until pattern: RankPattern, at now: Instant) throws(RankFault) -> Bool {
        guard desks[rank].find(pattern) == nil else { return false }
        try park(rank, .probe(pattern), .message(pattern), now)
        return true
    }

    private func cause(_ rank: Int, _ number: Int32) -> RankActivity.Cause? {
        switch desks[rank].requests[number] {
        case .sending(let receiver): .receiver(receiver)
        case .receiving(let pattern, _): .message(pattern)
        case .sent, .received, nil: nil
        }
    }

    private mutating func park(
        _ rank: Int, _ condition: Parked, _ cause: RankActivity.Cause, _ now: Instant
    ) throws(RankFault) {
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
    public mutating func end(_ rank: Int) throws(RankFault) {
        precondition(activities[rank] == .computing)
        activities[rank] = .ended
        computing -= 1
        try findDeadlock()
    }

    /// Throws if ranks wait and none computes. Nobody is left who could send or receive what they wait for.
    private func findDeadlock() throws(RankFault) {
        guard computing == 0 else { return }
        let waits = activities.enumerated().compactMap { rank, activity in
            if case .waiting(let cause, _) = activity {
                RankWait(rank: rank, cause: cause, ended: ended(of: cause))
            } else {
                nil
            }
        }
        if !waits.isEmpty { throw .deadlock(waits) }
    }

    /// A rank without which the wait cannot end, and which has ended; nil if there is none.
    private func ended(of cause: RankActivity.Cause) -> Int? {
        if cause == .checkpoint { return activities.firstIndex(of: .ended) }
        return cause.rank.flatMap { activities[$0] == .ended ? $0 : nil }
    }

    // MARK: checkpoints

    /// The rank brings its state to a checkpoint. Returns true if it must wait for others; the last one wakes all.
    public mutating func checkpoint(_ rank: Int, _ state: [UInt8], at now: Instant) throws(RankFault) -> Bool {
        if checkpoints.isLast(rank) {
            for other in desks.indices {
                let (messages, requests) = (desks[other].waitingCount, desks[other].requests.count)
                guard messages == 0, requests == 0 else {
                    throw .openAtCheckpoint(rank: other, messages: messages, requests: requests)
                }
            }
            checkpoints.bring(state, of: rank)
            for other in desks.indices where other != rank {
                if case .checkpoint = parked[other] { wake(other) }
            }
            return false
        }
        checkpoints.bring(state, of: rank)
        try park(rank, .checkpoint, .checkpoint, now)
        return true
    }
}
