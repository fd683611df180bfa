import PotluckCore
import PotluckKit
import Testing

@testable import PotluckRanks

@Suite struct RankLeadTests {
    /// Ranks 0 and 2 on node 0, and rank 1 on node 1.
    private static let places = [0, 1, 0]

    private static func lead(isRunning: Bool = true) throws -> RankLead {
        var lead = RankLead(try #require(RankMap(places)))
        if isRunning { for node in 0..<2 { _ = lead.ready(node) } }
        return lead
    }

    /// A report of a node with ranks that all stand like this.
    private static func report(
        _ node: Int, _ standing: RankReport.Standing, sent: [Int] = [0, 0], received: [Int] = [0, 0],
        open: RankReport.Open? = nil
    ) -> RankReport {
        let count = places.count { $0 == node }
        return RankReport(
            standings: Array(repeating: standing, count: count), sent: sent, received: received, open: open)
    }

    private static let message = RankReport.Standing.waits(.message(.init(source: 1, tag: nil, context: 0)))

    @Test(arguments: 0..<50 as Range<UInt64>) func aProgramBeginsOnceWhenAllNodesAreReady(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let nodes = 1 + random.below(6)
        var lead = RankLead(try #require(RankMap(Array(0..<nodes))))
        var missing = Set(0..<nodes)
        var begins = 0
        for _ in 0..<60 {
            #expect(lead.unready == missing)
            let node = random.below(nodes)
            missing.remove(node)
            let decision = lead.ready(node)
            #expect(decision == (missing.isEmpty && begins == 0 ? .begin : nil))
            begins += decision == nil ? 0 : 1
        }
        #expect(begins == 1)
    }

    @Test func aLetterOnItsWayMayWakeARank() throws {
        for isLost in [false, true] {
            var lead = try Self.lead()
            #expect(lead.report(Self.report(0, Self.message, sent: [0, 3]), from: 0) == nil)
            let received = isLost ? 2 : 3
            let decision = lead.report(Self.report(1, .ended, received: [received, 0]), from: 1)
            if isLost {
                #expect(decision == nil && !lead.isOver)
                // It comes, and nothing follows from it.
                #expect(lead.report(Self.report(1, .ended, received: [3, 0]), from: 1) != nil)
            } else {
                guard case .end(.deadlock(let waits))? = decision else {
                    Issue.record("\(String(describing: decision))")
                    return
                }
                #expect(waits.map(\.rank) == [0, 2] && waits.allSatisfy { $0.ended == 1 })
            }
        }
    }

    /// The states of a checkpoint count when all are there and nothing is open.
    @Test(arguments: [false, true]) func aCheckpointIsKeptWhenItIsPassed(isOpen: Bool) throws {
        var lead = try Self.lead()
        let states: [[UInt8]] = [[1], [2], [3]]
        for rank in 0..<3 {
            #expect(lead.state(rank, states[rank], from: Self.places[rank]) == nil)
            #expect(lead.checkpoints.last == nil && lead.checkpoints.count == 0)
        }
        let opens = isOpen ? [2, 1].map { RankReport.Open(rank: $0, messages: 4, requests: $0) } : [nil, nil]
        #expect(lead.report(Self.report(0, .waits(.checkpoint), open: opens[0]), from: 0) == nil)
        let decision = lead.report(Self.report(1, .waits(.checkpoint), open: opens[1]), from: 1)
        if isOpen {
            #expect(decision == .end(.openAtCheckpoint(rank: 1, messages: 4, requests: 1)), "the lowest rank is named")
            #expect(lead.checkpoints.last == nil && lead.checkpoints.count == 0)
        } else {
            #expect(decision == .pass)
            #expect(lead.checkpoints.last == states && lead.checkpoints.count == 1)
        }
    }

    /// Whatever the nodes bring, the lead keeps two checkpoints at most, and says why the program ends.
    @Test func statesTakeNoMoreThanTheirRoom() throws {
        let limits = RankStateLimits(each: 4 << 20, all: 6 << 20)
        var lead = RankLead(try #require(RankMap(Self.places)), limits)
        for node in 0..<2 { _ = lead.ready(node) }
        for _ in 0..<2 {
            for rank in 0..<3 {
                let state = [UInt8](repeating: 1, count: 2 << 20)
                #expect(lead.state(rank, state, from: Self.places[rank]) == nil)
            }
            #expect(lead.checkpoints.held <= 2 * limits.all)
            _ = lead.report(Self.report(0, .waits(.checkpoint)), from: 0)
            #expect(lead.report(Self.report(1, .waits(.checkpoint)), from: 1) == .pass)
        }
        #expect(lead.state(0, [UInt8](repeating: 1, count: 4 << 20), from: 0) == nil)
        let decision = lead.state(1, [UInt8](repeating: 1, count: 3 << 20), from: 1)
        guard case .end(.ended(let why, _)?)? = decision else {
            Issue.record("\(String(describing: decision))")
            return
        }
        #expect(why.hasPrefix("the ranks keep more than 6 MiB at a checkpoint"))
        var other = RankLead(try #require(RankMap(Self.places)), limits)
        for node in 0..<2 { _ = other.ready(node) }
        #expect(other.state(0, [UInt8](repeating: 1, count: 5 << 20), from: 0) == .end(.misfit), "more than its memory")
    }

    /// A program that never begins again keeps no states.
    @Test func statesThatNobodyNeedsAreNotKept() throws {
        var lead = RankLead(
            try #require(RankMap(Self.places)), RankStateLimits(each: 1 << 20, all: 1 << 20, areKept: false))
        for node in 0..<2 { _ = lead.ready(node) }
        for rank in 0..<3 {
            #expect(lead.state(rank, [UInt8](repeating: 1, count: 1 << 20), from: Self.places[rank]) == nil)
        }
        _ = lead.report(Self.report(0, .waits(.checkpoint)), from: 0)
        #expect(lead.report(Self.report(1, .waits(.checkpoint)), from: 1) == .pass)
        #expect(lead.checkpoints.held == 0 && lead.checkpoints.count == 1)
    }

    /// After a checkpoint one node continues, and sends to one that has not yet heard that the checkpoint is over. Its
    /// report is not about the time after.
    @Test func aLateReportIsNoDeadlock() throws {
        var lead = try Self.lead()
        for rank in 0..<3 { _ = lead.state(rank, [], from: Self.places[rank]) }
        _ = lead.report(Self.report(0, .waits(.checkpoint)), from: 0)
        #expect(lead.report(Self.report(1, .waits(.checkpoint)), from: 1) == .pass)
        #expect(lead.report(Self.report(1, .waits(.checkpoint), received: [1, 0]), from: 1) == nil)
        #expect(lead.report(Self.report(0, Self.message, sent: [0, 1]), from: 0) == nil)
        #expect(lead.report(Self.report(0, .ended, sent: [0, 1]), from: 0) == nil)
        #expect(lead.report(Self.report(1, .ended, received: [1, 0]), from: 1) == .end(nil))
    }

    @Test func nothingIsDecidedAfterTheEnd() throws {
        var lead = try Self.lead()
        #expect(lead.end(.stopped) == .end(.stopped) && lead.isOver)
        #expect(lead.end(.misfit) == nil && lead.ready(0) == nil && lead.state(0, [], from: 0) == nil)
        for node in 0..<2 { #expect(lead.report(Self.report(node, .ended), from: node) == nil) }
    }

    @Test func anImpossibleReportEndsTheProgram() throws {
        let plain = Self.report(0, .ended)
        let causes: [RankActivity.Cause] = [
            .receiver(3), .receiver(-1), .message(.init(source: .max, tag: nil, context: 0)),
            .requests(1, first: .receiver(0)), .requests(.min, first: .receiver(0)), .requests(2, first: .receiver(3)),
            .requests(2, first: .message(.init(source: -1, tag: nil, context: 0))), .requests(2, first: .checkpoint),
            .requests(2, first: .requests(2, first: .receiver(0))),
            .requests(RankLimits.requests + 1, first: .receiver(0)),
        ]
        let reports =
            causes.map { Self.report(0, .waits($0)) } + [
                Self.report(1, .ended), Self.report(0, .ended, sent: []), Self.report(0, .ended, received: [0]),
                Self.report(0, .ended, open: .init(rank: 1, messages: 0, requests: 0)),
                Self.report(0, .ended, open: .init(rank: 0, messages: -1, requests: 0)),
            ]
        for report in reports {
            var lead = try Self.lead()
            #expect(lead.report(report, from: 0) == .end(.misfit), "\(report)")
        }
        for node in [-1, 2, .max] {
            var lead = try Self.lead()
            #expect(lead.report(plain, from: node) == .end(.misfit))
            lead = try Self.lead()
            #expect(lead.state(0, [], from: node) == .end(.misfit))
        }
        var lead = try Self.lead()
        #expect(lead.state(1, [], from: 0) == .end(.misfit), "another node's rank")
        lead = try Self.lead()
        #expect(lead.state(0, [], from: 0) == nil)
        #expect(lead.state(0, [], from: 0) == .end(.misfit), "a second state")
    }
}
