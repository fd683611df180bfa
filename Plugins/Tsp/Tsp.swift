import PotluckKit

/// The travelling salesman: the shortest round trip through all cities. The cities are random, or come from a file with
/// their places or with all distances.
struct Tsp: Search {
    static let name: StaticString = "tsp"
    static let summary: StaticString = "The shortest round trip through all cities (travelling salesman)"
    @Parameter("cities", "number of random cities, on a square of 1000 by 1000", in: 2...64) var cities = 20
    @Parameter("draw", "number that selects the random cities", in: 0...1_000_000_000) var draw = 1
    @Parameter("bound", "how to leave out parts of the tree") var bound = Bound.oneTree
    @Parameter("distance", "what a file's two columns are: x and y, or latitude and longitude") var distance =
        Distance.plane

    enum Bound: ParameterChoice {
        /// The cost so far, as in the program of 2015.
        case cost
        /// The cost so far and the least tree through all other cities (Held and Karp).
        case oneTree
        var name: StaticString { self == .cost ? "cost" : "one-tree" }
    }

    enum Distance: ParameterChoice {
        case plane, earth
        var name: StaticString { self == .plane ? "plane" : "earth" }
    }

    static var inputs: [Input] {
        [Input("cities", "a city's x and y per line, all distances as a table, or a TSPLIB file")]
    }

    /// The most cities of a file. The tables of more would not fit the memory of a plugin's stack of trees.
    private static var most: Int { 128 }

    /// The distances, row by row.
    private var distances: [Double] = []
    /// The two numbers of each city; empty if only distances are known. Those after distances are for the map.
    private var places: [Double] = []
    /// For each city the others, the nearest first.
    private var nearest: [Int32] = []
    /// Whether all distances are whole numbers, so that all round trips are.
    private var isWhole = false
    private var isByCost = false
    private var count = 0
    /// The length of a good round trip.
    private var known = Double.infinity
    /// The penalties of the cities at the root, which make the least tree most like a round trip.
    private var penalties: [Double] = []

