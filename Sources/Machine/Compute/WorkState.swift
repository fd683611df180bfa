import PotluckCore
import Synchronization

/// A task, and whether its outcome is still wanted.
final class Assignment: Sendable {
    /// The part of a task that is still wanted: all of it, the blocks so far, only whether it fails, or nothing.
    private enum Wish: UInt8 {
        case all, soFar, failure, nothing
    }

    let task: Workers.ChunkTask
    private let wish = Atomic<UInt8>(Wish.all.rawValue)

    init(_ task: Workers.ChunkTask) { self.task = task }

    var attempt: AttemptID { task.chunk.attempt }
    var shouldStop: Bool { wish.load(ordering: .relaxed) != Wish.all.rawValue }

    /// Whether it was dropped alone, and not with its job.
    var isTakenBack: Bool { wish.load(ordering: .relaxed) == Wish.failure.rawValue }

    /// Whether somebody wants this outcome of the task.
    func wants(_ outcome: ChunkOutcome) -> Bool {
        let wish = wish.load(ordering: .relaxed)
        if wish == Wish.failure.rawValue { return outcome.isFailure }
        return wish != Wish.nothing.rawValue
    }

    /// Ends the task at its next block, with the blocks so far. Has no effect on a dropped task.
    func interrupt() {
        _ = wish.compareExchange(expected: Wish.all.rawValue, desired: Wish.soFar.rawValue, ordering: .relaxed)
    }

    /// Ends the task at its next block. It has no outcome, unless it fails and `mayFail`.
    func drop(mayFail: Bool) {
        let dropped = mayFail ? Wish.failure : Wish.nothing
        // A task that was dropped altogether stays so.
        if wish.load(ordering: .relaxed) < dropped.rawValue { wish.store(dropped.rawValue, ordering: .relaxed) }
    }
}

/// The state of the pool: tasks in the queue and in flight, outcomes, and the number of threads.
struct WorkState {
    /// The next step of a thread.
    enum Step {
        case run(Assignment)
        case leave
    }

    /// Whether to call `onOutcomes`.
    enum Telling {
        case needless, now
        /// Once the thread is idle or has computed a block.
        case later
    }

    /// The shortest time between two calls while there is more to compute, in nanoseconds, so that outcomes of tiny
    /// chunks are taken many at a time. The two chunks that a worker normally has for each core last far longer.
    private static let pause: Int64 = 1_000_000

    /// The place of a thread in `underWay`; a spare thread serves only urgent tasks while there are no cores.
    struct Place {
        let index: Int
        let isSpare: Bool
    }

    /// Tasks that a caller waits for: those of referees, and interrupted ones. They go first.
    private var urgent = Queue<Assignment>()
    private var waiting = Queue<Assignment>()
    private var outcomes: [ChunkOutcome] = []
    /// The nodes that searches looked at for chunks that were dropped. The next result of the job tells of them.
    private var inVain: [JobID: UInt64] = [:]
    /// Whether `onOutcomes` was called and the outcomes have not been taken since.
    private var isTold = false
    /// The time of the last call of `onOutcomes`, in nanoseconds.
    private var lastTold = Int64.min / 2
    /// The task of each thread; nil while it is idle.
    private var underWay: [Assignment?] = []
    /// The indices in `underWay` that no thread uses.
    private var freePlaces: [Int] = []
    private var cores = 0
    private var threads = 0
    /// Whether the spare thread is running.
    private var hasSpare = false
    private var isClosed = false

    mutating func add(_ tasks: [Workers.ChunkTask]) {
        for task in tasks {
            if task.isReferee { urgent.append(Assignment(task)) } else { waiting.append(Assignment(task)) }
        }
    }

    mutating func setCores(_ cores: Int) { self.cores = max(0, cores) }

