import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit

/// Events of jobs as JSON for other programs.
enum JobJSON {
    typealias Members = [(key: String, value: JSON)]

    /// An event as one line. `solution` is the best one by now if it is about a search.
    static func value(_ event: JobEvent, solution: [UInt8]?) -> JSON {
        let (name, members) = parts(event, solution: solution)
        return .object(NodeJSON.start(name) + members)
    }

    /// Writes an event as a line.
    static func write(_ event: JobEvent, solution: [UInt8]?, to descriptor: Int32 = STDOUT_FILENO) throws(OutputError) {
        try Output.write(value(event, solution: solution).text + "\n", to: descriptor)
    }

    static func parts(_ event: JobEvent, solution: [UInt8]?) -> (name: String, Members) {
        switch event {
        case .snapshot(let snapshot):
            (
                "job",
                [
                    ("job", .string(snapshot.id.text)),
                    ("simulation", .string(snapshot.spec.experiment.simulation.name)),
                    ("submitter", .string(snapshot.submitter)), ("plugin", JSON(snapshot.spec.isPlugin)),
                    ("module", JSON(snapshot.spec.module?.hash.description)),
                    ("state", .string(snapshot.state.word)), ("waitsFor", JSON(snapshot.state.waitWords)),
                    ("priority", .string(snapshot.priority.rawValue)),
                    RunJSON.done(snapshot.trials, isSearch: snapshot.spec.isSearch),
                    ("readings", JSON(snapshot.readings.map(RunJSON.reading))),
                    ("elapsed", JSON(snapshot.elapsed.seconds)),
                ] + (snapshot.spec.isSearch ? [] : [("rate", JSON(snapshot.rate))])
                    + [("nodes", nodes(snapshot.nodes, isSearch: snapshot.spec.isSearch))]
                    + RunJSON.solution(solution)
            )
        case .finished(let id, let result, _):
            (
                "result",
                [("job", .string(id.text)), ("result", self.result(result, digest: result.digest, solution: solution))]
            )
        case .failed(let id, let why): ("failed", [("job", .string(id.text)), ("why", .string("\(why)"))])
        case .lost(let id): ("lost", [("job", .string(id.text))])
        case .news(.liar(let id, let node, let name)): ("liar", about(id, node, name))
        case .news(.setAside(let id, let node, let name, let why)): ("setAside", about(id, node, name, why: why))
        case .news(.unable(let id, let node, let name, let why)): ("unable", about(id, node, name, why: why))
        case .news(.orphaned(let id, let node, let name)): ("orphaned", about(id, node, name))
        case .news(.continues(let id, let node, let name)): ("goesOn", about(id, node, name))
        case .news(.forgotten(let id, let node, let name)): ("forgotten", about(id, node, name))
        case .news(.stranded(let id, let why)): ("stranded", [("job", .string(id.text)), ("why", .string(why))])
        case .news(.journalStuck(let why)): ("journalStuck", [("why", .string(why))])
        case .news(.journalWell): ("journalWell", [])
        }
    }

    private static func about(_ id: JobID, _ node: NodeID, _ name: String, why: String? = nil) -> Members {
        [("job", .string(id.text)), ("node", .string("\(node)")), ("name", .string(name))]
            + (why.map { [("why", .string($0))] } ?? [])
    }

    /// The result as `potluck run --json` prints it, with the nodes that computed it.
    static func result(
        _ result: JobResult, digest: String, of known: AnySimulation? = nil, solution: [UInt8]?,
        warnings: [String] = []
    ) -> JSON {
        let simulation = known ?? result.experiment.simulation.builtIn
        return .object(
            RunJSON.members(result, digest: digest, of: simulation, solution: solution, warnings: warnings) + [
                ("nodes", nodes(result.nodes, isSearch: result.spec.isSearch))
            ])
    }

    private static func nodes(_ rows: [NodeRow], isSearch: Bool) -> JSON {
        JSON(
            rows.map { row in
                .object(
                    [
                        ("node", .string("\(row.node)")), ("name", .string(row.name)), ("cores", JSON(row.cores)),
                        RunJSON.done(row.trials, isSearch: isSearch),
                    ] + (isSearch ? RunJSON.effort(row.effort) : [("rate", JSON(row.rate))])
                        + [("state", .string(row.work.word))]
                        + (row.recomputed.map { [("recomputed", JSON($0))] } ?? []))
            })
    }
}

extension JobState {
    /// All words that `word` can be.
    static let words = ["waiting", "running", "paused", "stopping", "done", "failed"]

    /// The state as one word for other programs.
    var word: String {
        switch self {
        case .waiting: "waiting"
        case .running: "running"
        case .paused: "paused"
        case .stopping: "stopping"
        case .done: "done"
        case .failed: "failed"
        }
    }
}

extension NodeWork {
    fileprivate var word: String {
        switch self {
        case .computing: "computing"
        case .idle: "idle"
        case .preparing: "preparing"
        case .resting: "resting"
        case .silent: "silent"
        case .setAside: "set aside"
        case .unable: "unable"
        case .gone: "gone"
        case .shutOut: "shut out"
        }
    }
}
