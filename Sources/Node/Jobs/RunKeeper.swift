import PotluckCore
import PotluckMachine
import PotluckSystem

/// Records a run on a single machine, or the points of a sweep that are under way, so that it can be resumed after a crash
/// or Ctrl-C. During the run's first moments the record is in memory, because most runs end within them and should not
/// touch the disk. After that it is a file of its own.
///
/// In contrast to a job of a session, nobody relies on the record. Therefore every change counts as durable at once:
/// the run never waits for a disk, and continues without one.
public final class RunKeeper: JobJournal {
    /// A run that has lasted longer than this is recorded on disk. A shorter one is quicker to start again.
    public static let passing = Duration.seconds(1)

    private enum Phase {
        /// In memory; `end` is when this phase ends.
        case passing(KeptJobs, end: Instant)
        /// A thread is making the file. Changes that come meanwhile wait here.
        case opening(KeptJobs)
        case kept(DiskJournal, KeptRuns.File)
        case impossible(String)
        case over
    }

    private struct State {
        var phase: Phase
        /// The number of changes so far, all of which count as durable.
        var appended: UInt64 = 0
        /// The thread that makes the file; nil before and after.
        var thread: SystemThread?

        var opening: KeptJobs? { if case .opening(let jobs) = phase { jobs } else { nil } }
    }

    /// The job to resume, or those of a sweep; empty for a new run.
    public let unfinishedJobs: [KeptJob]
    public let notices: [String]
    private let typed: String
    private let module: [UInt8]?
    /// The sweep, if it keeps one.
    private let sweep: JobID?
    private let find: @Sendable () throws -> KeptRuns
    private let news = Guarded(JournalListener())
    private let clock = BootClock()
    private let state: Guarded<State>

    /// Creates a keeper for a new run. `typed` is the name of the simulation as the user typed it, and `module`
    /// computes it if it is not built in. `runs` returns the folder for runs; it is called on another thread, and only
    /// if the run lasts. With `sweep` it keeps the points of that sweep.
    public init(
        _ typed: String, module: [UInt8]?, sweep: JobID? = nil, passing: Duration = RunKeeper.passing,
        in runs: @escaping @Sendable () throws -> KeptRuns
    ) {
        (self.typed, self.module, self.sweep, find) = (typed, module, sweep, runs)
        (unfinishedJobs, notices) = ([], [])
        state = Guarded(State(phase: .passing(KeptJobs(), end: clock.now + passing)))
    }

    /// Creates a keeper for a run that is to be resumed.
    init(_ journal: DiskJournal, _ file: KeptRuns.File) {
        (unfinishedJobs, notices) = (journal.unfinishedJobs, journal.notices)
        typed = journal.unfinishedJobs.first?.record.simulation ?? ""
        (module, find) = (nil, { file.runs })
        sweep = file.kind == .sweep ? file.id : nil
        state = Guarded(State(phase: .kept(journal, file)))
    }

    /// A store for `Computing` that writes to this keeper.
    var store: JobStore { JobStore(self) { [news] listener in news.with { $0.hear = listener } } }

    @discardableResult
    public func append(_ changes: [JournalChange]) -> UInt64 {
        let kept = changes.compactMap { $0.kept(as: typed) }
        let number = state.with { state -> UInt64 in
            state.appended += UInt64(changes.count)
            take(kept, &state)
            return state.appended
        }
        news.with { $0.hear }?(.durable(upTo: number))
        return number
    }

    /// Removes a point of a sweep that has its result.
    func forget(_ job: JobID) { state.with { take([.forgotten(job)], &$0) } }

    private func take(_ changes: [JournalChange], _ state: inout State) {
        switch state.phase {
        case .passing(var jobs, let end):
            // Release the reference in `state`, so that `jobs` is changed in place and not copied.
            state.phase = .over
            for change in changes { jobs.apply(change) }
            if !jobs.jobs.isEmpty, clock.now >= end {
                state.phase = .opening(jobs)
                state.thread = SystemThread(for: "keeping a run") { [self] in open() }
            } else {
                state.phase = .passing(jobs, end: end)
            }
        case .opening(var jobs):
            state.phase = .over
            for change in changes { jobs.apply(change) }
            state.phase = .opening(jobs)
        case .kept(let journal, _): journal.append(changes)
        case .impossible, .over: break
        }
    }

    /// Makes the file and writes the changes so far to it. Runs on its own thread.
    private func open() {
        guard let first = state.with({ $0.opening?.jobs.keys.first }) else { return }
        let result = Result { () throws -> (DiskJournal, KeptRuns.File) in
            let runs = try find()
            runs.forgetOld()
            if let module { runs.keep(module) }
            let file = sweep.map(runs.file(ofSweep:)) ?? runs.file(of: first)
            return (try DiskJournal.open(at: file.path) { _ in }, file)
        }
        state.with { state in
            guard let jobs = state.opening else { return }
            switch result {
            case .success((let journal, let file)):
                for job in jobs.unfinished { journal.append(job.changes) }
                state.phase = .kept(journal, file)
            case .failure(let trouble): state.phase = .impossible("\(trouble)")
            }
        }
    }

    /// How a run ended, as far as its record is concerned.
    public enum End: Sendable, Equatable {
        /// The run can be resumed.
        case kept(JobID)
        /// There is no record: the run was too short, or it is over.
        case nothing
        /// The run could not be recorded, or not completely. The text says why.
        case impossible(String)
    }

    /// Ends the record. `isOver` means that the run will never be resumed, so its file is removed. Waits until all
    /// changes are written.
    public func end(isOver: Bool) -> End {
        let thread = state.with { state in
            defer { state.thread = nil }
            return state.thread
        }
        thread?.join()
        let phase = state.with { state in
            defer { state.phase = .over }
            return state.phase
        }
        switch phase {
        case .passing, .opening, .over: return .nothing
        case .impossible(let why): return isOver ? .nothing : .impossible(why)
        case .kept(let journal, let file):
            let trouble = journal.close()
            if isOver {
                file.remove()
                return .nothing
            }
            if let trouble { return .impossible("\(trouble)") }
            return .kept(file.id)
        }
    }

    @discardableResult
    public func close() -> StoreError? {
        _ = end(isOver: false)
        return nil
    }
}

extension JournalChange {
    /// The change as it is recorded; nil if a resumed run does not need it. The record keeps results, but no requests
    /// to pause or end the run.
    fileprivate func kept(as typed: String) -> JournalChange? {
        switch self {
        case .accepted(var record):
            record.simulation = typed
            return .accepted(record)
        case .done, .settled, .passed, .rewritten, .ran: return self
        case .credited, .judged, .stands, .forgotten: return nil
        }
    }
}
