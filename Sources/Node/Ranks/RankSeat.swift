import PotluckCore
import PotluckRanks
import PotluckSystem

/// One rank of a program, as its own thread uses it.
public final class RankSeat: RankHost, @unchecked Sendable {
    // Only the rank's thread uses the mutable state, except for the trace.
    public let rank: Int
    private let room: RankRoom
    private let onLog: @Sendable (RankLine) -> Void
    /// Whether standard sends wait until they are received.
    private let isSynchronous: Bool
    private var sent = 0
    /// Nil if the rank is not traced.
    private let timeline: Guarded<RankTrace>?

    init(
        _ rank: Int, _ room: RankRoom, isTraced: Bool, isSynchronous: Bool,
        onLog: @escaping @Sendable (RankLine) -> Void
    ) {
        (self.rank, self.room, self.onLog) = (rank, room, onLog)
        self.isSynchronous = isSynchronous
        timeline = isTraced ? Guarded(RankTrace(most: RankTrace.most / room.size)) : nil
    }

    /// What the rank did so far; nil if it is not traced.
    var trace: RankTrace? { timeline?.with { $0 } }

    /// The events of the rank since the last call, and the number of all missing ones; nil if there is nothing new.
    func takeNewEvents() -> (parts: [[RankTrace.Event]], dropped: Int)? {
        timeline?.with { $0.takeNew() }
    }

    private func note(_ event: @autoclosure () -> RankTrace.Event) { timeline?.with { $0.add(event()) } }

    /// Notes how to end the rank while it computes.
    public func onStop(_ stopper: @escaping @Sendable () -> Void) { room.note(rank, stopper) }

    public var size: Int { room.size }
    public var seconds: Double { Double((room.now - .start).nanoseconds) / 1e9 }

    public func log(_ octets: [UInt8], isError: Bool = false) throws(RankError) {
        if let fault = room.fault { throw fault }
        var lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The end of the last line is no line.
        if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines { onLog(RankLine(rank: rank, Array(line), isError: isError)) }
    }

    public func abort(_ code: Int) throws(RankError) { throw .aborted(rank: rank, code: code) }

    // MARK: messages

    public func send(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) throws(RankError) {
        let message = numbered(message, receiver)
        let request = try room.with { (world) throws(RankError) in try world.send(message, to: receiver, own(mode)) }
        if let request { _ = try wait([request]) }
    }

    public func beginSending(
        _ message: RankMessage, to receiver: Int, _ mode: RankSendMode
    ) throws(RankError) -> Int32 {
        let message = numbered(message, receiver)
        let request = try room.with { (world) throws(RankError) in
            try world.send(message, to: receiver, own(mode), wantsRequest: true)
        }
        guard let request else { preconditionFailure("a send that wants a request has one") }
        return request
    }

    private func own(_ mode: RankSendMode) -> RankSendMode { isSynchronous && mode == .standard ? .synchronous : mode }

    private func numbered(_ message: RankMessage, _ receiver: Int) -> RankMessage {
        sent += 1
        note(.sent(message: sent, to: receiver, octets: message.octets.count, at: room.now))
        var numbered = message
        numbered.number = sent
        return numbered
    }

    public func receive(_ pattern: RankPattern, capacity: Int) throws(RankError) -> RankMessage {
        let begin = room.now
        let receipt = try room.with { (world) throws(RankError) in
            let receipt = try world.receive(rank, pattern, capacity: capacity)
            // Nothing has come, so the rank waits.
            if case .request(let request) = receipt { _ = try world.park(rank, on: [request], at: begin) }
            return receipt
        }
        switch receipt {
        case .message(let message):
            received(message)
            return message
        case .request(let request):
            let completion = try wait(.message(pattern), since: begin) { (world) throws(RankError) in
                try world.complete(rank, request)
            }
            guard case .received(let message) = completion else {
                preconditionFailure("a rank is woken when its message has come")
            }
            received(message)
            return message
        }
    }

    public func beginReceiving(_ pattern: RankPattern, capacity: Int) throws(RankError) -> Int32 {
        try room.with { (world) throws(RankError) in try world.request(rank, pattern, capacity: capacity) }
    }

    public func probe(_ pattern: RankPattern, waits: Bool) throws(RankError) -> RankStatus? {
        let begin = room.now
        let (found, parked) = try room.with { (world) throws(RankError) -> (RankStatus?, Bool) in
            if let found = world.probe(rank, pattern) { return (found, false) }
            return (nil, waits ? try world.park(rank, until: pattern, at: begin) : false)
        }
        guard parked else { return found }
        return try wait(.message(pattern), since: begin) { (world) throws(RankError) in world.probe(rank, pattern) }
    }

    public func wait(_ requests: [Int32]) throws(RankError) -> (place: Int, completion: RankWorld.Completion) {
        let begin = room.now
        var (found, cause) = try room.with {
            (world) throws(RankError) -> ((Int, RankWorld.Completion)?, RankActivity.Cause?) in
            if let found = try first(of: requests, &world) { return (found, nil) }
            _ = try world.park(rank, on: requests, at: begin)
            guard case .waiting(let cause, _) = world.activities[rank] else { return (nil, nil) }
            return (nil, cause)
        }
        if let cause {
            found = try wait(cause, since: begin) { (world) throws(RankError) in try first(of: requests, &world) }
        }
        guard let (place, completion) = found else {
            preconditionFailure("a rank is woken when one of its requests is complete")
        }
        if case .received(let message) = completion { received(message) }
        return (place, completion)
    }

    /// The receipt of the first complete request, and its place; nil if none is complete.
    private func first(
        of requests: [Int32], _ world: inout RankWorld
    ) throws(RankError) -> (Int, RankWorld.Completion)? {
        for (place, request) in requests.enumerated() {
            if let completion = try world.complete(rank, request) { return (place, completion) }
        }
        return nil
    }

    public func test(_ request: Int32) throws(RankError) -> RankWorld.Completion? {
        let completion = try room.with { (world) throws(RankError) in
            try world.complete(rank, request, call: "test")
        }
        if case .received(let message) = completion { received(message) }
        return completion
    }

    private func received(_ message: RankMessage) {
        note(.received(message: message.number, from: message.source, at: room.now))
    }

    private func wait<Result>(
        _ cause: RankActivity.Cause, since begin: Instant, _ body: (inout RankWorld) throws(RankError) -> Result
    ) throws(RankError) -> Result {
        let (result, waited) = try room.wait(rank, cause, since: begin, body)
        note(.waited(cause, since: begin, for: waited))
        return result
    }

    // MARK: checkpoints

    public func checkpoint(_ state: [UInt8]) throws(RankError) {
        let begin = room.now
        room.keep(rank, state)
        let waits = try room.with { (world) throws(RankError) in try world.checkpoint(rank, state, at: begin) }
        if waits { try wait(.checkpoint, since: begin) { _ in } }
    }

    public func restored() throws(RankError) -> [UInt8]? { room.restored(rank) }
}
