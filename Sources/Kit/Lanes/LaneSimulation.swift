/// A simulation that also has a version of its trial for sixteen lanes at once. Where the CPU, the browser or the sandbox
/// has vector instructions, it runs instead of `trial`, and it must give the same tally, bit by bit. `potluck check`
/// compares both.
///
///     struct Doublets: LaneSimulation {
///         …
///         func trial(_ random: inout RandomStream, _ tally: inout Tally) {
///             tally.same.add(random.below(sides) == random.below(sides))
///         }
///
///         func lanes(_ random: inout LaneStreams, _ tally: inout Tally) {
///             tally.same.add(random.below(sides) == random.below(sides))
///         }
///     }
///
/// A value in `lanes` is a `Lane<Int32>`, a `Lane<Double>` or a `LaneMask`: one number or one condition for each lane.
public protocol LaneSimulation: Simulation {
    /// Runs one trial in each lane. It must draw in the same order as `trial`.
    func lanes(_ random: inout LaneStreams, _ tally: inout Tally)

    /// Runs `trials` trials in each lane. Implement it in addition to `lanes` if the lanes can prepare something once. It
    /// must give the same result as `trials` calls of `lanes`.
    func lanes(_ random: inout LaneStreams, _ tally: inout Tally, trials: Int)
}

extension LaneSimulation {
    /// Calls `lanes` as often as each lane has trials.
    @inlinable @inline(__always)
    public func lanes(_ random: inout LaneStreams, _ tally: inout Tally, trials: Int) {
        var left = trials
        #if arch(x86_64) && !POTLUCK_AVX2
            // AVX-512 has registers for two rounds. Elsewhere a second one would only be in the way of the first.
            while left >= 2 {
                lanes(&random, &tally)
                lanes(&random, &tally)
                left &-= 2
            }
        #endif
        while left > 0 {
            lanes(&random, &tally)
            left &-= 1
        }
    }

    /// Runs one block by lanes, with the result of `runTrials`. All lanes run ⌊trials / 16⌋ trials side by side. If trials
    /// are left, the first lanes continue with `trial`.
    @inlinable
    public func runLanes(block: UInt64, trials: Int, seed: UInt64, into tally: inout Tally) {
        var random = LaneStreams(seed: seed, block: block)
        lanes(&random, &tally, trials: trials / RandomStream.lanes)
        for lane in 0..<trials % RandomStream.lanes {
            var own = random[lane]
            let number = block &* UInt64(blockSize) &+ UInt64(trials / RandomStream.lanes * RandomStream.lanes + lane)
            own.origin = StreamOrigin(seed: seed, trial: number)
            LogBook.beginLane(lane, after: trials / RandomStream.lanes)
            LogBook.beginTrial()
            trial(&own, &tally)
        }
    }

    #if POTLUCK_LANES
        /// Runs one block by lanes.
        @inlinable
        public func run(block: UInt64, trials: Int, seed: UInt64, into tally: inout Tally) {
            runLanes(block: block, trials: trials, seed: seed, into: &tally)
        }
    #endif
}
