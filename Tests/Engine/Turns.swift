import PotluckCore

@testable import PotluckEngine

extension Turn {
    /// The turn at another time, with everything that it has not delivered. Tests use one turn for several events.
    subscript(at now: Instant) -> Turn {
        get {
            var turn = Turn(now: now, keepsJournal: keepsJournal, reportedEnds: reportedEnds)
            (turn.effects, turn.mail, turn.outputs) = (effects, mail, outputs)
            (turn.shutOut, turn.promises) = (shutOut, promises)
            for change in changes { turn.keep(change) }
            return turn
        }
        set { self = newValue }
    }
}
