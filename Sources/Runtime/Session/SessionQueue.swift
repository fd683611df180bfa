import PotluckSystem

/// What a session has to tell and its owner has not read yet. It counts the octets in it, so that the session can have
/// peers wait where the owner is slow.
final class SessionQueue: Sendable {
    /// Above the first the peers wait, below the second they go on: a megabyte at once is more than any reader needs.
    static let highWater = 4 << 20
    static let lowWater = 1 << 20

    private struct State {
        var waiting: [Session.Event] = []
        var octets = 0
        var isFinished = false
        var reader: CheckedContinuation<Session.Event?, Never>?
    }

    private let state = Guarded(State())

    /// Whether too much waits.
    func add(_ event: Session.Event) -> Bool {
        let (reader, isFull) = state.with { state in
            if let reader = state.reader {
                state.reader = nil
                return (Optional(reader), false)
            }
            // Of a job's snapshots only the newest is worth reading.
            if case .job(.snapshot(let new)) = event,
                let index = state.waiting.firstIndex(where: {
                    if case .job(.snapshot(let old)) = $0 { old.id == new.id } else { false }
                })
            {
                state.waiting[index] = event
                return (nil, state.octets > Self.highWater)
            }
            state.waiting.append(event)
            state.octets += event.size
            return (nil, state.octets > Self.highWater)
        }
        reader?.resume(returning: event)
        return isFull
    }

    func finish() {
        let reader = state.with { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// The next event, and whether the session may have peers go on.
    func next() async -> (event: Session.Event?, isLow: Bool) {
        let event = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Session.Event?? = state.with { state in
                    if !state.waiting.isEmpty {
                        let event = state.waiting.removeFirst()
                        state.octets -= event.size
                        return .some(event)
                    }
                    guard !state.isFinished, !Task.isCancelled, state.reader == nil else { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let reader = state.with { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
        return (event, state.with { $0.octets < Self.lowWater })
    }
}
