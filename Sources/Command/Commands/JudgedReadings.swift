import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The readings that `--until` judges.
enum JudgedReadings {
    /// A derived reading shows only in its value whether it has an interval. It is looked for in so many trials, of which
    /// the 99th percentile needs 400.
    private static let enough: UInt64 = 1024
    private static let withInterval: Set<ReadingKind> = [.proportion, .category, .mean]

    /// Throws if `--until` would never end the run.
    static func check(
        _ precision: Precision, _ simulation: AnySimulation, _ prepared: PreparedSimulation, hasOtherEnd: Bool
    ) throws(UsageError) {
        let names = precision.names.map(\.reading)
        guard names.isEmpty else {
            return try check(names, simulation, prepared, hasOtherEnd: hasOtherEnd)
        }
        let kinds = simulation.readings.map(\.kind)
        if kinds.contains(where: withInterval.contains) { return }
        if kinds.contains(.derived), !judged(prepared, blocks: 1).isEmpty { return }
        throw UsageError(
            "\(simulation.name) has no reading with an interval, so --until would never stop it; use --trials or --for")
    }

    /// The number of trials after which `--until` ends a run in any case; nil if there is none. By then Wilson's
    /// interval of any proportion is narrow enough. Only a reading whose trials were all alike is left, and that is far
    /// below its bound of 3/n. Runs that reach their precision stop before. The number is part of the goal, so that
    /// every node and version stops at the same trial.
    static func cap(_ precision: Precision, _ simulation: AnySimulation, blockSize: Int) -> UInt64? {
        let names = precision.names.map(\.reading)
        let judged = simulation.readings.filter { names.isEmpty || names.contains($0.name) }.map(\.kind)
        let limits = precision.every.map { [$0] } ?? precision.names.map(\.limit)
        guard limits.allSatisfy({ $0.absolute != nil }), let limit = limits.compactMap(\.absolute).min(),
            judged.contains(.proportion),
            judged.allSatisfy({ !$0.isNumber || [.proportion, .variance].contains($0) })
        else { return nil }
        // The interval is widest for one half, where half its width is below 0.98/√n.
        let blocks = (0.9604 / (limit * limit) / Double(blockSize)).rounded(.up)
        guard blocks < 0x1p52 else { return nil }
        // One checkpoint later, because a run stops at checkpoints.
        let end = Checkpoint.blocks(Checkpoint.after(UInt64(blocks)) + 1).multipliedReportingOverflow(
            by: UInt64(blockSize))
        return end.overflow || end.partialValue > Goal.mostTrials ? nil : end.partialValue
    }

    /// Throws if one of the readings does not exist, or cannot end the run.
    private static func check(
        _ names: [String], _ simulation: AnySimulation, _ prepared: PreparedSimulation, hasOtherEnd: Bool
    ) throws(UsageError) {
        let possible = simulation.readings.filter { $0.kind == .derived || withInterval.contains($0.kind) }
        for name in names where !possible.contains(where: { $0.name == name }) {
            throw ChosenReadings.unknown(name, "with an interval", of: simulation, among: possible.map(\.name))
        }
        var unseen = Set(names)
        for reading in possible where withInterval.contains(reading.kind) { unseen.remove(reading.name) }
        var blocks: UInt64 = 1
        while !unseen.isEmpty, !hasOtherEnd {
            unseen.subtract(judged(prepared, blocks: blocks))
            if blocks * UInt64(prepared.blockSize) >= enough { break }
            blocks *= 2
        }
        guard !hasOtherEnd, let name = names.first(where: unseen.contains) else { return }
        throw UsageError(
            "\(Spelling.quoted(name)) has no interval after \(blocks * UInt64(prepared.blockSize)) trials, so --until may never "
                + "stop \(simulation.name); add --trials or --for")
    }

    /// The names of the readings that have an interval after so many blocks.
    private static func judged(_ prepared: PreparedSimulation, blocks: UInt64) -> [String] {
        let tally = prepared.run(ChunkRequest(seed: 0, blocks: 0..<blocks, trials: nil), { false }).slots
        return prepared.read(tally, blocks * UInt64(prepared.blockSize)).filter { $0.halfWidth != nil }.map(\.name)
    }
}
