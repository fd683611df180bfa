/// A simulation, as its author writes it: parameters, a tally, one trial, and readings.
///
///     /// How often do two dice show the same number?
///     struct Doublets: Simulation {
///         static let name: StaticString = "doublets"
///         static let summary: StaticString = "How often do two dice show the same number?"
///         @Parameter("sides", "sides of each die", in: 2...100) var sides = 6
///
///         struct Tally: SimulationTally {
///             var same = Count()
///             mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("same", &same) }
///         }
///
///         func trial(_ random: inout RandomStream, _ tally: inout Tally) {
///             tally.same.add(random.below(sides) == random.below(sides))
///         }
///
///         static var readings: [ReadingRule<Doublets>] {
///             proportion("same", { $0.same }, exact: { 1 / Double($0.sides) })
///         }
///     }
///
/// The same file compiles natively and, as Embedded Swift, into a WebAssembly module. A trial must not keep
/// anything for the next call. Its result goes into the tally.
public protocol Simulation: Work {
    /// Runs one trial: draws from `random` and adds the result to `tally`.
    func trial(_ random: inout RandomStream, _ tally: inout Tally)

    /// Runs all trials of one lane. Implement it in addition to `trial` if a lane can prepare
    /// something once, or can use plain `Double`s and add them to the tally at its end. It
    /// must give the same result as `trials` calls of `trial`.
    func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int)

    /// Runs one block. Authors do not implement it: it calls `lane`, or `lanes` of a `LaneSimulation` where that is
    /// compiled for vector instructions.
    func run(block: UInt64, trials: Int, seed: UInt64, into tally: inout Tally)
}

/// Limits for the size of blocks.
public enum Block {
    /// The smallest block has one trial in each lane.
    public static var smallest: Int { 16 }
    /// The largest block. At 10⁹ trials a second it takes 65 µs, and starting its
    /// sixteen streams is a hundredth of that.
    public static var largest: Int { 65_536 }
    /// The most steps in a block. A step is one draw and its use, and takes 5 to 10 ns on a laptop. A block may take
    /// 50 ms, so this leaves room for slower machines and for trials that take longer than usual.
    public static var steps: Int { 1 << 20 }

    /// Returns the largest power of two, in the allowed range, of trials with
    /// `steps` steps each that stays within `Block.steps`.
    public static func size(forTrialsOf steps: Int) -> Int {
        var size = largest
        while size > smallest && size > self.steps / max(1, steps) { size /= 2 }
        return size
    }
}

extension Simulation {
    /// The largest block, `Block.largest`.
    public var blockSize: Int { Block.largest }

    /// Calls `trial` as often as the lane has trials.
    @inlinable @inline(__always)
    public func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int) {
        var left = trials
        #if arch(wasm32)
            // The sandbox reads its clock in every iteration of a loop. The compiler unrolls short loops with a fixed
            // count, so the sandbox reads the clock once in four trials.
            while left >= 4 {
                for done in 0..<4 { next(&random, &tally, left: left &- done) }
                left &-= 4
            }
        #endif
        while left > 0 {
            next(&random, &tally, left: left)
            left &-= 1
        }
    }

    @inlinable @inline(__always)
    func next(_ random: inout RandomStream, _ tally: inout Tally, left: Int) {
        LogBook.beginTrial()
        random.beginTrial(left: left)
        trial(&random, &tally)
    }

    /// Runs one block by trials.
    @inlinable
    public func run(block: UInt64, trials: Int, seed: UInt64, into tally: inout Tally) {
        runTrials(block: block, trials: trials, seed: seed, into: &tally)
    }

    /// Runs one block of `trials` trials. Lane `l` runs ⌈(trials − l) / 16⌉ of them, and the lanes run in order.
    @inlinable
    public func runTrials(block: UInt64, trials: Int, seed: UInt64, into tally: inout Tally) {
        let first = block &* UInt64(blockSize)
        for lane in 0..<min(RandomStream.lanes, trials) {
            let count = (trials &- lane &+ 15) &>> 4
            var random = RandomStream(seed: seed, block: block, lane: lane)
            random.beginLane(seed: seed, first: first &+ UInt64(lane), trials: count)
            LogBook.beginLane(lane)
            self.lane(&random, &tally, trials: count)
        }
    }
}
