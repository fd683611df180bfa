import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckRanks

extension RankOrder {
    /// The program for this node's ranks. The order is checked first, because another node sent it.
    func program(
        within limits: PluginLimits, _ cache: CompiledCache?
    ) -> Result<@Sendable (RankSeat) throws(RankError) -> [UInt8], RankError> {
        var own = limits
        own.memory = max(PluginLimits.leastMemory, min(memoryOfRank, limits.memory))
        let module: RankModule
        do throws(SandboxError) {
            module = try RankModule(program.module, label: program.name, limits: own, cache: cache)
        } catch {
            return .failure(.ended(why: error.reason))
        }
        guard program.parameters.count == module.parameters.count else {
            return .failure(.ended(why: "\(program.name) takes \(Self.count(module.parameters.count, "parameter"))"))
        }
        for (parameter, slot) in zip(module.parameters, program.parameters) where !parameter.domain.contains(slot) {
            return .failure(.ended(why: "parameter '\(parameter.label)' must be \(parameter.range)"))
        }
        guard let tables = [Table](payload: program.payload), tables.isEmpty || tables.count == module.inputs.count
        else {
            return .failure(.ended(why: "\(program.name) takes \(Self.count(module.inputs.count, "table"))"))
        }
        let start = RankModule.Start(
            parameters: program.parameters, tables: tables, seed: program.seed, arguments: program.arguments)
        return .success(module.program(start))
    }

    private static func count(_ number: Int, _ what: String) -> String {
        "\(number) \(what)\(number == 1 ? "" : "s")"
    }
}

extension RankModule {
    /// Returns the function that computes each rank.
    func program(_ start: Start) -> @Sendable (RankSeat) throws(RankError) -> [UInt8] {
        { (seat) throws(RankError) in
            try self.run(start, on: seat) { stopper in seat.onStop { stopper.stop() } }
        }
    }
}
