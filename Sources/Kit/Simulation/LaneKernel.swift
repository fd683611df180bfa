/// Runs the same number of trials in all sixteen lanes of a block side by side, with the same result as `trial`.
///
/// `states` holds four times sixteen words: the first state word of every lane, then the second, and so on.
public typealias LaneKernel<S: Simulation> =
    @Sendable (
        _ states: UnsafeMutablePointer<UInt32>, _ trialsPerLane: Int, _ tally: inout S.Tally
    ) -> Void

extension Simulation {
    /// Runs a block with a kernel. The number of trials must be a multiple of sixteen.
    @inlinable
    func run(block: UInt64, trials: Int, seed: UInt64, by kernel: LaneKernel<Self>, into tally: inout Tally) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4 * RandomStream.lanes) { states in
            for lane in 0..<RandomStream.lanes {
                let state = RandomStream(seed: seed, block: block, lane: lane).state
                for word in 0..<4 { states[word &* RandomStream.lanes &+ lane] = state[word] }
            }
            kernel(states.baseAddress!, trials / RandomStream.lanes, &tally)
        }
    }
}
