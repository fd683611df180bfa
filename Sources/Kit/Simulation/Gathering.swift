/// Work with a number of units that its parameters fix, and whose result is the output of its blocks, joined in order:
/// for example the primes below a limit, or the rows of a matrix product.
///
///     /// The squares of the first numbers.
///     struct Squares: Gathering {
///         static let name: StaticString = "squares"
///         static let summary: StaticString = "The squares of the first whole numbers"
///         @Parameter("count", "how many", in: 1...1_000_000) var count = 100
///
///         struct Tally: SimulationTally {
///             var even = Count()
///             mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("even", &even) }
///         }
///
///         var units: UInt64 { UInt64(count) }
///         var blockSize: Int { 4096 }
///
///         func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
///             for number in units {
///                 output.line(number * number)
///                 tally.even.add(number % 2 == 0)
///             }
///         }
///
///         static var readings: [ReadingRule<Squares>] { derived("even", { _, tally, _ in Double(tally.even.value) }) }
///     }
///
/// A unit corresponds to a simulation's trial. The same file compiles natively and into a WebAssembly
/// module. A block must not keep anything for the next one.
public protocol Gathering: Work {
    /// The number of units, at least 1.
    var units: UInt64 { get }

    /// The kind of output that blocks write.
    var writes: OutputKind { get }

    /// Computes the units of one block, in order. `random` is the block's stream.
    func block(
        _ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally)
}

extension Gathering {
    /// Text.
    public var writes: OutputKind { .text }
}

extension Block {
    /// The most units in a block of a gathering. Units of one nanosecond then make a block of a millisecond.
    public static var largestGathered: Int { 1 << 20 }
    /// A chunk ends after the block that brings its output to this many bytes, because a
    /// chunk's output is kept in memory and sent as a whole.
    public static var mostWritten: Int { 1 << 20 }
}

extension Gathering {
    /// Returns the units of a block; an empty range beyond the last unit.
    @inlinable
    public func units(of block: UInt64) -> Range<UInt64> {
        let size = UInt64(blockSize)
        let (first, overflow) = block.multipliedReportingOverflow(by: size)
        let start = overflow ? units : min(first, units)
        return start..<start + min(size, units - start)
    }

    /// Runs the first `most` units of a block.
    @inlinable
    public func run(block: UInt64, most: UInt64, seed: UInt64, output: inout Output, into tally: inout Tally) {
        let all = units(of: block)
        let units = all.lowerBound..<all.lowerBound + min(most, all.upperBound - all.lowerBound)
        if units.isEmpty { return }
        var random = RandomStream(seed: seed, block: block, first: units.lowerBound)
        self.block(units, &random, &output, &tally)
    }
}

/// The kind of a gathering's output. The raw values are part of the ABI: append, never renumber.
public enum OutputKind: UInt64, Sendable {
    /// No output. The tally is the whole result.
    case nothing = 0
    /// Text, which people can read.
    case text = 1
    /// Real numbers of eight bytes each, the same number for each unit: a row of a table.
    case rows = 2
}
