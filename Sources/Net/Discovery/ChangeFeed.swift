import PotluckCore
import PotluckSystem

/// The changes that a reader has not read yet, merged to one for each node. A slow reader gets the latest state, and
/// its backlog never exceeds one change for each node that it knows or that is present.
struct PendingChanges: Sendable {
    private var changes: [NodeID: NodeChange] = [:]
    /// The nodes with a pending change, in the order in which they first changed.
    private var order: [NodeID] = []

    var count: Int { changes.count }

    mutating func add(_ change: NodeChange) {
        let node = change.node
        guard let pending = changes[node] else {
            changes[node] = change
            order.append(node)
            return
        }
        switch (pending, change) {
        // It appeared and disappeared before the reader read it.
        case (.appeared, .disappeared):
            changes[node] = nil
            order.removeAll { $0 == node }
        case (.appeared, _): changes[node] = .appeared(change.entry)
        // It returned before the reader read that it was gone.
        case (.disappeared, .appeared), (.disappeared, .changed): changes[node] = .changed(change.entry)
        case (.changed, .appeared), (.changed, .changed): changes[node] = .changed(change.entry)
        case (.changed, .disappeared), (.disappeared, .disappeared): changes[node] = change
        }
    }

    mutating func next() -> NodeChange? {
        guard let node = order.first else { return nil }
        order.removeFirst()
        return changes.removeValue(forKey: node)
    }
}

/// Distributes changes to any number of readers, each at its own pace.
package final class ChangeFeed: Sendable {
    private struct Reader {
        var pending = PendingChanges()
        var waiting: CheckedContinuation<NodeChange?, Never>?
    }

    private struct State {
        /// The present nodes, for readers that subscribe later.
        var entries: [NodeID: NodeEntry] = [:]
        var readers: [UInt64: Reader] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
    }

    private let state = Guarded(State())

    package init() {}

    package var entries: [NodeEntry] {
        state.with { state in state.entries.values.sorted { $0.node < $1.node } }
    }

    package func publish(_ change: NodeChange) {
        let wakeUps = state.with { state in
            switch change {
            case .appeared(let entry), .changed(let entry): state.entries[entry.node] = entry
            case .disappeared(let entry, _): state.entries[entry.node] = nil
            }
            var wakeUps: [(CheckedContinuation<NodeChange?, Never>, NodeChange)] = []
            for id in Array(state.readers.keys) {
                state.readers[id]?.pending.add(change)
                guard let waiting = state.readers[id]?.waiting, let next = state.readers[id]?.pending.next() else {
                    continue
                }
                state.readers[id]?.waiting = nil
                wakeUps.append((waiting, next))
            }
            return wakeUps
        }
        for (continuation, next) in wakeUps { continuation.resume(returning: next) }
    }

    /// Ends the feed. Readers get their pending changes first.
    package func finish() {
        let waiting = state.with { state in
            state.isFinished = true
            let waiting = state.readers.values.compactMap(\.waiting)
            for id in Array(state.readers.keys) { state.readers[id]?.waiting = nil }
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    /// Adds a reader and returns its number. It first reads an appearance of every present node.
    func subscribe() -> UInt64 {
        state.with { state in
            var reader = Reader()
            for entry in state.entries.values.sorted(by: { $0.node < $1.node }) { reader.pending.add(.appeared(entry)) }
            let id = state.nextReader
            state.nextReader += 1
            state.readers[id] = reader
            return id
        }
    }

    func unsubscribe(_ reader: UInt64) {
        let waiting = state.with { $0.readers.removeValue(forKey: reader)?.waiting }
        waiting?.resume(returning: nil)
    }

    func next(_ reader: UInt64) async -> NodeChange? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: NodeChange?? = state.with { state in
                    if let change = state.readers[reader]?.pending.next() { return .some(change) }
                    guard !state.isFinished, !Task.isCancelled, state.readers[reader] != nil,
                        state.readers[reader]?.waiting == nil
                    else { return .some(nil) }
                    state.readers[reader]?.waiting = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            unsubscribe(reader)
        }
    }
}

/// The sequence of nodes that appear, change and disappear, beginning with the present ones. However slowly it is read,
/// at most one change for each node waits.
public struct NodeChanges: AsyncSequence, Sendable {
    public typealias Element = NodeChange

    private let feed: ChangeFeed

    package init(_ feed: ChangeFeed) { self.feed = feed }

    public func makeAsyncIterator() -> Iterator { Iterator(feed) }

    /// A reader of the changes. Each iterator reads all of them, independently of the others.
    public final class Iterator: AsyncIteratorProtocol {
        private let feed: ChangeFeed
        private let reader: UInt64

        init(_ feed: ChangeFeed) {
            self.feed = feed
            reader = feed.subscribe()
        }

        deinit { feed.unsubscribe(reader) }

        public func next() async -> NodeChange? { await feed.next(reader) }
    }
}
