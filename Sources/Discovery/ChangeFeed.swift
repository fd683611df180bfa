import PotluckModel
import PotluckSystem

/// What readers have yet to be told, one pending change a node: a reader that is slow gets the latest difference, and its
/// backlog never holds more than one change for each node it knows or that is there.
struct PendingChanges: Sendable {
    private var changes: [NodeID: NodeChange] = [:]
    /// In the order in which they first changed.
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
        // It came and went before the reader looked.
        case (.appeared, .disappeared):
            changes[node] = nil
            order.removeAll { $0 == node }
        case (.appeared, _): changes[node] = .appeared(change.entry)
        // It was away for a moment.
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

/// Hands changes to any number of readers, each at its own pace.
final class ChangeFeed: Sendable {
    private struct Reader {
        var pending = PendingChanges()
        var waiting: CheckedContinuation<NodeChange?, Never>?
    }

    private struct State {
        /// What is there now, for readers who come later.
        var entries: [NodeID: NodeEntry] = [:]
        var readers: [UInt64: Reader] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
    }

    private let state = Guarded(State())

    var entries: [NodeEntry] {
        state.with { state in state.entries.values.sorted { $0.node < $1.node } }
    }

    func publish(_ change: NodeChange) {
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

    /// Readers get what is pending and then the end.
    func finish() {
        let waiting = state.with { state in
            state.isFinished = true
            let waiting = state.readers.values.compactMap(\.waiting)
            for id in Array(state.readers.keys) { state.readers[id]?.waiting = nil }
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    /// A reader that first hears of everything there is now.
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

/// Nodes as they appear, change and disappear, from those there now on. However slowly it is read, no more waits than one
/// change for each node.
public struct NodeChanges: AsyncSequence, Sendable {
    public typealias Element = NodeChange

    private let feed: ChangeFeed

    init(_ feed: ChangeFeed) { self.feed = feed }

    public func makeAsyncIterator() -> Iterator { Iterator(feed) }

    /// Each reads for itself.
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
