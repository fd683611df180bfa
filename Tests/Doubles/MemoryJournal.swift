import PotluckCore
import PotluckMachine
import PotluckSystem

/// A journal without a disk. With `commitsAtOnce` off it holds changes back until `commit`, and `safe` is what a crash at
/// this moment would leave.
public final class MemoryJournal: JobJournal {
    private struct State {
        var safe: KeptJobs
        var waiting: [JournalChange] = []
        var appended: UInt64 = 0
        var isClosed = false
    }

    public let unfinishedJobs: [KeptJob]
    public var notices: [String] { [] }
    private let commitsAtOnce: Bool
    private let state: Guarded<State>
    private let news: @Sendable (JournalNews) -> Void

    /// `jobs` is the content that an earlier journal left.
    public init(
        _ jobs: KeptJobs = KeptJobs(), commitsAtOnce: Bool = true, news: @escaping @Sendable (JournalNews) -> Void
    ) {
        unfinishedJobs = jobs.unfinished
        self.commitsAtOnce = commitsAtOnce
        self.news = news
        state = Guarded(State(safe: jobs))
    }

    @discardableResult
    public func append(_ changes: [JournalChange]) -> UInt64 {
        let number = state.with { state in
            guard !state.isClosed else { return state.appended }
            state.waiting += changes
            state.appended += UInt64(changes.count)
            return state.appended
        }
        if commitsAtOnce { commit() }
        return number
    }

    /// Makes all held changes durable.
    public func commit() {
        let number: UInt64? = state.with { state in
            guard !state.waiting.isEmpty else { return nil }
            for change in state.waiting { state.safe.apply(change) }
            state.waiting = []
            return state.appended
        }
        if let number { news(.durable(upTo: number)) }
    }

    /// The content that a crash would leave.
    public var safe: KeptJobs { state.with { $0.safe } }

    @discardableResult
    public func close() -> StoreError? {
        commit()
        state.with { $0.isClosed = true }
        return nil
    }
}
