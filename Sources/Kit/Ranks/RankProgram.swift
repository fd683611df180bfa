/// A program that runs once on each of several ranks, which send messages to each other.
///
///     /// Passes a token once around all ranks.
///     struct Token: RankProgram {
///         static let name: StaticString = "token"
///         static let summary: StaticString = "A token visits every rank"
///         @Parameter("start", "the first value", in: 0...1000) var start = 1
///
///         func run(_ world: Communicator, _ output: inout Output) {
///             let next = (world.rank + 1) % world.size
///             let previous = (world.rank + world.size - 1) % world.size
///             if world.rank == 0 { world.send(start, to: next) }
///             let token = world.receive(Int.self, from: previous)
///             if world.rank > 0 { world.send(token + 1, to: next) } else { output.line(token) }
///         }
///     }
///
/// Start it with `potluck launch -n 4 token.swift`. Ranks share no memory: each has its own copy of every variable, global
/// ones included. An `Int` has 32 bits.
public protocol RankProgram: Sendable {
    /// The name that users type: lower-case letters, digits and hyphens.
    static var name: StaticString { get }
    /// A description of one line.
    static var summary: StaticString { get }
    /// The tables of numbers that it reads from files, in addition to its parameters.
    static var inputs: [Input] { get }

    /// Creates the program with its parameters. Swift writes it if every property has a default.
    init()

    /// What is wrong with the combination of parameters, each of which is valid alone; nil if nothing is wrong.
    var problem: StaticString? { get }

    /// Called on each rank before `run`. There is one table for each input; it is empty if the user gave no file. Returns
    /// what is wrong with the tables, or nil if nothing is.
    mutating func prepare(_ tables: [Table]) -> StaticString?

    /// Runs one rank. `world` connects it with all others. The file that the user names gets the output of rank 0.
    func run(_ world: Communicator, _ output: inout Output)
}

extension RankProgram {
    /// No inputs.
    public static var inputs: [Input] { [] }
    /// Every combination of parameters is valid.
    public var problem: StaticString? { nil }
    /// Accepts all tables and computes nothing.
    public mutating func prepare(_ tables: [Table]) -> StaticString? { nil }
}
