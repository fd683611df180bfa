import Potluck
import PotluckModel

/// What a node is in a session for, beside taking part.
struct Purpose: Sendable {
    /// What it orders as soon as it can.
    var order: JobOrder?
    let ticket = JobTicket.random()
    /// Whether it is there for that job alone: it looks on and goes with its end.
    var isErrand = false
    /// Whether exact answers are shown only when a key asks for them.
    var hidesExact = false
    /// Whether it computes when on battery.
    var runsOnBattery = false
    /// How many cores it gives.
    var cores = 0
}
