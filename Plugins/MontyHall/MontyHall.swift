import PotluckKit

/// Is it better to stay or to switch?
///
/// A car is behind one of the doors. The player picks a door; the host, who knows where the car is, opens others, never
/// the player's and never the car's. The player may stay with the first pick or switch to a door that is still closed.
///
/// The draws of one game, in this order:
/// - car and pick, a pair of dice of `doors` sides;
/// - the first goat that the host shows, among the goats that the player has not picked, and the door to which the player
///   switches, among the closed doors other than the pick: a pair of dice with these numbers of sides;
/// - each further goat that the host shows: one die with as many sides as there are goats left.
///
/// Doors and goats are counted in a circle that begins at the door after the pick.
struct MontyHall: LaneSimulation {
    static let name: StaticString = "monty-hall"
    static let summary: StaticString = "Behind one door is a car: is it better to stay or to switch?"

    @Parameter("doors", "doors to choose from", in: 3...100) var doors = 3
    @Parameter("opened", "doors the host opens", in: 1...98) var opened = 1

    var problem: StaticString? {
        opened > doors - 2 ? "the host must leave two doors closed: opened is at most doors - 2" : nil
    }

    var blockSize: Int { Block.size(forTrialsOf: opened + 3) }

    struct Tally: SimulationTally {
        var stay = Count(), swap = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("stay", &stay)
            visitor.field("switch", &swap)
        }
    }

    // `&+` and `&-` do not check for overflow. Without checks there are no jumps, and a game takes a few nanoseconds.
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let (car, pick) = random.pair(below: doors, doors)
        let lucky = car == pick
        tally.stay.add(lucky)
        // The open doors, a bit for each; only for the picture.
        var open: UInt64 = 0
        let isDrawn = LogBook.isOn

        let goats = lucky ? doors &- 1 : doors &- 2
        // The number of closed doors with a goat between pick and car; with a lucky pick, all of them.
        var before = car &- pick &- 1
        if before < 0 { before &+= doors }
        let (first, other) = random.pair(below: goats, doors &- 1 &- opened)
        if first < before { before &-= 1 }
        if isDrawn { open = opening(first, car, pick, open) }
        for shown in 1..<opened {
            let goat = random.below(goats &- shown)
            if goat < before { before &-= 1 }
            if isDrawn { open = opening(goat, car, pick, open) }
        }
        let wins = other == before
        tally.swap.add(wins)
        if isDrawn { tell(car, pick, other, open, lucky, wins) }
    }

    /// More doors would be too narrow to see.
    private var isSeen: Bool { doors <= 64 }

    /// Draws the doors and the pick, and then how the host opens the door of each goat. Returns the open doors.
    @inline(never)
    private func opening(_ goat: Int, _ car: Int, _ pick: Int, _ open: UInt64) -> UInt64 {
        guard isSeen else { return open }
        if open == 0 {
            sketch(width: Double(doors), height: 1.5) {
                for door in 0..<doors { Self.outline(door, door == pick ? .marked : .plain, &$0) }
                $0.text("pick", Double(pick) + 0.5, 1.2, .marked)
            }
        }
        let door = closed(goat, open, after: pick, except: car)
        sketch { $0.text("goat", Double(door) + 0.5, 0.5, .faint) }
        return open | 1 &<< UInt64(door)
    }

    /// Tells how the game ends, and draws to which door the player may switch, and where the car is.
    @inline(never)
    private func tell(_ car: Int, _ pick: Int, _ other: Int, _ open: UInt64, _ lucky: Bool, _ wins: Bool) {
        note("picked door \(pick + 1), the car is behind door \(car + 1)")
        note("staying \(lucky ? "wins" : "loses"), switching \(wins ? "wins" : "loses")")
        guard isSeen else { return }
        let door = closed(other, open, after: pick)
        sketch {
            Self.outline(door, wins ? .good : .bad, &$0)
            $0.text("switch", Double(door) + 0.5, 1.2)
            $0.text("car", Double(car) + 0.5, 0.5, .good)
        }
    }

    private static func outline(_ door: Int, _ ink: Sketch.Ink, _ frame: inout Sketch) {
        frame.box(Double(door) + 0.1, 0.1, Double(door) + 0.9, 1.4, ink)
    }

    /// The door with this number among those that are closed, counted from 0 and from the door after the pick.
    private func closed(_ number: Int, _ open: UInt64, after pick: Int, except car: Int? = nil) -> Int {
        var (door, left) = (pick, number)
        repeat {
            door = door + 1 < doors ? door + 1 : 0
            if door != car && open &>> UInt64(door) & 1 == 0 { left -= 1 }
        } while left >= 0
        return door
    }

    func lanes(_ random: inout LaneStreams, _ tally: inout Tally) {
        let (car, pick) = random.pair(below: doors, doors)
        let lucky = car == pick
        tally.stay.add(lucky)

        let goats = choose(lucky, doors &- 1, doors &- 2)
        var before = car &- pick &- 1
        before.add(doors, where: before < 0)
        let (first, other) = random.pair(below: goats, doors &- 1 &- opened)
        before.add(-1, where: first < before)
        for shown in 1..<opened {
            before.add(-1, where: random.below(goats &- Lane(shown)) < before)
        }
        tally.swap.add(other == before)
    }

    static var readings: [ReadingRule<MontyHall>] {
        proportion("stay", { $0.stay }, exact: { 1 / Double($0.doors) })
        proportion(
            "switch", { $0.swap }, exact: { Double($0.doors - 1) / Double($0.doors * ($0.doors - 1 - $0.opened)) })
    }
}
