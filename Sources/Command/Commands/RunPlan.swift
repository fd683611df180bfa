import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The arguments of `potluck run`, checked.
struct RunPlan {
    static let trials = Option(
        "trials", "N", "stop after N trials: 1000000, 1_000_000, 1e6, 1M", in: .limits, Quantities.trials)
    static let seed = Option(
        "seed", "S", "seed of the random numbers", in: .compute, default: "random", Quantities.seed)
    static let parameter = Option(
        "parameter", short: "p", "NAME=VALUE", "set a parameter to a value or to several: 3..10 or 3,5,10",
        in: .compute, repeats: true, nameAndValue)
    static let input = Option(
        "input", "NAME=FILE", "read a table of numbers from a file, one row per line", in: .compute, repeats: true
    ) { (text) throws(ValueError) -> (name: String, value: String) in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { throw ValueError("use NAME=FILE") }
        return (parts[0], parts[1])
    }
    static let until = Option(
        "until", "PRECISION",
        "stop when each 95 % interval is within ± PRECISION: 0.0001, or 0.01% of the value; 'wait<1% and p99<0.5' judges "
            + "only these readings",
        in: .limits, Quantities.precision)
    static let duration = CommonOptions.duration
    static let json = CommonOptions.json
    static let csv = Flag("csv", "print comma-separated values, as 'potluck history --csv' does", in: .output)

