import PotluckCore
import Testing

@testable import PotluckNet

/// What a node passes on for others.
@Suite struct PassedTests {
    /// If others send more than a peer reads, the one that sends most loses its link. The peer keeps its own, gets the
    /// messages of all others, and can be sent as much as ever.
    @Test(arguments: LinkLane.allCases) func theGreediestSenderLosesItsLink(lane: LinkLane) throws {
        var wire = Wire(seed: 1)
        let (greedy, honest) = (LinkID(1), LinkID(2))
        var expected: [[UInt8]] = []
        for number in 0..<50 as Range<UInt8> {
            let (own, passed) = ([lane.rawValue, number], [2, number])
            let (waits, greedy) = (
                wire.ends[0].send(own, lane: lane, reliability: .reliable),
                wire.ends[0].pass(passed, from: honest, lane: lane)
            )
            #expect(waits == .waits && greedy == nil)
            expected += [own, passed]
        }
        let junk = [UInt8](repeating: 9, count: 4 << 10)
        var ended: LinkID?
        var sent = 0
        while ended == nil {
            ended = wire.ends[0].pass(junk, from: greedy, lane: lane)
            sent += junk.count
        }
        #expect(ended == greedy)
        #expect(sent <= lane.backlogLimit + junk.count)
        let other = wire.ends[0].pass([2, 50], from: honest, lane: lane)
        #expect(other == nil)
        expected.append([2, 50])
        // This node's own messages have all their room.
        var own = 0
        while own + LinkLimits.controlMessage + 100 <= lane.backlogLimit {
            let message = [UInt8](repeating: 7, count: LinkLimits.controlMessage)
            let waits = wire.ends[0].send(message, lane: lane, reliability: .reliable)
            #expect(waits == .waits)
            own += message.count
            if own >= 8 << 20 { break }
        }
        try wire.exchange()
        #expect(wire.messages(at: 1).filter { $0[0] != 7 } == expected)
        #expect(wire.ends[0].outflow.waiting == 0)
    }

    /// A message of one byte takes a hundred times as much, and counts as much.
    @Test func shortMessagesCountAtTheirCost() {
        var core = LinkCore(at: .start, asksFirst: true)
        var count = 0
        while core.pass([1], from: LinkID(1), lane: .control) == nil { count += 1 }
        #expect(count <= LinkLimits.controlBacklog / LinkLimits.messageItself)
        #expect(core.outflow.waiting <= 1)
    }

    /// The first message of the queue is sent whole, even if its sender is cut off: its beginning may be on its way.
    @Test func aBegunMessageIsFinished() throws {
        var wire = Wire(seed: 2)
        let first = [UInt8](repeating: 3, count: 50_000)
        _ = wire.ends[0].pass(first, from: LinkID(1), lane: .bulk)
        _ = wire.fill(0)
        let junk = [UInt8](repeating: 9, count: 1 << 20)
        while wire.ends[0].pass(junk, from: LinkID(1), lane: .bulk) == nil {}
        _ = wire.ends[0].pass([4], from: LinkID(2), lane: .bulk)
        try wire.exchange()
        #expect(wire.messages(at: 1) == [first, [4]])
    }
}
