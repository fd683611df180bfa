/// Work that is as long as its parameters say, and whose result is what it writes, block after block: the primes below a
/// limit, the rows of a product.
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
/// A unit is what a trial is to a simulation. The same file compiles natively and into a WebAssembly module. A block may
/// keep nothing for the next one.
public protocol Gathering: Work {
    /// What it takes beside its parameters: tables of numbers, from files.
    static var inputs: [Input] { get }

    /// Called once before anything is computed, with a table for each input, empty ones where people gave none. Here is the
    /// place for what all blocks need. Gives what is wrong; nil where nothing is.
    mutating func prepare(_ tables: [Table]) -> StaticString?

    /// How many units there are, at least one.
    var units: UInt64 { get }

    /// What is written.
    var writes: OutputKind { get }

    /// Computes the units of one block, in order. `random` is the block's stream.
    func block(
        _ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally)
}

extension Gathering {
    public static var inputs: [Input] { [] }
    public mutating func prepare(_ tables: [Table]) -> StaticString? { nil }
    public var writes: OutputKind { .text }
}

extension Block {
    /// The most units in a block of a gathering: those that cost a nanosecond take a millisecond.
    public static var largestGathered: Int { 1 << 20 }
    /// Blocks that are run together end where they have written so much: it lies in memory, and travels as one.
    public static var mostWritten: Int { 1 << 20 }
}

extension Gathering {
    /// The units of a block; none beyond the last.
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

/// What a gathering takes from a file.
public struct Input: Sendable {
    public let name: ParameterLabel
    public let help: ParameterLabel

    public init(_ name: StaticString, _ help: StaticString) {
        self.init(name: ParameterLabel(of: name), help: ParameterLabel(of: help))
    }

    public init(name: ParameterLabel, help: ParameterLabel) {
        self.name = name
        self.help = help
    }
}

/// Rows of numbers, all equally long.
public struct Table: Sendable, Equatable {
    public let rows: Int
    public let columns: Int
    /// Row after row.
    public let numbers: [Double]

    public init(rows: Int, columns: Int, numbers: [Double]) {
        precondition(rows >= 0 && columns >= 0 && numbers.count == rows * columns, "a table has rows times columns")
        self.rows = rows
        self.columns = columns
        self.numbers = numbers
    }

    /// The one of an input that people gave nothing for.
    public static var empty: Table { Table(rows: 0, columns: 0, numbers: []) }
    public var isEmpty: Bool { numbers.isEmpty }
}

/// What a gathering writes. In the ABI: append, never renumber.
public enum OutputKind: UInt64, Sendable {
    /// Nothing: its tally is all.
    case nothing = 0
    /// Text, as it is.
    case text = 1
    /// Real numbers of eight octets each, as many for each unit: a row of a table.
    case rows = 2
}

/// What a block writes. Those of all blocks are joined in order.
public struct Output: Sendable {
    public private(set) var octets: [UInt8] = []

    public init() {}

    /// As it is.
    @inlinable
    public mutating func write(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
    }

    /// A number in decimal digits, and the end of the line.
    public mutating func line(_ number: UInt64) {
        write(number)
        octets.append(10)
    }

    /// A number in decimal digits.
    public mutating func write(_ number: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            octets.append(UInt8(truncatingIfNeeded: number / divisor % 10) + 48)
            divisor /= 10
        }
    }

    /// A real number of a row, as its eight octets. What is not a number has the same ones on every processor.
    public mutating func put(_ number: Double) {
        var bits = number.isNaN ? Double.nan.bitPattern : number.bitPattern
        for _ in 0..<8 {
            octets.append(UInt8(truncatingIfNeeded: bits))
            bits &>>= 8
        }
    }

    public mutating func put(_ octet: UInt8) { octets.append(octet) }
}
