/// What an author writes: parameters, a tally, one trial, and how to read the result.
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
/// The same file compiles natively and, as Embedded Swift, into a WebAssembly module. A trial may keep nothing from one
/// call to the next: whatever it learns goes into the tally.
public protocol Simulation: Work {
    /// One draw.
    func trial(_ random: inout RandomStream, _ tally: inout Tally)

    /// All the trials of one lane. Write this as well as `trial` where a lane has something to prepare once, or keeps plain
    /// `Double`s as scratch that it adds to the tally at its end; it must give what `trials` calls of `trial` would.
    func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int)
}

/// What holds for every block.
public enum Block {
    /// One trial in each lane.
    public static var smallest: Int { 16 }
    /// At 10⁹ trials a second 65 µs, and yet large enough that starting sixteen streams costs a hundredth of it.
    public static var largest: Int { 65_536 }
    /// Steps in a block: 50 ms is the most that a block may take, and a step, which is a draw and what is done with it,
    /// takes 5 to 10 ns on a laptop. The rest is for slower machines and for trials longer than the usual.
    public static var steps: Int { 1 << 20 }

    /// The size of a block of trials that take about so many steps each: as large as keeps it to `steps` in all.
    public static func size(forTrialsOf steps: Int) -> Int {
        var size = largest
        while size > smallest && size > self.steps / max(1, steps) { size /= 2 }
        return size
    }
}

extension Simulation {
    public var blockSize: Int { Block.largest }

    @inlinable @inline(__always)
    public func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int) {
        var left = trials
        #if arch(wasm32)
            // The sandbox looks at its clock in every turn of a loop. Loops of a fixed number of short turns are no loops
            // any more when they are compiled, so it looks once in four trials.
            while left >= 4 {
                for _ in 0..<4 { next(&random, &tally) }
                left &-= 4
            }
        #endif
        while left > 0 {
            next(&random, &tally)
            left &-= 1
        }
    }

    @inlinable @inline(__always)
    func next(_ random: inout RandomStream, _ tally: inout Tally) {
        #if POTLUCK_LOG
            LogBook.trial &+= 1
        #endif
        trial(&random, &tally)
    }

    /// Runs one block of `trials` trials: lane `l` runs ⌈(trials − l) / 16⌉ of them, lanes in order.
    @inlinable
    public func run(block: UInt64, trials: Int, seed: UInt64, into tally: inout Tally) {
        for lane in 0..<min(RandomStream.lanes, trials) {
            var random = RandomStream(seed: seed, block: block, lane: lane)
            #if POTLUCK_LOG
                (LogBook.lane, LogBook.trial) = (lane, 0)
            #endif
            self.lane(&random, &tally, trials: (trials &- lane &+ 15) &>> 4)
        }
    }
}
