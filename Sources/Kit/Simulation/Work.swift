/// What all shapes of work have in common: parameters, a tally, and how to read the result. An author writes a `Simulation`,
/// whose trials are drawn, or a `Gathering`, whose result is what it writes.
public protocol Work: Sendable {
    associatedtype Tally: SimulationTally

    /// What people type: lower-case letters, digits and hyphens.
    static var name: StaticString { get }
    /// One line.
    static var summary: StaticString { get }

    init()

    /// What is wrong with the parameters taken together, where each by itself is right; nil where nothing is.
    var problem: StaticString? { get }

    /// Trials in a block: a power of two, so that a block takes 50 ms at most. Part of a job's identity; it may depend on the
    /// parameters. A simulation's are 16 to 65 536.
    var blockSize: Int { get }

    /// How the result is read.
    @ReadingBuilder<Self> static var readings: [ReadingRule<Self>] { get }
}

extension Work {
    public var problem: StaticString? { nil }
}
