import PotluckCore

/// Holds promises back until the journal has written every change that they rest on. While it cannot be written, the answer
/// to a command says that, because its user waits for it.
struct DurabilityGate: Sendable {
    /// The number of the last change that was given to the journal. The first one is 1, as in `Event.durable`.
    private var said: UInt64 = 0
    /// The number of the last change that is on disk.
    private var safe: UInt64 = 0
    /// Why the journal cannot be written; nil if it can.
    var trouble: String?
    /// Promises, each with the number of the last change before it.
    private var waiting: [(after: UInt64, promise: Turn.Promise)] = []

    /// Gives new changes to the journal, and carries out each promise whose changes are all on disk. Returns the jobs
    /// that may begin now, and the jobs whose result was told now.
    mutating func release(_ turn: inout Turn) -> (beginning: [JobID], told: [JobID]) {
        let changes = turn.takeChanges()
        if !changes.isEmpty {
            said += UInt64(changes.count)
            turn.act(.record(changes))
        }
        for promise in turn.promises { waiting.append((said, promise)) }
        turn.promises = []
        let due = waiting.prefix { $0.after <= safe }
        waiting.removeFirst(due.count)
        var (beginning, told): ([JobID], [JobID]) = ([], [])
        for (_, promise) in due {
            switch promise {
            case .begin(let id): beginning.append(id)
            case .told(let id): told.append(id)
            case .effect(let effect): turn.effects.append(effect)
            case .mail(let message, let node): turn.send(message, to: node)
            case .answer(let answer): turn.tell(answer, trouble: nil)
            }
        }
        guard let trouble else { return (beginning, told) }
        waiting.removeAll { _, promise in
            guard case .answer(let answer) = promise else { return false }
            turn.tell(answer, trouble: trouble)
            return true
        }
        return (beginning, told)
    }

    /// Forgets what waits for a node that left. When it returns, it is told again what it needs.
    mutating func left(_ node: NodeID) { waiting.removeAll { $0.promise.isFor(node) } }

    /// The number of messages to a node that wait for the disk.
    func waiting(for node: NodeID) -> Int { waiting.count { $0.promise.isFor(node) } }

    /// Notes that the journal has written all changes up to that number.
    mutating func durable(upTo number: UInt64) { safe = max(safe, min(number, said)) }
}

extension Turn.Promise {
    /// Whether it is a message to that node.
    fileprivate func isFor(_ node: NodeID) -> Bool {
        switch self {
        case .mail(_, let other): other == node
        case .answer(let answer): answer.node == node
        case .effect, .begin, .told: false
        }
    }
}
