import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// The first blocks of a run, in which two ways to compute the same are compared.
struct FirstBlocks {
    let seed: UInt64
    let first: UInt64
    let size: UInt64

    /// So many trials show, nearly always, what is wrong in one of a thousand.
    private static let trials: UInt64 = 16384
    /// The nanoseconds that may be spent on each way, beyond the first block. Nobody notices them.
    private static let allowance: Int64 = 10_000_000

    /// Returns whether both ways give the same tally. A block that fails says nothing.
    func agree(_ one: PreparedSimulation.Runner, _ other: PreparedSimulation.Runner) -> Bool {
        let begin = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        guard agree(one, other, first..<first + 1) else { return false }
        let time = max(1, nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - begin)
        let most = min(Self.trials / size, UInt64(2 * Self.allowance / time))
        return most < 2 || agree(one, other, first + 1..<first + most)
    }

    private func agree(
        _ one: PreparedSimulation.Runner, _ other: PreparedSimulation.Runner, _ blocks: Range<UInt64>
    ) -> Bool {
        let request = ChunkRequest(seed: seed, blocks: blocks, trials: nil)
        let (ours, theirs) = (one(request) { false }, other(request) { false })
        return ours.failure != nil || theirs.failure != nil || ours.slots == theirs.slots
    }
}

extension AnySimulation {
    /// The same simulation, which refuses its parameters if the author's `lane` gives another tally with them than the trials.
    /// `single` is the same without that `lane`.
    public func compared(with single: AnySimulation) -> AnySimulation {
        AnySimulation(
            name: name, summary: summary, source: source, parameters: parameters, layout: layout, readings: readings,
            shape: shape, inputs: inputs
        ) { values, tables in
            Result { () throws(ParameterError) in
                let ours = try prepared(values, tables: tables)
                guard let theirs = try? single.prepared(values, tables: tables) else { return ours }
                let blocks = FirstBlocks(seed: LawCheck.seed, first: 0, size: UInt64(ours.blockSize))
                guard blocks.agree(ours.run, theirs.run) else {
                    throw .failed(SimulationFailure("\(name): \(SimulationFailure.laneDiffers)"))
                }
                return ours
            }
        }
    }
}
