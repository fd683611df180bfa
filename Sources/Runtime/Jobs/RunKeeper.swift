import PotluckJournal
import PotluckModel
import PotluckSystem

/// Where a run of this machine alone is written down, so that somebody can go on with it after a crash or Ctrl-C: in memory
/// for its first moments, because most runs are over then and shall touch no disk, and from there on in a file of its own.
///
/// Unlike a session's jobs nobody was promised anything. So all that happens counts as safe at once: a run waits for no disk,
/// and goes on where there is none.
public final class RunKeeper: JobJournal {
    /// Whoever stops a run so soon begins it anew.
    public static let passing = Duration.seconds(1)

    private enum Phase {
        /// `end` is when it has lasted.
        case passing(KeptJobs, end: Instant)
        /// A thread makes the file; what happens meanwhile waits here.
        case opening(KeptJobs)
        case kept(DiskJournal, KeptRuns.File)
        case impossible(String)
        case over
    }

    private struct State {
        var phase: Phase
        var appended: UInt64 = 0
        /// Makes the file.
        var thread: SystemThread?

        var opening: KeptJobs? { if case .opening(let jobs) = phase { jobs } else { nil } }
    }

    /// What is to be gone on with, where that is so.
    public let unfinishedJobs: [KeptJob]
    public let notices: [String]
    private let typed: String
    private let module: [UInt8]?
    private let find: @Sendable () throws -> KeptRuns
    private let news = Guarded(JournalListener())
    private let clock = BootClock()
    private let state: Guarded<State>

    /// For a new run. `typed` is what people write for its simulation, and `module` what computes it where it is not built in.
    /// `runs` tells where runs are kept, once this one has lasted, on another thread.
    public init(
        _ typed: String, module: [UInt8]?, passing: Duration = RunKeeper.passing,
        in runs: @escaping @Sendable () throws -> KeptRuns
    ) {
        (self.typed, self.module, find) = (typed, module, runs)
        (unfinishedJobs, notices) = ([], [])
        state = Guarded(State(phase: .passing(KeptJobs(), end: clock.now + passing)))
    }

    /// For one that was left.
    init(_ journal: DiskJournal, _ file: KeptRuns.File) {
        (unfinishedJobs, notices) = (journal.unfinishedJobs, journal.notices)
        typed = journal.unfinishedJobs.first?.record.simulation ?? ""
        (module, find) = (nil, { file.runs })
        state = Guarded(State(phase: .kept(journal, file)))
    }

    /// As one that a run of this machine computes with.
    var store: JobStore { JobStore(self) { [news] listener in news.with { $0.hear = listener } } }

    @discardableResult
    public func append(_ changes: [JournalChange]) -> UInt64 {
        let kept = changes.compactMap { $0.kept(as: typed) }
        let number = state.with { state -> UInt64 in
            state.appended += UInt64(changes.count)
            switch state.phase {
            case .passing(var jobs, let end):
                // One reference to it, so that it is changed in place.
                state.phase = .over
                for change in kept { jobs.apply(change) }
                if !jobs.jobs.isEmpty, clock.now >= end {
                    state.phase = .opening(jobs)
                    state.thread = SystemThread(for: "keeping a run") { [self] in open() }
                } else {
                    state.phase = .passing(jobs, end: end)
                }
            case .opening(var jobs):
                state.phase = .over
                for change in kept { jobs.apply(change) }
                state.phase = .opening(jobs)
            case .kept(let journal, _): journal.append(kept)
            case .impossible, .over: break
            }
            return state.appended
        }
        news.with { $0.hear }?(.durable(upTo: number))
        return number
    }

    private func open() {
        guard let id = state.with({ $0.opening?.jobs.keys.first }) else { return }
        let result = Result { () throws -> (DiskJournal, KeptRuns.File) in
            let runs = try find()
            runs.forgetOld()
            if let module { runs.keep(module) }
            let file = runs.file(of: id)
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

    /// What comes of a run that ends.
    public enum End: Sendable, Equatable {
        /// It can be gone on with.
        case kept(JobID)
        /// It did not last, or is over and forgotten.
        case nothing
        /// It is not written down, or not all of it: why.
        case impossible(String)
    }

    /// The run goes on no more; `isOver` where nobody ever shall. Waits until all is written.
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
    public func close() -> StoreTrouble? {
        _ = end(isOver: false)
        return nil
    }
}

extension JournalChange {
    /// What whoever goes on with a run has to know: what was done, and not that and where somebody wanted it to rest or to end.
    fileprivate func kept(as typed: String) -> JournalChange? {
        switch self {
        case .accepted(var record):
            record.simulation = typed
            return .accepted(record)
        case .done, .settled, .passed, .rewritten, .ran: return self
        case .judged, .stands, .forgotten: return nil
        }
    }
}
