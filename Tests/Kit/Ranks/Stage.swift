import Dispatch
import Foundation
import PotluckKit

/// Runs ranks on threads, of which one runs at a time: at every call of its port a rank may lose its turn, and the seed
/// decides which rank is next and which message arrives next. Messages between two ranks keep their order. So a run
/// depends only on the seed, and a deadlock is seen at once.
final class Stage: @unchecked Sendable {
    /// How a run ended.
    enum End: Equatable {
        case finished
        case aborted(Int)
        case deadlocked
    }

    struct Message {
        let source: Int
        let tag: Int
        let context: Int
        let bytes: [UInt8]
        /// The request of the sender that completes when a receive matches; nil if none does.
        let request: Int?
    }

    /// A receive that waits for a message.
    struct Posted {
        let request: Int
        let source: Int
        let tag: Int
        let context: Int
        let capacity: Int

        func matches(_ message: Message) -> Bool {
            context == message.context && (source < 0 || source == message.source)
                && (tag < 0 || tag == message.tag)
        }
    }

    /// One rank, and what the host knows of it.
    final class Seat {
        let turn = DispatchSemaphore(value: 0)
        /// Whether the rank can continue; nil if it has finished.
        var isReady: (() -> Bool)? = { true }
        var arrived: [Message] = []
        var posted: [Posted] = []
        /// Requests that are complete, with the bytes of those that received.
        var complete: [Int: (status: Status, bytes: [UInt8])] = [:]
        /// Where a request writes what it received.
        var places: [Int: UnsafeMutableRawBufferPointer] = [:]
        var requests = 0
        var checkpoints: [[UInt8]] = []
    }

    let seats: [Seat]
    /// The states that ranks restore, one of each; nil for a start from nothing.
    let restored: [[UInt8]]?
    private(set) var log: [String] = []
    private(set) var calls = 0
    /// Messages that have not arrived, by sender and receiver; those of one pair in order.
    private var flights: [[Message]]
    /// The pairs that have some.
    private var ways: [Int] = []
    private var random: RandomStream
    private var end: End?
    private let over = DispatchSemaphore(value: 0)

    init(size: Int, seed: UInt64, restored: [[UInt8]]? = nil) {
        seats = (0..<size).map { _ in Seat() }
        flights = [[Message]](repeating: [], count: size * size)
        random = RandomStream(seed: seed, block: UInt64(size), lane: 0)
        self.restored = restored
    }

    /// Runs all ranks until they have finished, or one ends the program. The threads of ranks that cannot finish wait
    /// until the tests end.
    func run(_ rank: @escaping @Sendable (any RankPort) -> Void) -> End {
        for index in seats.indices {
            let thread = Thread { [self] in
                seats[index].turn.wait()
                rank(Port(stage: self, rank: index))
                seats[index].isReady = nil
                pass()
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
        pass()
        over.wait()
        return end ?? .deadlocked
    }

    /// Delivers messages in a random order until it is the turn of a rank that can continue, and wakes that one.
    private func pass() {
        if end != nil { return }
        while true {
            let ready = seats.indices.filter { seats[$0].isReady?() ?? false }
            guard !ready.isEmpty || !ways.isEmpty else {
                return finish(seats.allSatisfy { $0.isReady == nil } ? .finished : .deadlocked)
            }
            let choice = random.below(ready.count + ways.count)
            if choice < ready.count {
                _ = seats[ready[choice]].turn.signal()
                return
            }
            let way = ways[choice - ready.count]
            let message = flights[way].removeFirst()
            if flights[way].isEmpty { ways.remove(at: choice - ready.count) }
            deliver(message, to: way % seats.count)
        }
    }

    private func deliver(_ message: Message, to rank: Int) {
        let seat = seats[rank]
        guard let place = seat.posted.firstIndex(where: { $0.matches(message) }) else {
            return seat.arrived.append(message)
        }
        match(message, with: seat.posted.remove(at: place), on: rank)
    }

    private func match(_ message: Message, with posted: Posted, on rank: Int) {
        if message.bytes.count > posted.capacity {
            log.append("rank \(rank): a message of \(message.bytes.count) bytes is too large")
            return finish(.aborted(1))
        }
        let status = Status(source: message.source, tag: message.tag, bytes: message.bytes.count)
        seats[rank].complete[posted.request] = (status, message.bytes)
        if let request = message.request {
            seats[message.source].complete[request] = (Status(source: -1, tag: -1, bytes: message.bytes.count), [])
        }
    }

    private func finish(_ how: End) {
        guard end == nil else { return }
        end = how
        over.signal()
    }

    // MARK: what the ports of the ranks call, in their turn

    /// Gives up the turn until `isReady`.
    func yield(_ rank: Int, until isReady: @escaping () -> Bool = { true }) {
        calls += 1
        seats[rank].isReady = isReady
        pass()
        seats[rank].turn.wait()
    }

    func write(_ line: String) { log.append(line) }

    func abort(_ code: Int) -> Never {
        finish(.aborted(code))
        while true { DispatchSemaphore(value: 0).wait() }
    }

    func send(_ bytes: UnsafeRawBufferPointer, from rank: Int, to: Int, tag: Int, context: Int, _ mode: SendMode) -> Int
    {
        let seat = seats[rank]
        seat.requests += 1
        let request = seat.requests
        let isSynchronous = mode == .synchronous
        let way = rank * seats.count + to
        if flights[way].isEmpty { ways.append(way) }
        flights[way].append(
            Message(
                source: rank, tag: tag, context: context, bytes: Array(bytes), request: isSynchronous ? request : nil))
        if !isSynchronous { seat.complete[request] = (Status(source: -1, tag: -1, bytes: bytes.count), []) }
        return request
    }

    func post(
        _ place: UnsafeMutableRawBufferPointer, on rank: Int, from source: Int, tag: Int, context: Int
    ) -> Int {
        let seat = seats[rank]
        seat.requests += 1
        let posted = Posted(
            request: seat.requests, source: source, tag: tag, context: context, capacity: place.count)
        seat.places[posted.request] = place
        if let found = seat.arrived.firstIndex(where: posted.matches) {
            match(seat.arrived.remove(at: found), with: posted, on: rank)
        } else {
            seat.posted.append(posted)
        }
        return posted.request
    }

    /// Returns the status of a complete request, copies what it received, and forgets it.
    func take(_ request: Int, of rank: Int) -> Status? {
        guard let (status, bytes) = seats[rank].complete.removeValue(forKey: request) else { return nil }
        if let place = seats[rank].places.removeValue(forKey: request) { place.copyBytes(from: bytes) }
        return status
    }
}
