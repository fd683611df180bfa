import PotluckModel

/// What was promised, and waits until the journal says that what it rests on is safe.
struct Promises: Sendable {
    /// Changes are numbered from 1, as the journal does it.
    private var said: UInt64 = 0
    private var safe: UInt64 = 0
    private var waiting: [(after: UInt64, promise: Deeds.Promise)] = []

    /// Hands what was said to the journal, and keeps each promise as soon as all that was said before it is safe: at once
    /// where nothing is on its way.
    /// Tells which jobs may begin with that, and of which was told what they came to.
    mutating func settle(_ deeds: inout Deeds) -> (beginning: [JobID], told: [JobID]) {
        let changes = deeds.takeChanges()
        if !changes.isEmpty {
            said += UInt64(changes.count)
            deeds.effects.append(.record(changes))
        }
        for promise in deeds.promises { waiting.append((said, promise)) }
        deeds.promises = []
        let due = waiting.prefix { $0.after <= safe }
        waiting.removeFirst(due.count)
        var (beginning, told): ([JobID], [JobID]) = ([], [])
        for (_, promise) in due {
            switch promise {
            case .begin(let id): beginning.append(id)
            case .told(let id): told.append(id)
            case .effect(let effect): deeds.effects.append(effect)
            case .mail(let message, let node): deeds.send(message, to: node)
            }
        }
        return (beginning, told)
    }

    mutating func durable(upTo number: UInt64) { safe = max(safe, min(number, said)) }
}
