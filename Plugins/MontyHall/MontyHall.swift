import PotluckKit

/// Is it better to stay or to switch?
///
/// A car is behind one of the doors. The player picks a door; the host, who knows where the car is, opens others, never
/// the player's and never the car's. The player may stay with the first pick or switch to a door that is still closed.
///
/// The draws of one game, in this order: car and pick, a pair of dice of `doors` sides; then, where the host opens one door, a
/// second pair: which of the doors that are neither pick nor car the host opens, in order of their numbers, and which of
/// the closed doors that are not the pick the player switches to, likewise. Where he opens more, one die for each
/// door and one for the player.
struct MontyHall: Simulation {
    static let name: StaticString = "monty-hall"
    static let summary: StaticString = "Behind one door is a car: is it better to stay or to switch?"

    @Parameter("doors", "doors to choose from", in: 3...100) var doors = 3
    @Parameter("opened", "doors the host opens", in: 1...98) var opened = 1

    var problem: StaticString? {
        opened > doors - 2 ? "the host must leave two doors closed: opened is at most doors - 2" : nil
    }

    struct Tally: SimulationTally {
        var stay = Count(), swap = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("stay", &stay)
            visitor.field("switch", &swap)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let (car, pick) = random.pair(below: doors, doors)
        let other = opened == 1 ? switchAfterOne(car, pick, &random) : switchAfterMany(car, pick, &random)
        tally.stay.add(pick == car)
        tally.swap.add(other == car)
    }

    static var readings: [ReadingRule<MontyHall>] {
        proportion("stay", { $0.stay }, exact: { 1 / Double($0.doors) })
        proportion("switch", { $0.swap }, exact: { Double($0.doors - 1) / Double($0.doors * ($0.doors - 1 - $0.opened)) })
    }

    /// The host opens one door; the door that the player switches to.
    private func switchAfterOne(_ car: Int, _ pick: Int, _ random: inout RandomStream) -> Int {
        // 1 for a lucky pick: the host may then open one door more than otherwise, and there is no second door to skip.
        let lucky = car == pick ? 1 : 0
        let (host, guess) = random.pair(below: doors &- 2 &+ lucky, doors &- 2)
        let opened = nth(host, besides: min(car, pick), max(car, pick) &+ lucky &* doors)
        return nth(guess, besides: min(pick, opened), max(pick, opened))
    }

    /// The door of number `n` among all but two, the lower one first.
    private func nth(_ n: Int, besides low: Int, _ high: Int) -> Int {
        let door = n &+ (n >= low ? 1 : 0)
        return door &+ (door >= high ? 1 : 0)
    }

    private func switchAfterMany(_ car: Int, _ pick: Int, _ random: inout RandomStream) -> Int {
        // The goats that the player has not picked; the host opens some of them.
        var goats = [100 of UInt8](repeating: 0)
        var left = 0
        for door in 0..<doors where door != car && door != pick {
            goats[left] = UInt8(truncatingIfNeeded: door)
            left += 1
        }
        for _ in 0..<opened {
            let door = random.below(left)
            left -= 1
            goats[door] = goats[left]
        }
        let guess = random.below(doors - 1 - opened)
        return guess < left ? Int(goats[guess]) : car
    }
}
