import PotluckCore
import PotluckKit
import PotluckScreen

/// A recorded run as JSON for other programs.
package enum RecordJSON {
    /// `simulation` is nil if this machine does not have it.
    package static func value(_ run: RunRecord, id: Int64, of simulation: AnySimulation?) -> JSON {
        .object([("id", JSON(Int(id)))] + members(run, of: simulation))
    }

    package static func members(_ run: RunRecord, of simulation: AnySimulation?) -> [(key: String, value: JSON)] {
        [("key", .string(run.key))] + ofResult(run, of: simulation)
            + (run.effort == .none ? [] : RunJSON.effort(run.effort)) + [
                ("inputs", .object(run.files?.inputs.map { ($0.name, input($0)) } ?? [])),
                ("inputsHash", JSON(run.files?.digits)), ("file", JSON(run.file)),
                ("started", JSON(Double(run.startedAt) / 1000)),
                (
                    "nodes",
                    JSON(
                        run.nodes.map { node -> JSON in
                            .object(
                                [
                                    ("name", .string(node.name)), ("cores", JSON(node.cores)),
                                    RunJSON.done(node.trials, isSearch: run.isSearch),
                                ] + (run.isSearch ? RunJSON.effort(node.effort) : [("rate", JSON(node.rate))]))
                        })
                ),
                (
                    "notes",
                    JSON(
                        run.notes.map { note -> JSON in
                            ["at": JSON(Double(note.at) / 1000), "text": .string(note.text)]
                        })
                ),
                ("session", JSON(run.origin?.session)), ("submitter", JSON(run.origin?.submitter)),
                ("sweep", JSON(run.sweep?.text)),
            ]
    }

    /// The members that a result and its record share, in the same shape.
    static func ofResult(_ run: RunRecord, of simulation: AnySimulation?) -> [(key: String, value: JSON)] {
        let isSearch = run.isSearch
        return [
            ("schema", JSON(RunJSON.schema)), ("simulation", .string(run.simulation.name)),
            ("parameters", parameters(of: run, simulation)),
        ] + (isSearch ? [] : [("seed", JSON(run.seed))]) + [
            RunJSON.done(run.trials, isSearch: isSearch), ("tally", tally(of: run, simulation)),
            ("readings", JSON(run.readings.map(RunJSON.reading))), ("digest", .string(run.digest)),
            ("complete", JSON(run.completion != .stopped)), ("ended", .string(ending(run))),
            ("elapsed", JSON(run.elapsed.seconds)),
        ] + (isSearch ? [] : [("rate", JSON(run.rate)), ("merit", merit(of: run))]) + [
            ("cores", JSON(run.cores)), ("source", .string(run.simulation.source)),
            ("streams", JSON(Int(run.simulation.streams))),
        ] + (isSearch ? [] : [("blockSize", JSON(run.blockSize))]) + [
            ("counts", .object(run.counts.map { ($0.name, JSON($0.count)) })),
            ("slots", JSON(run.tally.map { JSON($0) })), ("program", .string(run.program)),
        ]
    }

    /// The figures of merit of the readings that have one, by name.
    private static func merit(of run: RunRecord) -> JSON {
        .object(run.readings.compactMap { reading in run.merit(of: reading).map { (reading.name, JSON($0)) } })
    }

    /// The simulation's fields, as far as they are known.
    private static func tally(of run: RunRecord, _ simulation: AnySimulation?) -> JSON {
        if let simulation { return TallyJSON.value(run.tally, simulation.layout) }
        return .object(run.counts.map { ($0.name, JSON($0.count)) })
    }

    private static func parameters(of run: RunRecord, _ simulation: AnySimulation?) -> JSON {
        let known = simulation?.parameters ?? []
        let effective = Set(run.effective.map(\.name))
        return .object(
            run.parameters.enumerated().filter { effective.contains($0.element.name) }.map { place, parameter in
                let isKnown = known.indices.contains(place) && known[place].label == parameter.name
                return (parameter.name, isKnown ? known[place].json(parameter.slot) : value(of: parameter))
            })
    }

    private static func value(of parameter: RecordedParameter) -> JSON {
        guard let number = parameter.number else { return .string(parameter.text) }
        return Int64(exactly: number).map(JSON.integer) ?? .number(number)
    }

    private static func input(_ input: RecordedInput) -> JSON {
        ["file": .string(input.path), "rows": JSON(input.rows), "columns": JSON(input.columns)]
    }

    static func ending(_ run: RunRecord) -> String {
        switch run.completion {
        case .trials: run.isSearch ? "proven" : "trials"
        case .precision: "precision"
        case .duration: "time"
        case .stopped: "stopped"
        }
    }
}
