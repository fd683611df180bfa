import PotluckCore
import PotluckKit
import Testing

@testable import PotluckRanks

/// Which ranks wait, which are woken, and when none can continue.
@Suite struct WaitingTests {
    /// A rank waits exactly as long as what it waits for has not come, and a deadlock is found exactly when all ranks
    /// wait or have ended.
    @Test(arguments: 0..<300 as Range<UInt64>) func waitingEndsWhenItCan(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let size = 2 + random.below(5)
        var world = RankWorld(size: size)
        var left = (0..<size).map { _ in 1 + random.below(8) }
        var parked: [Int: Int32] = [:]
        var ended: Set<Int> = []
        do throws(RankError) {
            while ended.count < size {
                let free = (0..<size).filter { parked[$0] == nil && !ended.contains($0) }
                guard !free.isEmpty else {
                    Issue.record("all ranks wait, and nobody said so")
                    return
                }
                let rank = free[random.below(free.count)]
                guard left[rank] > 0 else {
                    ended.insert(rank)
                    try world.end(rank)
                    continue
                }
                left[rank] -= 1
                let other = random.below(size)
                if random.chance(0.5) {
                    let message = RankMessage(source: rank, tag: 0, context: 0, octets: [])
                    let mode = random.chance(0.3) ? RankSendMode.synchronous : .standard
                    if let request = try world.send(message, to: other, mode),
                        try world.park(rank, on: [request], at: .start)
                    {
                        parked[rank] = request
                    }
                } else {
                    let pattern = RankPattern(source: random.chance(0.5) ? nil : other, tag: nil, context: 0)
                    if case .request(let request) = try world.receive(rank, pattern, capacity: 0),
                        try world.park(rank, on: [request], at: .start)
                    {
                        parked[rank] = request
                    }
                }
                for woken in world.takeWoken() {
                    guard let request = parked.removeValue(forKey: woken) else {
                        Issue.record("a rank that did not wait is woken")
                        return
                    }
                    let completion = try world.complete(woken, request)
                    #expect(completion != nil, "a rank is woken for nothing")
                }
            }
            #expect(world.activities.allSatisfy { $0 == .ended })
        } catch {
            guard case .deadlock(let waits) = error else { throw error }
            // Those who wait, and the one that waited or ended last.
            #expect(waits.map(\.rank) == (0..<size).filter { world.activities[$0] != .ended })
            #expect(waits.allSatisfy { wait in parked[wait.rank] != nil || waits.count - parked.count == 1 })
        }
    }

    @Test func aDeadlockNamesTheWaitOfEachRank() throws {
        var world = RankWorld(size: 3)
        let first = try world.request(0, .init(source: 1, tag: 7, context: 0), capacity: 0)
        #expect(try world.park(0, on: [first], at: .start))
        let sending = try world.send(.init(source: 1, tag: 0, context: 0, octets: []), to: 2, .synchronous)
        let second = try #require(sending)
        #expect(try world.park(1, on: [second], at: .start))
        let fault = #expect(throws: RankError.self) { try world.end(2) }
        #expect(
            fault?.description
                == "deadlock: no rank can continue; rank 0 waits for a message of rank 1 with tag 7; rank 1 waits until "
                + "rank 2 receives its message (rank 2 has ended)")
    }

    @Test func oneOfSeveralRequestsWakes() throws {
        var world = RankWorld(size: 2)
        let patterns = (0..<3).map { RankPattern(source: 1, tag: $0, context: 0) }
        var requests: [Int32] = []
        for pattern in patterns { requests.append(try world.request(0, pattern, capacity: 0)) }
        #expect(try world.park(0, on: requests, at: .start))
        _ = try world.send(.init(source: 1, tag: 2, context: 0, octets: []), to: 0, .standard)
        #expect(world.takeWoken() == [0])
        #expect(try world.complete(0, requests[0]) == nil)
        #expect(try world.complete(0, requests[2]) != nil)
        // Another one may be complete already.
        _ = try world.send(.init(source: 1, tag: 0, context: 0, octets: []), to: 0, .standard)
        #expect(world.takeWoken().isEmpty)
        #expect(try !world.park(0, on: Array(requests.prefix(2)), at: .start))
    }

    @Test func aProbeWaitsWithoutTaking() throws {
        var world = RankWorld(size: 2)
        let any = RankPattern(source: nil, tag: nil, context: 2)
        #expect(try world.park(0, until: any, at: .start))
        _ = try world.send(.init(source: 1, tag: 0, context: 0, octets: []), to: 0, .standard)
        #expect(world.takeWoken().isEmpty, "another context")
        _ = try world.send(.init(source: 1, tag: 5, context: 2, octets: [9]), to: 0, .standard)
        #expect(world.takeWoken() == [0])
        #expect(world.probe(0, any) == RankStatus(source: 1, tag: 5, octets: 1))
        #expect(world.probe(0, any) != nil)
    }

    // MARK: checkpoints

    @Test func aCheckpointIsCompleteWhenAllHaveBroughtTheirState() throws {
        var world = RankWorld(size: 3)
        for round in 1...2 as ClosedRange<UInt8> {
            #expect(try world.checkpoint(2, [2, round], at: .start))
            #expect(try world.checkpoint(0, [0, round], at: .start))
            #expect(world.checkpoints.count == Int(round) - 1)
            #expect(try !world.checkpoint(1, [1, round], at: .start))
            #expect(world.takeWoken() == [0, 2])
            #expect(world.checkpoints.last == [[0, round], [1, round], [2, round]])
        }
    }

    @Test func nothingMayBeOpenAtACheckpoint() throws {
        var world = RankWorld(size: 2)
        _ = try world.send(.init(source: 0, tag: 0, context: 0, octets: []), to: 1, .standard)
        #expect(try world.checkpoint(0, [], at: .start))
        #expect(throws: RankError.openAtCheckpoint(rank: 1, messages: 1, requests: 0)) {
            try world.checkpoint(1, [], at: .start)
        }
        #expect(world.checkpoints.count == 0 && world.checkpoints.last == nil)
    }
}
