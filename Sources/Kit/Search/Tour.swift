/// A round trip that is good, but maybe not the best.
public struct Tour {
    let count: Int, distances: [Double]
    var order: [Int] = []
    /// What a change must gain to count.
    static var gain: Double { 1e-7 }

    /// Returns the best of the round trips that go to the nearest city each time and are improved then, and its length.
    /// `distances` has a row for each city, and `nearest` for each city the others, the nearest first.
    public static func good(
        _ count: Int, _ distances: [Double], _ nearest: [Int32]
    ) -> (length: Double, order: [Int]) {
        var best = (length: Double.infinity, order: [Int]())
        for start in 0..<min(count, 24) {
            var tour = Tour(count: count, distances: distances)
            tour.begin(start, nearest)
            let length = tour.improve().length
            if length < best.length || best.order.isEmpty { best = (length, tour.order) }
        }
        return best
    }

    /// Improves the trip while a pass makes it shorter. The length decides, computed again: where distances are huge,
    /// rounding makes passes without end seem to gain. Returns the shortest length, and the number of passes.
    mutating func improve() -> (length: Double, passes: Int) {
        var (least, passes) = (length, 1)
        while turns() || moves(), length < least { (least, passes) = (length, passes + 1) }
        return (least, passes)
    }

    mutating func begin(_ start: Int, _ nearest: [Int32]) {
        order = [start]
        while let here = order.last, order.count < count {
            let others = nearest[here * (count - 1)..<(here + 1) * (count - 1)]
            if let next = others.first(where: { !order.contains(Int($0)) }) { order.append(Int(next)) }
        }
    }

    private func city(_ place: Int) -> Int { order[place % count] }
    private func between(_ a: Int, _ b: Int) -> Double { distances[city(a) * count + city(b)] }
    private var length: Double { (0..<count).reduce(0) { $0 + between($1, $1 + 1) } }

    /// Turns parts round where that makes the trip shorter. Returns whether it did.
    private mutating func turns() -> Bool {
        var isBetter = false
        for first in 0..<count - 2 {
            for last in first + 2..<count where first > 0 || last < count - 1 {
                let old = between(first, first + 1) + between(last, last + 1)
                guard between(first, last) + between(first + 1, last + 1) < old - Self.gain else { continue }
                order[first + 1...last].reverse()
                isBetter = true
            }
        }
        return isBetter
    }

    /// Moves up to three cities to another place where that makes the trip shorter. Returns whether it did.
    private mutating func moves() -> Bool {
        var isBetter = false
        for size in 1...3 where count > size + 2 {
            for first in 0..<count {
                let (before, last) = (first + count - 1, first + size - 1)
                let freed = between(before, first) + between(last, last + 1) - between(before, last + 1)
                for after in last + 1..<before {
                    let edge = between(after, after + 1)
                    let straight = between(after, first) + between(last, after + 1) - edge
                    let turned = between(after, last) + between(first, after + 1) - edge
                    guard min(straight, turned) < freed - Self.gain else { continue }
                    let (part, rest) = ((first...last).map(city), (last + 1...before).map(city))
                    order = rest[...(after - last - 1)] + (turned < straight ? part.reversed() : part)
                    order += rest[(after - last)...]
                    isBetter = true
                    break
                }
            }
        }
        return isBetter
    }
}
