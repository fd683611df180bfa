import PotluckKit

// What a simulation may keep from one trial to the next. Ways 1 to 9 and 15 are mistakes; the others are not.

nonisolated(unsafe) private var counter = 0
enum Notes { nonisolated(unsafe) static var last: Int64 = 7 }
private final class Box: @unchecked Sendable {
    var count = 0
    var list: [Int] = []
}
private let box = Box()
nonisolated(unsafe) private let memory = UnsafeMutablePointer<Int>.allocate(capacity: 4)
nonisolated(unsafe) private var spare: Double?
nonisolated(unsafe) private var reference: Double?
private struct Step: Sendable {
    private final class Place: @unchecked Sendable { var count = 0 }
    let next: @Sendable () -> Int
    init() {
        let place = Place()
        next = {
            place.count &+= 1
            return place.count
        }
    }
}
private let step = Step()

private let squares = (0..<100).map { $0 * $0 }
private let cubes = (0..<100).map { $0 * $0 * $0 }
nonisolated(unsafe) private var scratch: [Int] = []
nonisolated(unsafe) private var lengths: [Int: Int] = [:]

struct Keeping: LaneSimulation {
    static let name: StaticString = "keeping"
    static let summary: StaticString = "Keeps something from trial to trial"
    @Parameter("way", "what is kept", in: 0...20) var way = 0
    @Parameter("seldom", "how seldom", in: 1...1_000_000_000) var seldom = 1_000_000
    var blockSize: Int { 1024 }

    struct Tally: SimulationTally {
        var sixes = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("sixes", &sixes) }
    }

    /// Returns a number that a die is turned by.
    private func turn(_ random: inout RandomStream) -> Int {
        switch way {
        case 1:
            counter &+= 1
            return counter & 0xffff
        case 2:
            Notes.last = Notes.last &* 5 &+ 1
            return Int(truncatingIfNeeded: Notes.last & 7)
        case 3:
            box.count &+= 1
            return box.count
        case 4:
            memory[1] &+= 1
            return memory[1] & 3
        case 5:
            if random.below(seldom) == 0 { counter &+= 1 }
            return counter
        case 6:
            if let kept = spare {
                spare = nil
                return kept > 0.5 ? 1 : 0
            }
            spare = random.unit()
            return 0
        case 7:
            let known = reference ?? random.unit()
            reference = known
            return known > 0.5 ? 1 : 0
        case 8: return step.next()
        case 9:
            // It changes no result, but only by chance.
            if random.below(seldom) == 0 { box.count &+= 1 }
            return box.count > 1 << 30 ? 1 : 0
        case 10: return squares[random.below(100)]
        case 11: return random.below(seldom) == 0 ? cubes[random.below(100)] : 0
        case 12:
            scratch.removeAll(keepingCapacity: true)
            for _ in 0..<random.below(9) { scratch.append(random.below(6)) }
            return scratch.count
        case 13:
            box.list = (0..<random.below(40)).map { $0 }
            return box.list.count
        case 14:
            let key = random.below(1000)
            if let known = lengths[key] { return known }
            let found = key % 17
            lengths[key] = found
            return found
        case 15:
            // The first number of each kind stands for all of them.
            let number = random.below(1000)
            if let known = lengths[number % 10] { return known }
            lengths[number % 10] = number
            return number
        default: return 0
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let turned = turn(&random)
        tally.sixes.add((random.below(6) + (turned & 0xffff)) % 6 == 5)
    }

    /// Only the first two ways are lanes of their own.
    func lanes(_ random: inout LaneStreams, _ tally: inout Tally) {
        if way == 1 {
            counter &+= 1
            tally.sixes.add(random.below(6) == Lane<Int32>(counter % 6))
            return
        }
        tally.sixes.add(random.below(6) == Lane<Int32>(5))
    }

    static var readings: [ReadingRule<Keeping>] { proportion("sixes", { $0.sixes }) }
}
