import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// The options for what a node contributes: its cores, their priority, and whether it computes on battery.
enum ComputeArguments {
    static let cores = Option("cores", "N", "compute on N cores", in: .place, default: "all cores", Quantities.cores)
    static let noCompute = Flag("no-compute", "do not compute on this machine", in: .place)
    /// The default for nodes of a session is low, so that the owner of a lent laptop notices nothing.
    static let priority = priority(unlessSaid: .background)
    /// The default for a run on this machine is higher, because its user waits for the result.
    static let ownPriority = priority(unlessSaid: .normal)

    static func priority(unlessSaid standard: Priority) -> Option<Priority> {
        Option(
            "priority", "LEVEL",
            "interactive, normal, utility or background", in: .place, default: "\(standard)",
            values: levels, level)
    }

    static let levels = Values.words(Priority.allCases.map(\.rawValue))

    /// Reads a priority.
    static func level(_ text: String) throws(ValueError) -> Priority {
        guard let priority = Priority(rawValue: text) else {
            let names = Priority.allCases.map(\.rawValue)
            throw ValueError(
                "must be one of \(names.joined(separator: ", "))\(Spelling.hint(for: text, among: names))")
        }
        return priority
    }

    static let onBattery = Option(
        "on-battery", "pause|run", "whether to compute on battery", in: .place, default: "pause"
    ) { (text) throws(ValueError) -> Bool in
        switch text {
        case "pause": return false
        case "run": return true
        default: throw ValueError("must be pause or run")
        }
    }

    static let options =
        [
            cores.declaration, priority.declaration, onBattery.declaration, noCompute.declaration,
        ] + PluginArguments.nodeOptions

    /// Says so if the user wants more cores than there are. They are allowed, because they only share the others' time.
    static func remark(on cores: Int?) {
        guard let cores, cores > Machine.granted.count else { return }
        Output.complain("\(Machine.granted.words), so --cores \(cores) does not make it faster")
    }

    /// The default number of cores on a machine with this many.
    static func standardCores(of available: Int = Machine.cores) -> Int { min(available, Quantities.mostCores) }

    /// Returns what this node computes with, and whether it also computes on battery.
    static func read(_ arguments: Arguments) throws(UsageError) -> (computing: Computing, runsOnBattery: Bool) {
        let wanted = try arguments[cores]
        if arguments[noCompute], wanted != nil {
            throw UsageError("--cores and --no-compute cannot be used together")
        }
        remark(on: wanted)
        let cores = arguments[noCompute] ? 0 : wanted ?? standardCores()
        return (
            Computing(
                Simulations(builtIns, plugins: try PluginArguments.plugins(arguments)), cores: cores,
                priority: try arguments[priority] ?? .background),
            try arguments[onBattery] ?? Settings.runsOnBattery
        )
    }
}