    /// Returns the threads to start now, which count as started.
    mutating func missingThreads() -> [Place] {
        guard !isClosed else { return [] }
        var places: [Place] = []
        while threads < cores {
            threads += 1
            places.append(place(isSpare: false))
        }
        if cores == 0, !hasSpare, !urgent.isEmpty {
            hasSpare = true
            places.append(place(isSpare: true))
        }
        return places
    }

    private mutating func place(isSpare: Bool) -> Place {
        if let index = freePlaces.popLast() { return Place(index: index, isSpare: isSpare) }
        underWay.append(nil)
        return Place(index: underWay.count - 1, isSpare: isSpare)
    }

    /// Returns nil if there is nothing to do and the thread must wait.
    mutating func next(for place: Place) -> Step? {
        if isClosed || (!place.isSpare && threads > cores) { return leave(place) }
        if let assignment = urgent.takeFirst() ?? (place.isSpare ? nil : waiting.takeFirst()) {
            underWay[place.index] = assignment
            return .run(assignment)
        }
        return place.isSpare ? leave(place) : nil
    }

    private mutating func leave(_ place: Place) -> Step {
        if place.isSpare { hasSpare = false } else { threads -= 1 }
        freePlaces.append(place.index)
        return .leave
    }

    /// `time` is in nanoseconds.
    mutating func finish(_ outcome: ChunkOutcome, at place: Place, time: Int64) -> Telling {
        defer { underWay[place.index] = nil }
        guard let assignment = underWay[place.index] else { return .needless }
        guard assignment.wants(outcome) else {
            if assignment.isTakenBack { note(inVain: outcome) }
            return .needless
        }
        outcomes.append(outcome)
        if isTold { return .needless }
        let hasMore = !urgent.isEmpty || !waiting.isEmpty
        if hasMore && time - lastTold < Self.pause { return .later }
        return signal(time: time) ? .now : .needless
    }

    /// Makes a postponed decision. Returns whether to call `onOutcomes` now.
    mutating func signal(time: Int64) -> Bool {
        guard !outcomes.isEmpty, !isTold else { return false }
        (isTold, lastTold) = (true, time)
        return true
    }

    mutating func takeOutcomes() -> [ChunkOutcome] {
        defer { (outcomes, isTold) = ([], false) }
        // Most calls are for work that is no search.
        guard !inVain.isEmpty else { return outcomes }
        return outcomes.map { outcome in
            guard case .done(var result) = outcome, let lost = inVain.removeValue(forKey: result.attempt.job) else {
                return outcome
            }
            result.effort = result.effort + SearchEffort(expanded: lost, inVain: lost)
            return .done(result)
        }
    }

    private mutating func note(inVain outcome: ChunkOutcome) {
        guard case .done(let result) = outcome, result.effort != .none else { return }
        inVain[result.attempt.job] = (inVain[result.attempt.job] ?? 0).addingClamped(result.effort.expanded)
    }

    mutating func interrupt(_ job: JobID) {
        for assignment in waiting.remove(where: { $0.attempt.job == job }) { urgent.append(assignment) }
        urgent.forEach { if $0.attempt.job == job { $0.interrupt() } }
        for case let assignment? in underWay where assignment.attempt.job == job { assignment.interrupt() }
    }

    /// Tasks under way still report that they fail, if they `mayFail`.
    mutating func drop(mayFail: Bool, where isMeant: (AttemptID) -> Bool) {
        _ = urgent.remove { isMeant($0.attempt) }
        _ = waiting.remove { isMeant($0.attempt) }
        if mayFail { for outcome in outcomes where isMeant(outcome.attempt) { note(inVain: outcome) } }
        outcomes.removeAll { isMeant($0.attempt) && !(mayFail && $0.isFailure) }
        for case let assignment? in underWay where isMeant(assignment.attempt) { assignment.drop(mayFail: mayFail) }
    }

    /// Drops all tasks of a job.
    mutating func forget(_ job: JobID) {
        drop(mayFail: false) { $0.job == job }
        inVain[job] = nil
    }

    mutating func close() {
        drop(mayFail: false) { _ in true }
        isClosed = true
    }
}
