import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// The same simulation with many sets of parameters: what `potluck run` does if a parameter has several values.
struct Sweep {
    static let file = Option(
        "sweep", "FILE", "run it with the parameters of each line of a CSV file", in: .compute, CommonOptions.file)
    static let commonSeed = Flag(
        "common-seed", "use the same seed for every set of parameters", in: .compute)

    typealias Point = SweepPoint

    let chosen: ChosenSimulation
    /// The names of the parameters that distinguish the points.
    let varied: [String]
    let points: [Point]
    let files: RunPlan.Files
    let cores: Int
    /// The seed from which those of the points are derived.
    let seed: UInt64
    /// The same for everybody who runs the same sweep.
    let id: JobID

    var simulation: AnySimulation { chosen.simulation }

    /// Whether points end by the clock, so that they differ each time.
    var isTimed: Bool { points.contains { $0.goal.duration != nil } }

    /// Whether its points go round by round on one machine. Half a search or half a list of primes says nothing, and points
    /// that share a time would have only a part of it.
    var goesInRounds: Bool { simulation.shape == .tally && !isTimed }

    /// Returns nil if the arguments describe a single run.
    init?(_ chosen: ChosenSimulation, _ arguments: Arguments) throws {
        let simulation = chosen.simulation
        let given = try arguments.all(RunPlan.parameter)
        let choices = try ParameterChoices(given, of: simulation, most: SweepPoint.most)
        let path = try arguments[Self.file]
        guard path != nil || !choices.varied.isEmpty else {
            if arguments[Self.commonSeed] { throw UsageError("--common-seed is for several values of a parameter") }
            return nil
        }
        try Self.refuseStray(arguments)
        var sets = choices.combinations.map { (place: "", given: $0) }
        var varied = choices.varied
        if let path {
            if let name = varied.first {
                throw UsageError("--sweep and several values of '\(name)' cannot be used together")
            }
            let (names, lines) = try SweepFile.points(path)
            sets = lines.map { ("\(Spelling.path(path)), line \($0.number): ", given + $0.given) }
            varied = names
        }
        // Asking the system for each point would take longer than to check it.
        let available = Machine.cores
        cores = try arguments[ComputeArguments.cores] ?? ComputeArguments.standardCores(of: available)
        let files = try RunPlan.Files(simulation, arguments)
        let drawn = simulation.shape == .tally ? Machine.drawSeed() : 0
        let seed = try arguments[RunPlan.seed] ?? drawn
        // Without a seed of its own, work that is no tally has seed 0, as a single run has.
        let isCommon = try arguments[Self.commonSeed] || simulation.shape != .tally && arguments[RunPlan.seed] == nil
        let points = try sets.map { place, given in
            let values = ParameterChoices.values(of: varied, in: given)
            do {
                // The prepared simulation may be large, so it is not kept.
                let plan = try RunPlan(simulation, arguments, given: given, files, cores: available, seed: drawn)
                return Point(
                    varied: values, given: given, parameters: plan.parameters,
                    seed: isCommon ? seed : SweepPoint.seed(from: seed, plan.parameters), goal: plan.goal)
            } catch let error as UsageError where sets.count > 1 {
                let name = place.isEmpty ? Self.name(varied, values) + ": " : place
                throw UsageError(name + error.message, stray: error.stray)
            }
        }
        try Self.refuseEqual(points, varied)
        if points.contains(where: { $0.goal == Goal() }) {
            throw UsageError("a sweep needs --trials, --until or --for, so that each point ends")
        }
        self.chosen = chosen
        self.varied = varied
        self.points = points
        self.files = files
        self.seed = seed
        id = SweepPoint.sweep(of: simulation.identity, points, files.tables)
    }

    private static func refuseStray(_ arguments: Arguments) throws(UsageError) {
        let stray = [
            RunOutput.option.declaration, JobArguments.hideExact.declaration, JobArguments.progress.declaration,
            JobArguments.delay.declaration,
        ]
        for option in stray where arguments.has(option) {
            throw UsageError("--\(option.name) is for a single run; leave it out, or give each parameter one value")
        }
    }

    /// Points with the same parameters would be the same run.
    private static func refuseEqual(_ points: [Point], _ varied: [String]) throws(UsageError) {
        var seen: [[UInt64]: Point] = [:]
        for point in points {
            guard seen.updateValue(point, forKey: point.parameters) == nil else {
                let name = name(varied, point.varied)
                throw UsageError("\(name) occurs twice; a sweep has each set of parameters once")
            }
        }
    }

    /// How messages call a point.
    static func name(_ varied: [String], _ values: [String]) -> String {
        zip(varied, values).map { "\($0)=\($1)" }.joined(separator: ", ")
    }

    func name(of point: Point) -> String { Self.name(varied, point.varied) }

    /// The plan of a single run that repeats a point.
    func plan(of point: Point, _ arguments: Arguments) throws -> RunPlan {
        var plan = try RunPlan(
            simulation, arguments, given: point.given, files, cores: Machine.cores, seed: point.seed)
        plan.seed = point.seed
        return plan
    }

    /// The name of the last parameter that distinguishes the points and is a number.
    var axis: String? {
        varied.last { name in
            switch simulation.parameters.first(where: { $0.label == name })?.domain {
            case .integer, .real: true
            case .choice, .flag, .several, nil: false
            }
        }
    }
}
