import Foundation
import PotluckCore
import Testing

@testable import PotluckNet

@Suite struct ChangeFeedTests {
    /// Whatever changes a reader missed, what it reads leads it to the present state.
    @Test(arguments: 1...50 as ClosedRange<UInt64>) func readersOfAnySpeedEndWithTheSameView(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let nodes = (0..<8).map { NodeID(firstOctetsOf: [UInt8](repeating: UInt8($0), count: 16)) }
        var truth: [NodeID: NodeEntry] = [:]
        var view: [NodeID: NodeEntry] = [:]
        var pending = PendingChanges()
        func read() {
            while let change = pending.next() {
                switch change {
                case .appeared(let entry):
                    #expect(view[entry.node] == nil)
                    view[entry.node] = entry
                case .changed(let entry):
                    #expect(view[entry.node] != nil)
                    view[entry.node] = entry
                case .disappeared(let entry, _):
                    #expect(view[entry.node] != nil)
                    view[entry.node] = nil
                }
            }
        }
        for step in 0..<500 {
            let node = nodes[Int(generator.next(below: 8))]
            let entry = ChangeFeedTests.entry(node, since: step)
            if truth[node] == nil {
                pending.add(.appeared(entry))
                truth[node] = entry
            } else if generator.next(below: 2) == 0 {
                pending.add(.changed(entry))
                truth[node] = entry
            } else {
                pending.add(.disappeared(entry, .left))
                truth[node] = nil
            }
            #expect(pending.count <= Set(truth.keys).union(view.keys).count, "never more than a change for each node")
            if generator.next(below: 20) == 0 { read() }
        }
        read()
        #expect(view == truth)
    }

    @Test func aLateReaderFirstHearsOfAllThereIs() async {
        let feed = ChangeFeed()
        let nodes = (0..<3).map { NodeID(firstOctetsOf: [UInt8](repeating: UInt8($0), count: 16)) }
        for node in nodes { feed.publish(.appeared(Self.entry(node, since: 0))) }
        var heard: [NodeChange] = []
        let reader = NodeChanges(feed).makeAsyncIterator()
        feed.publish(.disappeared(Self.entry(nodes[1], since: 0), .left))
        feed.finish()
        while let change = await reader.next() { heard.append(change) }
        #expect(heard == [.appeared(Self.entry(nodes[0], since: 0)), .appeared(Self.entry(nodes[2], since: 0))])
    }

    @Test func aReaderThatIsCancelledEnds() async {
        let feed = ChangeFeed()
        let task = Task {
            for await _ in NodeChanges(feed) {}
            return true
        }
        task.cancel()
        #expect(await task.value)
    }

    @Test func aWaitingReaderIsWoken() async {
        let feed = ChangeFeed()
        let entry = Self.entry(NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16)), since: 0)
        let task = Task { await NodeChanges(feed).makeAsyncIterator().next() }
        await Task.yield()
        feed.publish(.appeared(entry))
        #expect(await task.value == .appeared(entry))
    }

    private static func entry(_ node: NodeID, since: Int) -> NodeEntry {
        let announcement = Announcement(
            node: node, mode: .peer, sessionHash: Party.monty.hash, session: nil, name: nil, port: 1)
        return NodeEntry(
            announcement: announcement, standing: .present, trust: .verified, sources: [.beacon], host: nil,
            sameMachine: false, endpoints: [], since: Instant(nanoseconds: UInt64(since)))
    }
}
