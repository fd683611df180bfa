import PotluckCore
import PotluckKit

/// The readings of a job's tally: at checkpoints, for the screen and at the end.
struct Evaluation: Sendable {
    /// Readings, and the tally that they were made from.
    typealias Read = (request: ReadRequest, readings: [Reading])

    var reader = Reader()
    /// The readings that the screen shows.
    var latest: Read?
    /// The readings at the checkpoints that count, in order.
    private(set) var course: [CoursePoint] = []
    /// The readings that met the precision of the goal.
    private(set) var precise: Read?
    /// The trials at which the precision will be reached, by the latest readings.
    var precisionTrials: UInt64?
    /// The result, while its outputs are being joined.
    var unsealed: (request: ReadRequest, readings: [Reading], completion: Completion)?
    /// For each time that wrong results were taken out: the trials that were still settled then. Readings of more
    /// trials that were asked for before are void.
    private var withdrawals: [UInt64] = []

    /// How often wrong results were taken out.
    var edition: Int { withdrawals.count }

    /// Whether the tally that the readings were asked for still counts.
    func isValid(_ request: ReadRequest) -> Bool {
        request.edition <= edition && withdrawals[request.edition...].allSatisfy { request.trials <= $0 }
    }

    /// Whether a search has found a better solution since the last point of its course. A course never has more points
    /// than there are checkpoints: the course of a search that finds better solutions all the time ends early.
    func isBetter(_ request: ReadRequest, _ readings: [Reading]) -> Bool {
        isValid(request) && course.count + 1 < Checkpoint.last && readings.contains { $0.value != nil }
            && course.last?.readings != readings
    }

    /// Adds a point to the course.
    mutating func note(_ point: CoursePoint) { course.append(point) }

    /// Removes the points of more trials than these.
    mutating func forgetCourse(beyond trials: UInt64) { course.removeAll { $0.trials > trials } }

    /// These readings are precise enough, so the job ends with them and other readings are not needed.
    mutating func end(with precise: Read) {
        self.precise = precise
        reader.dropWaiting()
    }

    /// Wrong results were taken out: readings of more than the trials that are still settled are void.
    mutating func withdraw(settled trials: UInt64) {
        withdrawals.append(trials)
        forgetCourse(beyond: trials)
        if let precise, precise.request.trials > trials { self.precise = nil }
        reader.dropStale(settled: trials)
    }
}
