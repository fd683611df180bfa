import Potluck
import PotluckCatalogue
import PotluckJSON
import PotluckKit
import PotluckModel

/// Jobs for programs.
enum JobJSON {
    /// A line for what happened to a job.
    static func value(_ event: JobEvent) -> JSON {
        switch event {
        case .snapshot(let snapshot):
            .object(
                NodeJSON.start("job") + [
                    ("job", .string(snapshot.id.text)),
                    ("simulation", .string(snapshot.spec.experiment.simulation.name)),
                    ("submitter", .string(snapshot.submitter)), ("state", .string(snapshot.state.word)),
                    ("trials", JSON(snapshot.trials)), ("readings", JSON(snapshot.readings.map(RunJSON.reading))),
                    ("elapsed", JSON(snapshot.elapsed.seconds)), ("rate", JSON(snapshot.rate)),
                    ("nodes", nodes(snapshot.nodes)),
                ])
        case .finished(let id, let result):
            .object(
                NodeJSON.start("result") + [
                    ("job", .string(id.text)), ("result", self.result(result, digest: result.digest)),
                ])
        case .failed(let id, let why):
            .object(NodeJSON.start("failed") + [("job", .string(id.text)), ("why", .string(why))])
        case .lost(let id): .object(NodeJSON.start("lost") + [("job", .string(id.text))])
        case .news(.liar(let id, let node, let name)): news("liar", id, node, name)
        case .news(.setAside(let id, let node, let name, let why)): news("setAside", id, node, name, why: why)
        case .news(.unable(let id, let node, let name, let why)): news("unable", id, node, name, why: why)
        }
    }

    private static func news(_ event: String, _ id: JobID, _ node: NodeID, _ name: String, why: String? = nil) -> JSON {
        .object(
            NodeJSON.start(event) + [
                ("job", .string(id.text)), ("node", .string("\(node)")), ("name", .string(name)),
            ] + (why.map { [("why", .string($0))] } ?? []))
    }

    /// What it came to, as `potluck run --json` prints it. Where the simulation is not known here, parameters and counts are those
    /// that its title names.
    static func result(_ result: JobResult, digest: String) -> JSON {
        let seconds = result.elapsed.seconds
        let experiment = result.experiment
        let simulation = catalogue.first { $0.identity == experiment.simulation }
        let title = result.spec.title
        let parameters: JSON =
            if let simulation {
                .object(zip(simulation.parameters, experiment.parameters).map { ($0.label, $0.json($1)) })
            } else {
                .object(title.parameters.map { ($0.label, .string($0.value)) })
            }
        let tally: JSON =
            if let simulation {
                TallyJSON.value(result.tally, simulation.layout)
            } else {
                .object(zip(title.counts, title.counts(of: result.tally)).map { ($0.name, JSON($1)) })
            }
        return [
            "simulation": .string(experiment.simulation.name),
            "parameters": parameters,
            "seed": JSON(experiment.seed),
            "trials": JSON(result.trials),
            "tally": tally,
            "readings": JSON(result.readings.map(RunJSON.reading)),
            "digest": .string(digest),
            "complete": JSON(result.completion != .stopped),
            "elapsed": JSON(seconds),
            "rate": JSON(seconds > 0 ? Double(result.trials) / seconds : nil),
            "cores": JSON(result.nodes.reduce(0) { $0 + $1.cores }),
            "nodes": nodes(result.nodes),
        ]
    }

    private static func nodes(_ rows: [NodeRow]) -> JSON {
        JSON(
            rows.map { row in
                [
                    "node": .string("\(row.node)"), "name": .string(row.name), "cores": JSON(row.cores),
                    "trials": JSON(row.trials), "rate": JSON(row.rate), "state": .string(row.work.word),
                ]
            })
    }
}

extension JobState {
    /// One word for programs.
    fileprivate var word: String {
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
