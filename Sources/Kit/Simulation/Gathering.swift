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
    /// The tables of numbers that it reads from files, in addition to its parameters.
    static var inputs: [Input] { get }

    /// Called once before any block, to compute what all blocks need. There is one table for each input; it is empty if
    /// the user gave no file. Returns what is wrong with the tables, or nil if nothing is.
    mutating func prepare(_ tables: [Table]) -> StaticString?

    /// The number of units, at least 1.
    var units: UInt64 { get }

    /// The kind of output that blocks write.
    var writes: OutputKind { get }

    /// Computes the units of one block, in order. `random` is the block's stream.
    func block(
        _ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally)
}

extension Gathering {
    /// No inputs.
    public static var inputs: [Input] { [] }
    /// Accepts all tables and computes nothing.
    public mutating func prepare(_ tables: [Table]) -> StaticString? { nil }
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
        var random = RandomStream(seed: seed, block: block, lane: 0)
        self.block(units, &random, &output, &tally)
    }
}

/// A declared input: a table that a gathering reads from a file.
public struct Input: Sendable {
    /// The name that users type in `--input NAME=FILE`.
    public let name: ParameterLabel
    /// A description of a few words.
    public let help: ParameterLabel

    /// Declares an input, as an author writes it.
    public init(_ name: StaticString, _ help: StaticString) {
        self.init(name: ParameterLabel(of: name), help: ParameterLabel(of: help))
    }

    /// Creates an input from labels, such as those that a module declares.
    public init(name: ParameterLabel, help: ParameterLabel) {
        self.name = name
        self.help = help
    }
}

/// A table of numbers. All rows have the same length.
public struct Table: Sendable, Equatable {
    /// The number of rows.
    public let rows: Int
    /// The number of numbers in each row.
    public let columns: Int
    /// The numbers, row by row.
    public let numbers: [Double]

    /// Creates a table. The number of `numbers` must be `rows * columns`.
    public init(rows: Int, columns: Int, numbers: [Double]) {
        precondition(rows >= 0 && columns >= 0 && numbers.count == rows * columns, "the numbers must fill the table")
        self.rows = rows
        self.columns = columns
        self.numbers = numbers
    }

    /// The table of an input for which the user gave no file.
    public static var empty: Table { Table(rows: 0, columns: 0, numbers: []) }
    /// Whether there are no numbers, as for an input without a file.
    public var isEmpty: Bool { numbers.isEmpty }
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
