import PotluckCore

/// The workers that may compute a job and their speeds. It is counted again at most ten times a second.
struct Capacity: Sendable {
    /// The capacity changes slowly, and a job may have hundreds of workers.
    static let interval: Duration = .milliseconds(100)

    /// When it was last counted.
    var at: Instant?
    /// The workers that may compute the job, including those that are set aside or silent.
    var members: [NodeID] = []
    /// The members that may have chunks now.
    var capable: [NodeID] = []
    /// The blocks that all capable workers compute in a second.
    var speed = 0.0
    /// The speed of a core of each capable worker whose speed is known, in rising order.
    var speeds: [Double] = []

    /// Returns the median speed of the other workers' cores; nil if no other worker's speed is known. `own` is the
    /// speed of the worker to leave out, nil if it is not known.
    func usual(without own: Double?) -> Double? {
        let others = speeds.count - (own == nil ? 0 : 1)
        guard others > 0 else { return nil }
        let index = (others - 1) / 2
        return own.map { $0 <= speeds[index] } ?? false ? speeds[index + 1] : speeds[index]
    }
}
