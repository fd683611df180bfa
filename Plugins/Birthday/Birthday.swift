import PotluckKit

/// Do two people in a room share a birthday?
///
/// The draws of one room: the people's birthdays one after the other, each a whole number below `days`, up to the first
/// that another person has had before.
struct Birthday: Simulation {
    static let name: StaticString = "birthday"
    static let summary: StaticString = "Do two people in a room share a birthday?"

    @Parameter("people", "people in the room", in: 2...1000) var people = 23
    @Parameter("days", "days in a year", in: 1...100_000) var days = 365

    struct Tally: SimulationTally {
        var shared = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("shared", &shared) }
    }

    /// The first pair comes after about √(π/2 · days) people.
    var blockSize: Int { Block.size(forTrialsOf: min(people, Int(1.26 * Double(days).squareRoot()))) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { lane(&random, &tally, trials: 1) }

    func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int) {
        // The room in which each birthday was last seen, so that nothing has to be cleared between rooms.
        var lastRoom = [Int32](repeating: -1, count: days)
        for room in 0..<Int32(trials) {
            var isShared = false
            var left = people
            while left > 0 && !isShared {
                let birthday = random.below(days)
                isShared = lastRoom[birthday] == room
                lastRoom[birthday] = room
                left -= 1
            }
            tally.shared.add(isShared)
        }
    }

    static var readings: [ReadingRule<Birthday>] {
        proportion(
            "shared", { $0.shared },
            exact: { room in
                // The sum over the first person to share a birthday. One minus the opposite would cancel in long years.
                var shared = 0.0
                var different = 1.0
                for before in 0..<room.people {
                    let match = min(1, Double(before) / Double(room.days))
                    shared += different * match
                    different *= 1 - match
                }
                return shared
            })
    }
}
