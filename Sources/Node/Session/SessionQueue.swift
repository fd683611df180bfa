import PotluckSystem

/// The events that the owner has not read yet. The queue counts their bytes, so that the session can hold back peers
/// when the owner reads slowly.
final class SessionQueue: Sendable {
    /// In bytes. Above `highWater` the links go on hold, and below `lowWater` they resume. The gap between the two
    /// avoids frequent switching; a megabyte keeps any reader busy meanwhile.
    static let highWater = 4 << 20
    static let lowWater = 1 << 20

    private struct State {
        var waiting: [Session.Event] = []
        var octets = 0
        var isFinished = false
        var reader: CheckedContinuation<Session.Event?, Never>?
    }

    private let state = Guarded(State())

    /// Adds an event. Returns whether more than `highWater` bytes are waiting.
    func add(_ event: Session.Event) -> Bool {
        let (reader, isFull) = state.with { state in
            if let reader = state.reader {
                state.reader = nil
                return (Optional(reader), false)
            }
            // Of a job's snapshots only the newest matters, so it replaces an older one.
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

    /// Ends the events once the owner has read those that wait.
    func finish() {
        let reader = state.with { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// Returns the next event, and whether the queue is low enough for peers to resume. The event is nil after the last
    /// one, or if the task is cancelled.
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
