import Potluck
import PotluckCore
import PotluckMachine
import PotluckRanks
import PotluckScreen

/// The arguments of `potluck launch`, checked.
struct LaunchPlan: Sendable {
    let module: RankModule
    /// The module's bytes, which travel to other laptops and help to find the line of a crash.
    let octets: [UInt8]
    /// The number of ranks; nil for one on each core.
    let size: Int?
    let start: RankModule.Start
    /// The most memory of a rank, in bytes.
    let memory: Int
    let isTraced: Bool
    /// Whether each send waits until it is received.
    let isSynchronous: Bool

    /// - Parameter sources: how many of the arguments name the program.
    init(_ module: RankModule, _ octets: [UInt8], _ arguments: Arguments, sources: Int) throws {
        (self.module, self.octets) = (module, octets)
        size = try arguments[LaunchCommand.ranks]
        start = RankModule.Start(
            parameters: try RunPlan.parameters(
                try arguments.all(LaunchCommand.parameter), module.parameters, of: module.name),
            tables: try RunPlan.tables(try arguments.all(RunPlan.input), module.inputs, of: module.name),
            seed: try arguments[LaunchCommand.seed] ?? 0, arguments: arguments.rest(after: sources))
        memory = try arguments[PluginArguments.memory] ?? PluginLimits.standardMemory
        isTraced = try arguments[LaunchCommand.trace] != nil
        isSynchronous = arguments[LaunchCommand.synchronous]
    }
}
