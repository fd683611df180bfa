import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// `potluck scale`: measures how the speed of a job grows with the number of cores, or of nodes of a session, and how it
/// depends on the number of tasks.
enum ScaleCommand {
    private static let cores = Option(
        "cores", "N,…", "numbers of cores to compare", in: .place, default: "1, 2, 4, … all cores"
    ) { (text) throws(ValueError) -> [Int] in
        try counts(text) { (part) throws(ValueError) in try Quantities.cores(part) }
    }

    /// The most tasks of a job. Each takes a thread and some memory, and its start some milliseconds.
    private static let mostTasks = 10_000
    private static let tasks = Option(
        "tasks", "N,…", "compare numbers of tasks, which share the cores as in a queue", in: .place
    ) { (text) throws(ValueError) -> [Int] in
        try counts(text) { (part) throws(ValueError) in
            guard let count = Int(part), (1...mostTasks).contains(count) else {
                throw ValueError("must be from 1 to \(mostTasks)")
            }
            return count
        }
    }

    /// Reads several different numbers with commas between them.
    private static func counts(
        _ text: String, _ read: (String) throws(ValueError) -> Int
    ) throws(ValueError) -> [Int] {
        var counts: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let count = try read(String(part))
            guard !counts.contains(count) else { throw ValueError("\(count) is given twice") }
            counts.append(count)
        }
        return counts
    }

    /// The number of runs whose mean a row shows. Five give an interval of 2.8 standard errors.
    private static let standardRepetitions = 5
    private static let mostRepetitions = 1000
    /// The most points of one command. More would be a mistake: each takes some runs.
    private static let mostPoints = 1000
    private static let repetitions = Option(
        "repeat", "N", "run each job N times", in: .limits, default: "\(standardRepetitions)"
    ) { (text) throws(ValueError) -> Int in
        guard let count = Int(text), (1...mostRepetitions).contains(count) else {
            throw ValueError("must be from 1 to \(mostRepetitions)")
        }
        return count
    }
    /// Everybody who measures the same job gets the same digest.
    private static let standardSeed: UInt64 = 0
    private static let seed = Option(
        "seed", "S", "seed of the random numbers", in: .compute, default: "\(standardSeed)", Quantities.seed)
    private static let parameter = Option(
        "parameter", short: "p", "NAME=VALUES", "set a parameter to one value or to several: 5, 8..13 or 3,5,9",
        in: .compute, repeats: true, RunPlan.nameAndValue)

    private static let session = Option(
        "session", "SESSION", "compare numbers of nodes of a session", in: .place
    ) { (text) throws(ValueError) -> SessionID in
        guard let id = SessionID(text) else { throw ValueError("not a session name") }
        return id
    }
    private static let output = Option(
        "output", short: "o", "FILE", "also draw the speed-up as SVG in this file", in: .output
    ) { (text) throws(ValueError) -> String in
        guard text.lowercased().hasSuffix(".svg") else { throw ValueError("the name must end in .svg") }
        return text
    }
    private static let nodes = Option(
        "nodes", "NAME,…", "with --session: the nodes, in the order in which they are added", in: .place,
        JobArguments.names)

    static let verb = Verb(
        declaration: Command(
            "scale", "measure how the speed of a job grows with the number of cores or nodes",
            positionals: [Positional.simulation],
            options: [
                parameter.declaration, RunPlan.input.declaration, seed.declaration, RunPlan.trials.declaration,
                repetitions.declaration, cores.declaration, tasks.declaration, ComputeArguments.ownPriority.declaration,
                session.declaration, nodes.declaration,
            ] + PluginArguments.options + [
                RunPlan.json.declaration, RunPlan.csv.declaration, output.declaration, FileWriter.force.declaration,
            ] + LogArguments.options
                + StateDirectory.options + GuestSession.options,
            details: [
                "Runs the same job on each number of cores and prints a table: the mean time, the speed-up over the first "
                    + "number of cores, and the efficiency, which is the speed-up for each core. Each has a 95 % interval "
                    + "(±) over the repetitions.",
                "The numbers of cores take turns, so that a machine that becomes slower or faster affects all of them. "
                    + "One run before them is not counted. Close other programs: they take part of the time.",
                "With --tasks 1,4,10,100, the job is cut into so many tasks of equal size. Each has a core, and as many run at "
                    + "once as there are cores. One task uses one core, and too many cost more than they bring.",
                "With --session and --nodes ana,bob,cyd, the job runs on ana, then on ana and bob, then on all three. The "
                    + "table also shows the part of the work of each node. Browsers do not take part.",
                "A search also shows the nodes of its tree that it expanded, the part of them in vain, and its computation "
                    + "efficiency: the nodes that the first number of cores expanded, for each one expanded here. Beside each "
                    + "node of a session stand those that it expanded, and the part of them in vain.",
                "Every run must give the same digest. Potluck does not record these runs; the nodes of a session record "
                    + "them as they do all jobs.",
            ],
            examples: [
                "scale monty-hall --trials 1e9", "scale tsp -p cities=8..13 -p bound=cost",
                "scale primes -p limit=1e6,1e7 --cores 1,2", "scale primes -p method=trial --tasks 1,4,10,100",
                "scale monty-hall --trials 1e11 --session Monty --nodes ana,bob,cyd",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let chosen = try ChosenSimulation(arguments)
        let simulation = chosen.simulation
        let choices = try ParameterChoices(try arguments.all(parameter), of: simulation, most: mostPoints)
        let varied = choices.varied
        let points = try choices.combinations.map { set in
            Scaling.Point(
                varied: ParameterChoices.values(of: varied, in: set),
                parameters: try RunPlan.parameters(set, of: simulation))
        }
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: simulation)
        let trials = try arguments[RunPlan.trials]
        for point in points {
            let prepared = try RunPlan.prepared(simulation, point.parameters, tables)
            if prepared.search != nil {
                try RunPlan.refuseStray(arguments, of: simulation, isFromFiles: !tables.isEmpty)
            } else {
                try check(prepared, simulation, trials)
            }
        }
        try RunPlan.refuseBoth(json: arguments[RunPlan.json], csv: arguments[RunPlan.csv])
        let file = try arguments[output]
        if let file { try FileWriter.check(file, arguments) }
        let (counts, place) = try place(arguments)
        let bench = ScaleBench(
            chosen: chosen, tables: tables, seed: try arguments[seed] ?? standardSeed, goal: Goal(trials: trials),
            repetitions: try arguments[repetitions] ?? standardRepetitions, isQuiet: arguments[LogArguments.quiet],
            place: place)
        let scaling = try await bench.measure(points, on: counts, varied: varied, arguments)
        let text = ScaleText(
            simulation: simulation, varied: varied, seed: bench.seed, trials: trials, repetitions: bench.repetitions,
            scaling: scaling)
        if arguments[RunPlan.json] {
            try Output.write(text.json.text + "\n")
        } else if arguments[RunPlan.csv] {
            try Output.write(text.csv)
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(ScaleView(scaling, varied: varied).lines(text.heading, on: canvas)))
        }
        if let file { try draw(scaling, varied, simulation.name, in: file) }
        if let (one, other) = scaling.disagreement {
            throw Failure(
                message: "\(one.count) and \(scaling.unit.words(other.count)) gave different results; "
                    + "'potluck check' finds out why")
        }
        return Interrupts.asked ?? .success
    }

    private static func draw(_ scaling: Scaling, _ varied: [String], _ simulation: String, in file: String) throws {
        guard let drawing = Drawings.speedUps(scaling, varied: varied, of: simulation) else {
            throw Failure(message: "nothing to draw: no run has ended")
        }
        try FileWriter.write(drawing, overwriting: file)
        let left = Drawings.leftOut(scaling, varied: varied, of: simulation)
        if let remark = left.remark(on: "sets of parameters") { Output.complain(remark) }
    }

    /// The numbers of cores or nodes to compare, and where they are.
    private static func place(_ arguments: Arguments) throws -> (counts: [Int], place: ScaleBench.Place) {
        guard let session = try arguments[session] else {
            try JobArguments.refuse([nodes.declaration] + GuestSession.options, in: arguments)
            let counts = try arguments[cores]
            for count in counts ?? [] { ComputeArguments.remark(on: count) }
            let priority = try arguments[ComputeArguments.ownPriority] ?? .normal
            guard let tasks = try arguments[tasks] else { return (counts ?? standardCores, .here(priority)) }
            guard (counts ?? []).count < 2 else {
                throw UsageError("--tasks compares numbers of tasks, so --cores takes one number beside it")
            }
            return (tasks, .tasks(cores: counts?[0] ?? ComputeArguments.standardCores(), priority))
        }
        if let stray = [cores.declaration, tasks.declaration, ComputeArguments.ownPriority.declaration].first(
            where: arguments.has)
        {
            throw UsageError("--\(stray.name) applies to this machine, not to a session; leave it out")
        }
        guard let names = try arguments[nodes] else {
            throw UsageError("missing option --nodes: the nodes to compare, such as --nodes ana,bob")
        }
        return (Array(1...names.count), .session(session, nodes: names))
    }

    /// Powers of two below the number of cores, and that number.
    private static var standardCores: [Int] {
        let all = ComputeArguments.standardCores()
        return Array(sequence(first: 1) { 2 * $0 < all ? 2 * $0 : nil }.prefix { $0 < all }) + [all]
    }

    /// Throws an error for the user if the job has no end, or fewer trials than wanted.
    private static func check(
        _ prepared: PreparedSimulation, _ simulation: AnySimulation, _ trials: UInt64?
    ) throws(UsageError) {
        switch (prepared.units, trials) {
        case (nil, nil): throw UsageError("missing option --trials: every number of cores computes the same trials")
        case (let units?, let trials?): try RunPlan.refuse(trials, above: units, of: simulation)
        default: break
        }
    }
}
