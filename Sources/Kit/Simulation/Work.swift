/// The common part of simulations, gatherings and searches: parameters, a tally and readings. An author writes a
/// `Simulation`, which has random trials, a `Gathering`, whose result is its output, or a `Search`, which finds the best
/// of many solutions.
public protocol Work: Sendable {
    /// What the trials count.
    associatedtype Tally: SimulationTally

    /// The name that users type: lower-case letters, digits and hyphens.
    static var name: StaticString { get }
    /// A description of one line.
    static var summary: StaticString { get }

    /// Creates the work with its parameters. Swift writes it if every property has a default.
    init()

    /// What is wrong with the combination of parameters, each of which is valid alone; nil if nothing is wrong.
    var problem: StaticString? { get }

    /// The tables of numbers that it reads from files, in addition to its parameters.
    static var inputs: [Input] { get }

    /// Called once before any work, to compute what all of it needs. There is one table for each input; it is empty if the
    /// user gave no file. Returns what is wrong with the tables, or nil if nothing is.
    mutating func prepare(_ tables: [Table]) -> StaticString?

    /// The number of trials in a block: a power of two, small enough that a block takes at most 50 ms. It is part of a
    /// job's identity and may depend on the parameters. For a simulation it is 16 to 65 536.
    var blockSize: Int { get }

    /// The rules that compute readings from the tally.
    @ReadingBuilder<Self> static var readings: [ReadingRule<Self>] { get }
}

extension Work {
    /// Every combination of parameters is valid.
    public var problem: StaticString? { nil }
    /// No inputs.
    public static var inputs: [Input] { [] }
    /// Accepts all tables and computes nothing.
    public mutating func prepare(_ tables: [Table]) -> StaticString? { nil }
}
