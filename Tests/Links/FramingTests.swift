import PotluckCore
import Testing

@testable import PotluckNet

/// Messages to frames and back, without a socket.
@Suite struct FramingTests {
    @Test func everyMessageArrivesWholeAndInItsLanesOrder() throws {
        for seed in 0..<10 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var wire = Wire(seed: seed)
            // The first byte of a message is its lane, so that the arrivals can be told apart.
            var sent = [[LinkLane: [[UInt8]]]](repeating: [.control: [], .bulk: []], count: 2)
            for _ in 0..<60 {
                let end = Int(generator.next(below: 2))
                let lane = generator.next(below: 2) == 0 ? LinkLane.control : .bulk
                let size = Int(generator.next(below: generator.next(below: 3) == 0 ? 40_000 : 100)) + 1
                var message = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                message[0] = lane.rawValue
                _ = wire.ends[end].send(message, lane: lane, reliability: .reliable)
                sent[end][lane]?.append(message)
                for _ in 0..<generator.next(below: 4) {
                    _ = wire.fill(end)
                    try wire.deliver(from: Int(generator.next(below: 2)))
                }
            }
            try wire.exchange()
            for end in 0...1 {
                let messages = wire.messages(at: end)
                for lane in LinkLane.allCases {
                    #expect(messages.filter { $0[0] == lane.rawValue } == sent[1 - end][lane])
                }
            }
        }
    }

    /// However much bulk is queued, a control message is in the next record.
    @Test func controlOvertakesBulk() throws {
        var wire = Wire(seed: 1)
        _ = wire.ends[0].send([UInt8](repeating: 0, count: 40 << 20), lane: .bulk, reliability: .reliable)
        for _ in 0..<1000 {
            _ = Wire.record(of: &wire.ends[0])
            _ = wire.ends[0].send([1, 2, 3], lane: .control, reliability: .reliable)
            let record = Wire.record(of: &wire.ends[0])
            #expect(record.starts(with: frame(0, [1, 2, 3], flags: 1)))
        }
    }

    /// Messages that the peer does not accept stay in the queue. At most one window per lane is in flight.
    @Test func aPeerThatNeverReadsCostsAWindow() throws {
        var core = LinkCore(at: .start, asksFirst: true)
        let message = [UInt8](repeating: 0, count: LinkLimits.controlMessage)
        var underWay = 0
        var outcome = Sending.waits
        var waiting = 0
        while outcome == .waits {
            outcome = core.send(message, lane: .control, reliability: .reliable)
            if outcome == .waits { waiting += message.count }
            let record = Wire.record(of: &core)
            underWay += record.count
        }
        #expect(outcome == .overfull)
        #expect(underWay <= LinkLimits.window)
        #expect(waiting <= LinkLimits.controlBacklog + LinkLimits.window)
    }

    @Test func aHeldLinkGivesNoCreditUntilItIsLetGo() throws {
        var wire = Wire(seed: 3)
        wire.ends[1].isHeld = true
        let message = [UInt8](repeating: 9, count: 1 << 20)
        _ = wire.ends[0].send(message, lane: .bulk, reliability: .reliable)
        try wire.exchange()
        #expect(wire.messages(at: 1).isEmpty)
        let waiting = wire.ends[0].outflow.waiting
        #expect(waiting >= message.count - LinkLimits.window && waiting < message.count)
        // The control lane has its own window.
        _ = wire.ends[0].send([5], lane: .control, reliability: .reliable)
        try wire.exchange()
        #expect(wire.messages(at: 1) == [[5]])
        wire.ends[1].isHeld = false
        wire.ends[1].returnCredit()
        try wire.exchange()
        #expect(wire.messages(at: 1) == [[5], message])
    }

    @Test func anUnreliableMessageNeverWaits() throws {
        for lane in LinkLane.allCases {
            var wire = Wire(seed: 4)
            wire.ends[1].isHeld = true
            var waits = 0
            for _ in 0..<1000 {
                let message = [UInt8](repeating: 0, count: 1000)
                if wire.ends[0].send(message, lane: lane, reliability: .unreliable) == .waits { waits += 1 }
                try wire.exchange()
            }
            #expect(waits > 250 && waits * 1004 <= LinkLimits.window)
            #expect(wire.messages(at: 1).count == waits)
            wire.ends[1].isHeld = false
            wire.ends[1].returnCredit()
            try wire.exchange()
            let first = wire.ends[0].send([1], lane: lane, reliability: .unreliable)
            // Behind another message it would have to wait.
            let second = wire.ends[0].send([2], lane: lane, reliability: .unreliable)
            #expect(first == .waits && second == .dropped)
        }
    }

    @Test func aSenderIsToldWhenItMayContinue() throws {
        var wire = Wire(seed: 5)
        _ = wire.ends[0].send([UInt8](repeating: 0, count: LinkLimits.highWater), lane: .bulk, reliability: .reliable)
        var told = [wire.ends[0].takeDrained()]
        _ = wire.ends[0].send([0], lane: .bulk, reliability: .reliable)
        told.append(wire.ends[0].takeDrained())
        try wire.exchange()
        told.append(wire.ends[0].takeDrained())
        told.append(wire.ends[0].takeDrained())
        #expect(told == [false, false, true, false])
    }

    /// The bytes on the wire, as docs/PROTOCOL.md shows them.
    @Test func goldenFrames() throws {
        var core = LinkCore(at: .start, asksFirst: true)
        _ = core.send([0xaa, 0xbb], lane: .control, reliability: .reliable)
        _ = core.send([0xcc], lane: .bulk, reliability: .reliable)
        core.end(.leaving)
        _ = try core.receive(frame(3, [1, 2, 3, 4, 5, 6, 7, 8]))
        let expected = "0800040001020304050607080200 0001 aabb 01000101cc 01000500 00".filter { $0 != " " }
        #expect(Wire.record(of: &core).hexadecimal == expected)

        var spender = LinkCore(at: .start, asksFirst: true)
        for _ in 0..<5 { _ = try spender.receive(frame(1, [UInt8](repeating: 0, count: 16_380))) }
        spender.returnCredit()
        #expect(Wire.record(of: &spender).hexadecimal == "080002000000000000400100")
    }

    /// Frames of a later version.
    @Test func unknownFramesAndLongerBodiesAreSkipped() throws {
        var core = LinkCore(at: .start, asksFirst: true)
        let news = try core.receive(
            frame(77, [1, 2, 3]) + frame(200, []) + frame(3, [UInt8](repeating: 1, count: 20))
                + frame(0, [4], flags: 0xff) + frame(5, [9, 9, 9]))
        #expect(news == [.message([4]), .farewell(Farewell(rawValue: 9))])
        #expect(Wire.record(of: &core) == frame(4, [UInt8](repeating: 1, count: 8)))
    }

    @Test(
        arguments: [
            ("a frame of 16381 octets, more than 16380", [0xfd, 0x3f, 0, 0]),
            ("an empty message frame", [0, 0, 1, 0]),
            ("a frame of kind 3 that is too short", frame(3, [1])),
            ("a frame of kind 5 that is too short", frame(5, [])),
            ("a credit frame without credit", frame(2, [0, 0, 0, 0, 0, 0, 0, 0])),
            ("more credit than was spent", frame(2, [1, 0, 0, 0, 0, 0, 0, 0])),
            ("more credit than was spent", frame(2, [UInt8](repeating: 0xff, count: 8))),
        ] as [(String, [UInt8])]) func faultsAreNamed(_ what: String, _ octets: [UInt8])
    {
        var core = LinkCore(at: .start, asksFirst: true)
        #expect(throws: LinkError(what: what)) { try core.receive(octets) }
    }

    @Test func floodsAreFaults() {
        let piece = frame(1, [UInt8](repeating: 0, count: 16_380))
        var core = LinkCore(at: .start, asksFirst: true)
        core.isHeld = true
        #expect(throws: LinkError(what: "more bulk data than its credit allows")) {
            for _ in 0...LinkLimits.window / piece.count {
                _ = try core.receive(piece)
                core.returnCredit()
            }
        }
        var asked = LinkCore(at: .start, asksFirst: true)
        #expect(throws: LinkError(what: "too many frames that need no credit")) {
            for _ in 0..<1000 { _ = try asked.receive(frame(3, [UInt8](repeating: 0, count: 8))) }
        }
        var long = LinkCore(at: .start, asksFirst: true)
        #expect(throws: LinkError(what: "a control message of more than 65536 octets")) {
            for _ in 0..<5 { _ = try long.receive(frame(0, [UInt8](repeating: 0, count: 16_380))) }
        }
    }
}
