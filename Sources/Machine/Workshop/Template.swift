/// The file that `potluck new` creates: a small, complete simulation with comments on each decision of the author.
public struct Template {
    public static let longestName = 40
    let name: String

    /// Returns nil if the name is not valid for a simulation.
    public init?(_ name: String) {
        let isFine = name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        guard isFine, name.utf8.count <= Self.longestName, let first = name.utf8.first, (97...122).contains(first),
            name.utf8.last != 45
        else { return nil }
        self.name = name
    }

    /// The name of the Swift type: `ThreeDiceSimulation` for `three-dice`. The suffix avoids the names of types in
    /// Swift and the kit.
    private var type: String { type("Simulation") }

    func type(_ suffix: String) -> String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + suffix
    }

    /// The number of dice: 3 for `three-dice`, and 2 for a name without a number.
    var dice: Int {
        let numbers = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        return name.split(separator: "-").lazy.compactMap { word in
            numbers.firstIndex(of: String(word)).map { $0 + 2 }
                ?? Int(word).flatMap { (2...10).contains($0) ? $0 : nil }
        }.first ?? 2
    }

    public var text: String {
        """
        import PotluckKit

        /// How often do some dice all show the same number? Replace this with your own question.
        struct \(type): Simulation {
            // The name for `potluck run`, and a line that says what the simulation computes.
            static let name: StaticString = "\(name)"
            static let summary: StaticString = "How often do all dice show the same number?"

            // Parameters, set with: `potluck run \(name).swift -p sides=20`.
            @Parameter("dice", "how many dice", in: 2...10) var dice = \(dice)
            @Parameter("sides", "sides of each die", in: 2...100) var sides = 6

            // What the trials count. There are also ExactSum, Moments, Minimum, Maximum and Histogram. All merge exactly, so
            // the result is the same on one laptop and on twenty.
            struct Tally: SimulationTally {
                var same = Count()
                mutating func visit(_ visitor: inout some TallyVisitor) {
                    visitor.field("same", &same)
                }
            }

            // One trial. Take random numbers only from `random`, and keep no state between trials except the tally.
            func trial(_ random: inout RandomStream, _ tally: inout Tally) {
                let first = random.below(sides)
                var isSame = true
                for _ in 1..<dice {
                    let next = random.below(sides)
                    note("\\(first) and \\(next)")  // shown by `potluck replay`; costs nothing otherwise
                    if next != first { isSame = false }
                }
                tally.same.add(isSame)
            }

            // The numbers to show, with the exact answer if you know it.
            static var readings: [ReadingRule<\(type)>] {
                proportion("same", { $0.same }, exact: { pow(1 / Double($0.sides), Double($0.dice - 1)) })
            }
        }

        """
    }
}
