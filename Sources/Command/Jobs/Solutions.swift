import Dispatch
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// The best solutions of searches, as their authors show them. To find one again may take a second, so those for screens
/// are found on a queue of their own.
final class Solutions: Sendable {
    /// A search that this process orders, with its tables.
    struct Ordered: Sendable {
        let simulation: AnySimulation
        let tables: [Table]
    }

    private struct Shown: Sendable {
        let job: JobID
        let best: Best
        /// Nil if the solution lies too deep to be found again, or if this process lacks the search.
        let octets: [UInt8]?
        let solution: Solution?

        init(_ job: JobID, _ best: Best, _ octets: [UInt8]?) {
            (self.job, self.best, self.octets) = (job, best, octets)
            solution = octets.map { Solution($0) }
        }

        var found: FoundSolution? { octets.map { FoundSolution(job: job, best: best, octets: $0) } }
    }

    private struct State: Sendable {
        /// The searches that this node computes.
        var searches: [JobID: RunningSearch] = [:]
        /// The searches that it only shows; nil for one that it lacks.
        var watched: [JobID: PreparedSearch?] = [:]
        /// The latest ones, the oldest first.
        var shown: [Shown] = []
        /// The jobs whose solution is being found.
        var busy: Set<JobID> = []
    }

    /// How many jobs' solutions are kept; a screen shows no more results.
    private static let most = 20

    private let ordered: Ordered?
    private let onFound: @Sendable (FoundSolution) -> Void
    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "potluck-solutions", qos: .utility)

    /// Calls `onFound` on any thread with each solution that is found.
    init(_ ordered: Ordered? = nil, onFound: @escaping @Sendable (FoundSolution) -> Void = { _ in }) {
        (self.ordered, self.onFound) = (ordered, onFound)
    }

    /// Adds a solution that another process found.
    func take(_ found: FoundSolution) { keep(Shown(found.job, found.best, found.octets)) }

    /// All solutions that are known by now.
    var known: [FoundSolution] { state.with { $0.shown.compactMap(\.found) } }

    /// The solutions that are known by now.
    var pictures: [JobID: Solution] {
        state.with { state in
            Dictionary(state.shown.compactMap { one in one.solution.map { (one.job, $0) } }) { $1 }
        }
    }

    /// Returns the latest solution of a job that is known by now, without looking for it.
    func latest(of job: JobID) -> [UInt8]? { state.with { $0.shown.last { $0.job == job }?.octets } }

    /// Returns the solution of a result. This may take a second.
    func octets(of result: JobResult, _ job: JobID?) -> [UInt8]? {
        guard result.spec.isSearch, let best = Self.layout.best(in: result.tally), !best.isEmpty else { return nil }
        if let job, let known = state.with({ $0.shown.last { $0.job == job && $0.best == best } }) {
            return known.octets
        }
        let (running, watched) = state.with { state in
            guard let job else { return (RunningSearch?.none, PreparedSearch??.none) }
            return (state.searches.removeValue(forKey: job), state.watched.removeValue(forKey: job))
        }
        let octets: [UInt8]?
        if let running {
            octets = running.show(best)
        } else {
            octets = (watched ?? Self.search(of: result.experiment, ordered))?.show(best)?.octets
        }
        if let job { keep(Shown(job, best, octets), isNew: true) }
        return octets
    }

    /// Finds the solution of a result for the screen, and then calls `found`.
    func find(_ result: JobResult, _ job: JobID, found: @escaping @Sendable () -> Void = {}) {
        guard result.spec.isSearch else { return }
        queue.async { [self] in
            _ = octets(of: result, job)
            found()
        }
    }

    /// Finds the best solution of a search so far, if it is new and none is being found. `search` is the search if this
    /// node computes it. Unless `isShown`, only notes the search for its end.
    func follow(_ snapshot: JobSnapshot, _ search: RunningSearch?, isShown: Bool = true) {
        let job = snapshot.id
        // A node without cores is ready to compute the search and finds nothing itself.
        let best = min(search?.best ?? Best(), snapshot.best ?? Best())
        let isNew = state.with { state in
            state.searches[job] = search
            guard isShown, !best.isEmpty, !state.busy.contains(job),
                state.shown.last(where: { $0.job == job })?.best != best
            else { return false }
            return state.busy.insert(job).inserted
        }
        guard isNew else { return }
        queue.async { [self] in
            let octets = if let search { search.show(best) } else { watched(snapshot)?.show(best)?.octets }
            // A solution that is not found leaves the one before on the screen.
            let before = state.with { $0.shown.last { $0.job == job } }
            keep(Shown(job, best, octets ?? before?.octets), isNew: octets != nil)
            state.with { _ = $0.busy.remove(job) }
        }
    }

    /// The search of a job that this node does not compute, which is prepared once.
    private func watched(_ snapshot: JobSnapshot) -> PreparedSearch? {
        if let known = state.with({ $0.watched[snapshot.id] }) { return known }
        let search = Self.search(of: snapshot.spec.experiment, ordered)
        state.with { _ = $0.watched.updateValue(search, forKey: snapshot.id) }
        return search
    }

    func forget(_ job: JobID) {
        state.with { state in
            state.searches[job] = nil
            state.watched[job] = nil
            state.shown.removeAll { $0.job == job }
        }
    }

    private func keep(_ shown: Shown, isNew: Bool = false) {
        state.with { state in
            state.shown.removeAll { $0.job == shown.job }
            state.shown = (state.shown + [shown]).suffix(Self.most)
        }
        if isNew, let found = shown.found { onFound(found) }
    }

    private static let layout = TallyLayout(of: SearchTally.self)

    /// Returns the search of an experiment, from what this process orders or has built in; nil if it lacks the
    /// simulation or its tables.
    static func search(of experiment: Experiment, _ ordered: Ordered?) -> PreparedSearch? {
        let known = ordered.flatMap { $0.simulation.identity == experiment.simulation ? $0 : nil }
        guard
            let found = known ?? experiment.simulation.builtIn.map({ Ordered(simulation: $0, tables: []) })
        else { return nil }
        let own = Array(experiment.parameters.prefix(found.simulation.parameters.count))
        // Other tables have other solutions.
        let same = try? found.simulation.experiment(parameters: own, tables: found.tables, seed: experiment.seed)
        guard same == experiment else { return nil }
        return try? found.simulation.prepared(own, tables: found.tables).search
    }
}
