/// A simulation that runs one trial after the other, even if its author wrote a `lane`. `potluck check` compares the two.
public struct TrialByTrial<S: Simulation>: Simulation {
    public typealias Tally = S.Tally

    @usableFromInline let simulation = S()

    public static var name: StaticString { S.name }
    public static var summary: StaticString { S.summary }
    public var problem: StaticString? { simulation.problem }
    public var blockSize: Int { simulation.blockSize }

    /// Creates the simulation with its parameters.
    public init() {}

    @inlinable
    public func trial(_ random: inout RandomStream, _ tally: inout Tally) { simulation.trial(&random, &tally) }

    /// None. Only tallies are compared.
    public static var readings: [ReadingRule<TrialByTrial<S>>] {}
}