    /// Splits `NAME=VALUE`.
    @Sendable static func nameAndValue(_ text: String) throws(ValueError) -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else { throw ValueError("use NAME=VALUE") }
        return (parts[0], parts[1])
    }

    /// The options that define a job, on one machine or in a session.
    static let options = [
        parameter.declaration, input.declaration, seed.declaration, trials.declaration, until.declaration,
        duration.declaration,
    ]

    let simulation: AnySimulation
    let parameters: [UInt64]
    /// The input tables in the order of the simulation's inputs; empty if no file was given.
    let tables: [Table]
    /// The files that the tables were read from, as recorded in the history.
    let inputs: [RecordedInput]
    let prepared: PreparedSimulation
    var seed: UInt64
    let goal: Goal
    let cores: Int
    let json: Bool
    let csv: Bool

    /// The tables that a simulation reads, and where they came from.
    struct Files {
        let tables: [Table]
        let inputs: [RecordedInput]

        init(_ simulation: AnySimulation, _ arguments: Arguments) throws {
            let given = try arguments.all(RunPlan.input)
            let tables = try RunPlan.tables(given, of: simulation)
            self.tables = tables
            inputs = simulation.inputs.enumerated().compactMap { place, input in
                given.first { $0.name == input.name }.map {
                    let table = tables[place].given(to: input)
                    return RecordedInput(name: $0.name, path: $0.value, rows: table.rows, columns: table.columns)
                }
            }
        }
    }

    init(_ simulation: AnySimulation, _ arguments: Arguments, cores available: Int, seed drawn: UInt64) throws {
        try self.init(
            simulation, arguments, given: try arguments.all(Self.parameter), Files(simulation, arguments),
            cores: available, seed: drawn)
    }

    /// The plan with these parameters, whatever the arguments say about parameters.
    init(
        _ simulation: AnySimulation, _ arguments: Arguments, given: [(name: String, value: String)], _ files: Files,
        cores available: Int, seed drawn: UInt64
    ) throws {
        self.simulation = simulation
        let trials = try arguments[Self.trials]
        // Most gatherings draw no random numbers. With a fixed default seed, everybody gets the same digest.
        seed = try arguments[Self.seed] ?? (simulation.shape == .tally ? drawn : 0)
        cores = try arguments[ComputeArguments.cores] ?? ComputeArguments.standardCores(of: available)
        var goal = Goal(trials: trials, precision: try arguments[Self.until], duration: try arguments[Self.duration])
        (json, csv) = (arguments[Self.json], arguments[Self.csv])
        try Self.refuseBoth(json: json, csv: csv)
        parameters = try Self.parameters(given, of: simulation)
        (tables, inputs) = (files.tables, files.inputs)
        prepared = try Self.prepared(simulation, parameters, tables)
        if prepared.search != nil { try Self.refuseStray(arguments, of: simulation, isFromFiles: !tables.isEmpty) }
        if let units = prepared.units {
            if let trials { try Self.refuse(trials, above: units, of: simulation) }
            goal.trials = trials ?? units
        }
        if goal.trials == nil, let precision = goal.precision,
            let cap = JudgedReadings.cap(precision, simulation, blockSize: prepared.blockSize)
        {
            goal.trials = cap
        }
        self.goal = goal
        if let precision = goal.precision {
            try JudgedReadings.check(
                precision, simulation, prepared, hasOtherEnd: goal.trials != nil || goal.duration != nil)
        }
    }

    /// All that decides the bytes of the result, except the number of trials.
    func experiment() throws(Failure) -> Experiment {
        do throws(ParameterError) {
            return try simulation.experiment(parameters: parameters, tables: tables, seed: seed)
        } catch {
            throw Failure(cannotRun: simulation.name, error)
        }
    }

    static func refuseBoth(json: Bool, csv: Bool) throws(UsageError) {
        if json, csv { throw UsageError("--json and --csv cannot be used together") }
    }

    /// Throws if a job with a fixed number of trials has fewer than wanted.
    static func refuse(_ trials: UInt64, above units: UInt64, of simulation: AnySimulation) throws(UsageError) {
        guard trials > units else { return }
        throw UsageError(
            "\(simulation.name) has only \(units) \(simulation.unit.word(units)) with these parameters; leave out --trials or use fewer"
        )
    }

    /// Throws if an option has no effect on a search.
    static func refuseStray(_ arguments: Arguments, of search: AnySimulation, isFromFiles: Bool) throws {
        if let stray = [trials.declaration, until.declaration].first(where: { arguments.has($0) }) {
            throw UsageError(
                "\(search.name) is a search, which ends when the best is proven; leave out --\(stray.name), or use --for"
            )
        }
        guard let seed = try arguments[Self.seed] else { return }
        var advice = "leave out --seed"
        // `draw` names a search's parameter for the numbers that it draws before it begins.
        if !isFromFiles, let draw = search.parameters.first(where: { $0.label == "draw" }) {
            let isPossible = (try? draw.slot(of: "\(seed)")) != nil
            advice += ", or use -p draw=\(isPossible ? "\(seed)" : "NUMBER") for other random inputs"
        }
        throw UsageError("\(search.name) is a search, which takes no seed; \(advice)")
    }

    /// The plan of a kept run that is resumed.
    init(_ simulation: AnySimulation, of left: KeptRuns.Left, _ arguments: Arguments, cores available: Int) throws {
        let order = left.taken.order
        self.simulation = simulation
        (parameters, tables, inputs) = (order.experiment.parameters, [], [])
        prepared = try Self.prepared(simulation, parameters)
        (seed, goal) = (order.experiment.seed, order.goal)
        cores = try arguments[ComputeArguments.cores] ?? ComputeArguments.standardCores(of: available)
        (json, csv) = (arguments[Self.json], arguments[Self.csv])
    }

    /// Prepares the simulation with these parameters. Throws an error for the user if they do not fit.
    static func prepared(
        _ simulation: AnySimulation, _ parameters: [UInt64], _ tables: [Table] = []
    ) throws -> PreparedSimulation {
        do throws(ParameterError) {
            return try simulation.prepared(parameters, tables: tables)
        } catch {
            throw refusal(error, simulation)
        }
    }

    static func parameters(
        _ given: [(name: String, value: String)], of simulation: AnySimulation
    ) throws(UsageError) -> [UInt64] { try parameters(given, simulation.parameters, of: simulation.name) }

    static func parameters(
        _ given: [(name: String, value: String)], _ parameters: [ParameterDescription], of owner: String
    ) throws(UsageError) -> [UInt64] {
        var slots = parameters.map(\.standard)
        var seen: Set<String> = []
        for (name, value) in given {
            guard let index = parameters.firstIndex(where: { $0.label == name }) else {
                let names = parameters.map(\.label)
                let hint = Spelling.hint(for: name, among: names)
                let known = names.isEmpty ? "; it has none" : "; parameters: \(names.joined(separator: ", "))"
                throw UsageError(
                    "unknown parameter \(Spelling.quoted(name)) of \(owner)" + (hint.isEmpty ? known : hint))
            }
            guard seen.insert(name).inserted else { throw UsageError("parameter '\(name)' is given twice") }
            do throws(ParameterTextError) {
                slots[index] = try parameters[index].slot(of: value)
            } catch {
                throw UsageError(ValueError(error.reason).message(value: value, of: "parameter '\(name)'"))
            }
        }
        return slots
    }

    static func tables(_ given: [(name: String, value: String)], of simulation: AnySimulation) throws -> [Table] {
        try tables(given, simulation.inputs, of: simulation.name)
    }

    static func tables(
        _ given: [(name: String, value: String)], _ inputs: [Input], of owner: String
    ) throws -> [Table] {
        let names = inputs.map(\.name)
        var tables = [Table](repeating: .empty, count: names.count)
        for (name, path) in given {
            guard let index = names.firstIndex(of: name) else {
                let hint = Spelling.hint(for: name, among: names)
                let known = names.isEmpty ? "; it reads no files" : "; inputs: \(names.joined(separator: ", "))"
                throw UsageError(
                    "unknown input \(Spelling.quoted(name)) of \(owner)" + (hint.isEmpty ? known : hint))
            }
            guard tables[index].isEmpty else { throw UsageError("input '\(name)' is given twice") }
            tables[index] = try TableFile.read(path, for: inputs[index])
        }
        return given.isEmpty ? [] : tables
    }

    private static func refusal(_ error: ParameterError, _ simulation: AnySimulation) -> any Error {
        switch error {
        case .conflict(let problem): UsageError("\(simulation.name): \(problem)")
        case .outOfRange(let index):
            UsageError(
                "parameter '\(simulation.parameters[index].label)' must be \(simulation.parameters[index].range)")
        case .wrongCount: UsageError("\(simulation.name) takes \(simulation.parameters.count) parameters")
        case .wrongTables: UsageError("\(simulation.name) takes \(simulation.inputs.count) tables")
        case .failed(let failure): Failure(message: failure.reason)
        }
    }
}

extension Failure {
    /// Creates the error of a simulation whose parameters were checked before.
    init(cannotRun simulation: String, _ error: ParameterError) {
        guard case .failed(let failure) = error else {
            self.init(message: "\(simulation) cannot run with these parameters")
            return
        }
        self.init(message: failure.reason)
    }
}