    struct Partial: BitwiseCopyable {
        /// The order of cities. Then, for trees: whether each was visited, its neighbour in the tree, and its degree.
        let order: Row<Int32>
        /// For trees: the cost of joining each city, and the penalties and the bound at each depth.
        let work: Row<Double>
        var depth = 1
        var length = 0.0
    }

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        if let problem = tables[0].isEmpty ? drawCities() : read(tables[0]) { return problem }
        isByCost = bound == .cost
        isWhole = distances.allSatisfy { $0 == $0.rounded(.down) && $0 < 0x1p40 }
        if isByCost {
            // 20 cities have 10¹⁷ orders.
            return count <= 20 ? nil : "bound=cost takes at most 20 cities; use bound=one-tree"
        }
        sortNeighbours()
        known = Tour.good(count, distances, nearest)
        penalties = [Double](repeating: 0, count: count)
        // With three cities there is one round trip.
        guard count > 3 else { return nil }
        let memory = SearchMemory()
        penalties = withExtendedLifetime(memory) { bestPenalties(root(memory)) }
        return nil
    }

    private mutating func drawCities() -> StaticString? {
        if distance == .earth { return "distance=earth is for a file of places; give it with --input cities=FILE" }
        count = cities
        var random = RandomStream(seed: UInt64(draw), block: 0, lane: 0)
        for _ in 0..<2 * count { places.append(random.real(in: 0..<1000)) }
        measure()
        return nil
    }

    private mutating func read(_ table: Table) -> StaticString? {
        if cities != 20 || draw != 1 { return "cities and draw are for random cities, not for a file" }
        guard table.rows > 1 else { return "a round trip needs at least two cities; the file has one" }
        guard table.rows <= Self.most else { return "the file has more than 128 cities, the most that tsp takes" }
        count = table.rows
        if table.columns == 2 {
            places = table.numbers
            if distance == .earth, (0..<count).contains(where: { places[2 * $0].magnitude > 90 }) {
                return "a latitude is from -90 to 90; the first column has latitudes"
            }
            measure()
            return nil
        }
        guard [count, count + 2].contains(table.columns), distance == .plane else {
            return "the file must have two columns, x and y, or as many as lines, the distances of each city to all"
        }
        let width = table.columns
        distances = (0..<count * count).map { table.numbers[$0 / count * width + $0 % count] }
        if width > count { places = (0..<2 * count).map { table.numbers[$0 / 2 * width + count + $0 % 2] } }
        let isFine = (0..<count * count).allSatisfy {
            distances[$0] >= 0 && distances[$0] == distances[$0 % count * count + $0 / count]
        }
        return isFine ? nil : "distances must be the same in both directions, and not below 0"
    }

    /// Computes the distances of places, which are the same in both directions.
    private mutating func measure() {
        distances = (0..<count * count).map { length(min($0 / count, $0 % count), max($0 / count, $0 % count)) }
    }

    private func length(_ a: Int, _ b: Int) -> Double {
        let (x, y) = (places[2 * b] - places[2 * a], places[2 * b + 1] - places[2 * a + 1])
        if distance == .plane { return (x * x + y * y).squareRoot() }
        // The haversine, in kilometres on a sphere.
        let degree = Double.pi / 180
        let (u, v) = (sin(x * degree / 2), sin(y * degree / 2))
        let part = u * u + cos(places[2 * a] * degree) * cos(places[2 * b] * degree) * v * v
        return 2 * 6371 * asin(min(1, part.squareRoot()))
    }

    private mutating func sortNeighbours() {
        for a in 0..<count {
            func distance(_ b: Int) -> Double { distances[a * count + b] }
            let others = (0..<count).filter { $0 != a }
            nearest += others.sorted { (distance($0), $0) < (distance($1), $1) }.map { Int32($0) }
        }
    }

    private func bestPenalties(_ partial: Partial) -> [Double] {
        var (best, step) = (-Double.infinity, 0.0)
        var (now, kept) = (penalties, penalties)
        for _ in 0..<300 {
            for city in 0..<count { partial.work[penalty(1) + city] = now[city] }
            let tree = leastTree(partial)
            if step == 0 { step = tree / Double(2 * count) }
            if tree > best { (best, kept) = (tree, now) }
            for city in 1..<count { now[city] += step * Double(partial.order[3 * count + city] - 2) }
            step *= 0.985
        }
        return kept
    }

    func root(_ memory: SearchMemory) -> Partial {
        if isByCost {
            let order = memory.row(Int32(0), count: count)
            for city in 0..<count { order[city] = Int32(city) }
            return Partial(order: order, work: memory.row(0, count: 0))
        }
        let partial = Partial(
            order: memory.row(0, count: 4 * count), work: memory.row(0, count: (count + 2) * (count + 1)))
        partial.order[count] = 1
        for city in 0..<count { partial.work[penalty(1) + city] = penalties[city] }
        return partial
    }

    /// Where the penalties of a depth begin. The bound is after them.
    private func penalty(_ depth: Int) -> Int { count + depth * (count + 1) }

    /// The sum along the found tour may differ in its last bits from that of the walk.
    var start: Double? { isByCost ? nil : isWhole ? known : known * (1 + 1e-9) }

    func cost(_ partial: Partial) -> Double? {
        partial.depth == count ? partial.length + distances[Int(partial.order[count &- 1]) &* count] : nil
    }

    func branches(_ partial: Partial) -> Int { count - partial.depth }

    func take(_ branch: Int, _ partial: Partial) -> Partial {
        let depth = partial.depth
        if !isByCost { return visit(branch, partial) }
        let city = partial.order[depth &+ branch]
        partial.order[depth &+ branch] = partial.order[depth]
        partial.order[depth] = city
        var next = partial
        next.length += distances[Int(partial.order[depth &- 1]) &* count &+ Int(city)]
        next.depth = depth &+ 1
        return next
    }

    func undo(_ branch: Int, _ partial: Partial) {
        if isByCost {
            partial.order.swapAt(partial.depth, partial.depth &+ branch)
        } else {
            partial.order[count + Int(partial.order[partial.depth])] = 0
        }
    }

    func bound(_ partial: Partial) -> Double {
        isByCost ? partial.length : partial.work[penalty(partial.depth) + count]
    }

    /// Goes on to one of the cities that are left, the nearest first, and bounds what follows.
    private func visit(_ branch: Int, _ partial: Partial) -> Partial {
        let (depth, here) = (partial.depth, Int(partial.order[partial.depth - 1]))
        var (left, at) = (branch, here * (count - 1))
        while true {
            if partial.order[count + Int(nearest[at])] == 0 {
                if left == 0 { break }
                left -= 1
            }
            at += 1
        }
        let city = Int(nearest[at])
        partial.order[depth] = Int32(city)
        partial.order[count + city] = 1
        var next = partial
        next.depth = depth + 1
        next.length += distances[here * count + city]
        // Each round trip is looked at in one direction.
        let isMirrored = city == 2 && partial.order[count + 1] == 0
        let before = max(partial.work[penalty(depth) + count], next.length)
        partial.work[penalty(depth + 1) + count] = isMirrored ? .infinity : bounded(next, before)
        return next
    }

    private func bounded(_ partial: Partial, _ before: Double) -> Double {
        let (own, above) = (penalty(partial.depth), penalty(partial.depth - 1))
        for city in 0..<count { partial.work[own + city] = partial.work[above + city] }
        guard partial.depth < count else { return before }
        var (best, step) = (before, 0.0)
        for _ in 0..<6 {
            let tree = leastTree(partial)
            // The bound stays below the true one whatever was rounded.
            best = max(best, isWhole ? (tree - 1e-6).rounded(.up) : tree * (1 - 1e-9))
            if best > known * (1 + 1e-9) { break }
            if step == 0 { step = tree * 0.02 / Double(count - partial.depth) }
            var isTour = true
            for city in 1..<count where partial.order[count + city] == 0 {
                let excess = partial.order[3 * count + city] - 2
                if excess != 0 { isTour = false }
                partial.work[own + city] += step * Double(excess)
            }
            if isTour { break }
            step *= 0.7
        }
        return best
    }

    /// Returns the length so far, and the least tree through all cities that are left, with an edge from each end of the
    /// way so far to it. Edges cost the penalties of their cities in addition, of which each round trip has the same.
    /// Notes the degree of each city.
    private func leastTree(_ partial: Partial) -> Double {
        let (order, work) = (partial.order, partial.work)
        let own = penalty(partial.depth)
        let here = Int(order[partial.depth - 1])
        var (first, sum) = (-1, 0.0)
        var (fromHere, fromStart) = (Double.infinity, Double.infinity)
        var (next, last) = (0, 0)
        for city in 1..<count where order[count + city] == 0 {
            let penalty = work[own + city]
            sum += penalty
            if distances[here * count + city] + penalty < fromHere {
                (fromHere, next) = (distances[here * count + city] + penalty, city)
            }
            if first < 0 { first = city }
            work[city] = .infinity
            order[3 * count + city] = 0
        }
        if first < 0 { return partial.length + distances[here * count] }
        for city in 1..<count where order[count + city] == 0 {
            // At the root both edges begin at one city, so they lead to two.
            if partial.depth == 1, city == next { continue }
            let cost = distances[city] + work[own + city]
            if cost < fromStart { (fromStart, last) = (cost, city) }
        }
        order[3 * count + next] += 1
        order[3 * count + last] += 1
        return partial.length + fromHere + fromStart + join(partial, first) - 2 * sum
    }

    /// Joins all cities that are left to a tree, beginning with `first` (Prim). Returns its cost.
    private func join(_ partial: Partial, _ first: Int) -> Double {
        let (order, work) = (partial.order, partial.work)
        let own = penalty(partial.depth)
        var (at, total) = (first, 0.0)
        work[first] = -1
        while true {
            var (next, least) = (-1, Double.infinity)
            let penalty = work[own + at]
            for city in 1..<count where order[count + city] == 0 && work[city] != -1 {
                let cost = distances[at * count + city] + penalty + work[own + city]
                if cost < work[city] || next < 0 && work[city] == .infinity {
                    work[city] = cost
                    order[2 * count + city] = Int32(at)
                }
                if next < 0 || work[city] < least { (least, next) = (work[city], city) }
            }
            if next < 0 { return total }
            total += least
            order[3 * count + next] += 1
            order[3 * count + Int(order[2 * count + next])] += 1
            work[next] = -1
            at = next
        }
    }

    /// Writes the numbers of the cities in order, from 1 on, and then the places for a map.
    func show(_ partial: Partial, _ output: inout Output) {
        for index in 0..<count {
            if index > 0 { output.write(" ") }
            output.write(partial.order[index] + 1)
        }
        output.line("")
        if places.isEmpty { return }
        for index in 0...count {
            let city = Int(partial.order[index % count])
            // The map has the north at the top.
            output.write(distance == .earth ? places[2 * city + 1] : places[2 * city])
            output.write(" ")
            output.line(distance == .earth ? places[2 * city] : places[2 * city + 1])
        }
    }

    static var readings: [ReadingRule<Tsp>] {
        derived("distance", { _, tally, _ in Double.number(tally.best.key, .smaller) })
    }
}

/// A round trip that is good, but maybe not the best.
private struct Tour {
    let count: Int
    let distances: [Double]
    var order: [Int] = []

    /// Returns the length of the best round trip of those that begin with the nearest neighbour each time and are
    /// improved until no turned or moved part makes them shorter.
    static func good(_ count: Int, _ distances: [Double], _ nearest: [Int32]) -> Double {
        var best = Double.infinity
        for start in 0..<min(count, 24) {
            var tour = Tour(count: count, distances: distances)
            tour.begin(start, nearest)
            while tour.turns() || tour.moves() {}
            best = min(best, tour.length)
        }
        return best
    }

    private mutating func begin(_ start: Int, _ nearest: [Int32]) {
        var isVisited = [Bool](repeating: false, count: count)
        var here = start
        while true {
            order.append(here)
            isVisited[here] = true
            if order.count == count { return }
            for index in here * (count - 1)..<(here + 1) * (count - 1) where !isVisited[Int(nearest[index])] {
                here = Int(nearest[index])
                break
            }
        }
    }

    private func between(_ a: Int, _ b: Int) -> Double { distances[city(a) * count + city(b)] }

    private var length: Double { (0..<count).reduce(0) { $0 + between($1, $1 + 1) } }

    /// What a change must gain to count, so that rounding does not make it go round in circles.
    private static var gain: Double { 1e-7 }

    /// Turns parts round where that makes the trip shorter. Returns whether it did.
    private mutating func turns() -> Bool {
        var isBetter = false
        guard count > 3 else { return false }
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

    private func city(_ place: Int) -> Int { order[place % count] }
}
