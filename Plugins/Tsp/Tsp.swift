import PotluckKit

/// The travelling salesman: the shortest round trip through all cities. The cities are random, airports of the world, or
/// come from a file with their places or with all distances.
struct Tsp: Search {
    static let name: StaticString = "tsp"
    static let summary: StaticString = "The shortest round trip through all cities (travelling salesman)"
    @Parameter("cities", "number of random cities, on a square of 1000 by 1000", in: 2...64) var cities = 20
    @Parameter("draw", "number that selects the random cities", in: 0...1_000_000_000) var draw = 1
    @Parameter("bound", "how to leave out parts of the tree") var bound = Bound.oneTree
    @Parameter("distance", "a file's two columns: x and y, or latitude and longitude") var distance = Distance.plane
    @Parameter("airports", "airports to visit instead of cities, with commas between them", of: world.map { $0.code })
    var airports: Several = []

    enum Bound: ParameterChoice {
        /// The cost so far, as in the program of 2015; or that and the least tree through all other cities (Held and Karp).
        case cost, oneTree
        var name: StaticString { self == .cost ? "cost" : "one-tree" }
    }

    enum Distance: ParameterChoice {
        case plane, earth
        var name: StaticString { self == .plane ? "plane" : "earth" }
    }

    static var inputs: [Input] {
        [Input("cities", "a city's name, x and y per line, all distances or a TSPLIB file", hasRowNames: true)]
    }

    /// Airports of all continents: code, name, latitude and longitude.
    // swift-format-ignore
    private static let world: [(code: StaticString, name: StaticString, latitude: Double, longitude: Double)] = [
        ("ACC", "Accra", 5.61, -0.17), ("ADD", "Addis Ababa", 8.98, 38.8), ("AKL", "Auckland", -37.01, 174.79),
        ("ALA", "Almaty", 43.35, 77.04), ("AMS", "Amsterdam", 52.31, 4.76), ("ANC", "Anchorage", 61.17, -150),
        ("ARN", "Stockholm Arlanda", 59.65, 17.92), ("ATH", "Athens", 37.94, 23.94), ("ATL", "Atlanta", 33.64, -84.43),
        ("BCN", "Barcelona", 41.3, 2.08), ("BKK", "Bangkok Suvarnabhumi", 13.69, 100.75),
        ("BOG", "Bogotá", 4.7, -74.15), ("BOM", "Mumbai", 19.09, 72.87), ("CAI", "Cairo", 30.12, 31.41),
        ("CDG", "Paris Charles de Gaulle", 49.01, 2.55), ("CGK", "Jakarta Soekarno-Hatta", -6.13, 106.66),
        ("CMB", "Colombo", 7.18, 79.88), ("CMN", "Casablanca", 33.37, -7.59), ("CPT", "Cape Town", -33.96, 18.6),
        ("DEL", "Delhi", 28.57, 77.1), ("DEN", "Denver", 39.86, -104.67), ("DSS", "Dakar", 14.67, -17.07),
        ("DXB", "Dubai", 25.25, 55.36), ("EZE", "Buenos Aires Ezeiza", -34.82, -58.54),
        ("FRA", "Frankfurt", 50.03, 8.57), ("GRU", "São Paulo Guarulhos", -23.44, -46.47),
        ("HAV", "Havana", 22.99, -82.41), ("HKG", "Hong Kong", 22.31, 113.91), ("HNL", "Honolulu", 21.32, -157.92),
        ("ICN", "Seoul Incheon", 37.47, 126.45), ("IKA", "Tehran Imam Khomeini", 35.42, 51.15),
        ("IST", "Istanbul", 41.28, 28.75), ("JFK", "New York Kennedy", 40.64, -73.78),
        ("JNB", "Johannesburg", -26.14, 28.25), ("KEF", "Reykjavík Keflavík", 63.99, -22.61),
        ("LAD", "Luanda", -8.86, 13.23), ("LAX", "Los Angeles", 33.94, -118.41),
        ("LHR", "London Heathrow", 51.47, -0.46), ("LIM", "Lima", -12.02, -77.11), ("LIS", "Lisbon", 38.78, -9.14),
        ("LOS", "Lagos", 6.58, 3.32), ("MAO", "Manaus", -3.04, -60.05), ("MEL", "Melbourne", -37.67, 144.84),
        ("MEX", "Mexico City", 19.44, -99.07), ("MNL", "Manila", 14.51, 121.02), ("NAN", "Nadi", -17.76, 177.44),
        ("NBO", "Nairobi", -1.32, 36.93), ("NRT", "Tokyo Narita", 35.76, 140.39),
        ("ORD", "Chicago O’Hare", 41.98, -87.9), ("PEK", "Beijing Capital", 40.08, 116.58),
        ("PER", "Perth", -31.94, 115.97), ("POM", "Port Moresby", -9.44, 147.22), ("PPT", "Papeete", -17.55, -149.61),
        ("PTY", "Panama City", 9.07, -79.38), ("SCL", "Santiago de Chile", -33.39, -70.79),
        ("SEA", "Seattle", 47.45, -122.31), ("SIN", "Singapore Changi", 1.35, 103.99),
        ("SYD", "Sydney", -33.95, 151.18), ("TLV", "Tel Aviv", 32.01, 34.89),
        ("TNM", "King George Island", -62.19, -58.99), ("TNR", "Antananarivo", -18.8, 47.48),
        ("UBN", "Ulaanbaatar", 47.65, 106.82), ("WAW", "Warsaw", 52.17, 20.97),
        ("YYZ", "Toronto Pearson", 43.68, -79.63),
    ]

    /// The distances, row by row.
    private var distances: [Double] = []
    /// The two numbers of each city; empty if only distances are known. Those after distances are for the map.
    private var places: [Double] = []
    /// The names of the cities of a file; empty if it has none.
    private var names: [[UInt8]] = []
    /// For each city the others, the nearest first.
    private var nearest: [Int32] = []
    /// Whether all distances are whole numbers, so that all round trips are.
    private var isWhole = false
    private var isOnEarth: Bool { distance == .earth || !airports.isEmpty }
    private var count = 0
    /// The length of a good round trip, and the order of its cities; empty if the costs are the only bound.
    private var known = Double.infinity, tour: [Int] = []
    /// The penalties of the cities at the root, which make the least tree most like a round trip.
    private var penalties: [Double] = []

    struct Partial: BitwiseCopyable {
        /// The order of cities. Then whether each was visited, its neighbour in the tree, and its degree.
        let order: Row<Int32>
        /// The cost of joining each city. Then the penalties of the cities at each depth from 0 on.
        let work: Row<Double>
        var depth = 1, length = 0.0
        /// What no round trip that begins this way is shorter than.
        var bound = 0.0
    }

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        let problem = !airports.isEmpty ? fly(tables[0]) : tables[0].isEmpty ? drawCities() : read(tables[0])
        if let problem { return problem }
        // Rounding is the same in both directions.
        if distances.isEmpty {
            distances = (0..<count * count).map { length(min($0 / count, $0 % count), max($0 / count, $0 % count)) }
        }
        isWhole = distances.allSatisfy { $0 == $0.rounded(.down) && $0 < 0x1p40 }
        // 20 cities have 10¹⁷ orders.
        if bound == .cost { return count <= 20 ? nil : "bound=cost takes at most 20 cities; use bound=one-tree" }
        nearest = (0..<count).flatMap { a in
            let others = (0..<count).filter { $0 != a }.map { (distances[a * count + $0], $0) }
            return others.sorted { $0 < $1 }.map { Int32($0.1) }
        }
        (known, tour) = Tour.good(count, distances, nearest)
        penalties = [Double](repeating: 0, count: count)
        // With three cities there is one round trip.
        if count > 3 { penalties = withExtendedLifetime(SearchMemory()) { bestPenalties(root($0)) } }
        return nil
    }

    private mutating func drawCities() -> StaticString? {
        if distance == .earth { return "distance=earth is for a file of places; give it with --input cities=FILE" }
        count = cities
        var random = RandomStream(seed: UInt64(draw), block: 0, lane: 0)
        for _ in 0..<2 * count { places.append(random.real(in: 0..<1000)) }
        return nil
    }

    private mutating func fly(_ file: Table) -> StaticString? {
        guard file.isEmpty else { return "airports and a file cannot be used together; leave out one of them" }
        if distance == .earth { return "distance is for a file, and airports need none; leave it out" }
        guard airports.count > 1 else { return "a round trip needs at least two airports; use airports=LHR,JFK" }
        let places = airports.places.flatMap { [Tsp.world[$0].latitude, Tsp.world[$0].longitude] }
        return read(Table(rows: airports.count, columns: 2, numbers: places))
    }

    private mutating func read(_ table: Table) -> StaticString? {
        if cities != 20 || draw != 1 { return "cities and draw are for random cities; leave them out" }
        guard table.numbers.allSatisfy({ $0.magnitude <= 1e100 }) else { return "the file has a number beyond 1e100" }
        // The tables of more would not fit the memory of a plugin's stack of trees.
        guard (2...128).contains(table.rows) else { return "the file must have from 2 to 128 cities" }
        (count, names) = (table.rows, table.rowNames)
        if table.columns == 2 {
            places = table.numbers
            let isWrong = distance == .earth && (0..<count).contains { places[2 * $0].magnitude > 90 }
            return isWrong ? "a latitude is from -90 to 90; the first column has latitudes" : nil
        }
        guard [count, count + 2].contains(table.columns), distance == .plane else {
            return "the file must have two columns, x and y, or as many as lines, the distances of each city to all"
        }
        let (width, rows) = (table.columns, table.numbers)
        distances = (0..<count * count).map { rows[$0 / count * width + $0 % count] }
        if width > count { places = (0..<2 * count).map { rows[$0 / 2 * width + count + $0 % 2] } }
        let back = (0..<count * count).map { distances[$0 % count * count + $0 / count] }
        let isFine = back == distances && back.allSatisfy { $0 >= 0 }
        return isFine ? nil : "distances must be the same in both directions, and not below 0"
    }

    private func length(_ a: Int, _ b: Int) -> Double {
        let (x, y) = (places[2 * b] - places[2 * a], places[2 * b + 1] - places[2 * a + 1])
        if !isOnEarth { return (x * x + y * y).squareRoot() }
        // The haversine, in kilometres on a sphere.
        let degree = Double.pi / 180
        let (u, v) = (sin(x * degree / 2), sin(y * degree / 2))
        let part = u * u + cos(places[2 * a] * degree) * cos(places[2 * b] * degree) * v * v
        return 2 * 6371 * asin(min(1, part.squareRoot()))
    }

    private func bestPenalties(_ partial: Partial) -> [Double] {
        var (best, step, now, kept) = (-Double.infinity, 0.0, penalties, penalties)
        for _ in 0..<300 {
            for city in 0..<count { partial.work[2 * count + city] = now[city] }
            let tree = leastTree(partial)
            if step == 0 { step = tree / Double(2 * count) }
            if tree > best { (best, kept) = (tree, now) }
            for city in 1..<count { now[city] += step * Double(partial.order[3 * count + city] - 2) }
            step *= 0.985
        }
        return kept
    }

    func root(_ memory: SearchMemory) -> Partial {
        let partial = Partial(order: memory.row(0, count: 4 * count), work: memory.row(0, count: (count + 2) * count))
        for city in 0..<count { partial.order[city] = Int32(city) }
        partial.order[count] = 1
        for city in penalties.indices { partial.work[2 * count + city] = penalties[city] }
        return partial
    }

    /// The sum along the found tour may differ in its last bits from that of the walk.
    var start: Double? { isWhole ? known : known * (1 + 1e-9) }
    /// The branch to the next city of the good round trip, in the direction in which city 1 comes before city 2.
    func startBranch(_ partial: Partial) -> Int? {
        guard !tour.isEmpty else { return nil }
        let here = Int(partial.order[partial.depth - 1])
        var (first, one, two, own) = (0, 0, count, 0)
        for place in 0..<count {
            switch tour[place] {
            case 0: first = place
            case 1: one = place
            case 2: two = place
            default: break
            }
            if tour[place] == here { own = place }
        }
        let isForward = (one + count - first) % count <= (two + count - first) % count || count < 3
        let next = tour[(own + (isForward ? 1 : count - 1)) % count]
        var (branch, at) = (0, here * (count - 1))
        while nearest[at] != next {
            if partial.order[count + Int(nearest[at])] == 0 { branch += 1 }
            at += 1
        }
        return branch
    }

    var instead: ByCost? { bound == .cost ? ByCost(tsp: self) : nil }

    func branches(_ partial: Partial) -> Int { count - partial.depth }
    func bound(_ partial: Partial) -> Double { partial.bound }
    func undo(_ branch: Int, _ partial: Partial) { partial.order[count + Int(partial.order[partial.depth])] = 0 }

    func cost(_ partial: Partial) -> Double? {
        partial.depth == count ? partial.length + distances[Int(partial.order[count &- 1]) &* count] : nil
    }

    /// Goes on to one of the cities that are left, the nearest first, and bounds what follows.
    func take(_ branch: Int, _ partial: Partial) -> Partial {
        let (depth, here) = (partial.depth, Int(partial.order[partial.depth - 1]))
        var (left, at) = (branch, here * (count - 1))
        while left > 0 || partial.order[count + Int(nearest[at])] != 0 {
            if partial.order[count + Int(nearest[at])] == 0 { left -= 1 }
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
        next.bound = isMirrored ? .infinity : bounded(next, max(partial.bound, next.length))
        return next
    }

    private func bounded(_ partial: Partial, _ before: Double) -> Double {
        let (own, above) = ((partial.depth + 1) * count, partial.depth * count)
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

    /// Returns the length so far and the least tree through all cities that are left, with an edge to it from each end of
    /// the way so far. An edge also costs its cities' penalties, the same for each round trip. Notes cities' degrees.
    private func leastTree(_ partial: Partial) -> Double {
        let (order, work, own) = (partial.order, partial.work, (partial.depth + 1) * count)
        let here = Int(order[partial.depth - 1])
        var (first, next, last) = (-1, 0, 0)
        var (sum, fromHere, fromStart) = (0.0, Double.infinity, Double.infinity)
        for city in 1..<count where order[count + city] == 0 {
            let cost = distances[here * count + city] + work[own + city]
            sum += work[own + city]
            if cost < fromHere { (fromHere, next) = (cost, city) }
            if first < 0 { first = city }
            work[city] = .infinity
            order[3 * count + city] = 0
        }
        if first < 0 { return partial.length + distances[here * count] }
        // At the root both edges begin at one city, so they lead to two.
        for city in 1..<count where order[count + city] == 0 && (partial.depth > 1 || city != next) {
            let cost = distances[city] + work[own + city]
            if cost < fromStart { (fromStart, last) = (cost, city) }
        }
        order[3 * count + next] += 1
        order[3 * count + last] += 1
        return partial.length + fromHere + fromStart + join(partial, first) - 2 * sum
    }

    /// Joins all cities that are left to a tree, beginning with `first` (Prim). Returns its cost.
    private func join(_ partial: Partial, _ first: Int) -> Double {
        let (order, work, own) = (partial.order, partial.work, (partial.depth + 1) * count)
        var (at, total) = (first, 0.0)
        work[first] = -.infinity
        while true {
            var (next, least) = (-1, Double.infinity)
            let penalty = work[own + at]
            for city in 1..<count where order[count + city] == 0 && work[city] != -.infinity {
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
            work[next] = -.infinity
            at = next
        }
    }

    /// Writes the cities in order, on the earth the kilometres of each leg, and then the places for a map.
    func show(_ partial: Partial, _ output: inout Output) { show(partial.order, &output) }

    private func show(_ order: Row<Int32>, _ output: inout Output) {
        for index in 0..<count {
            // A name may have blanks.
            if index > 0 { output.write(names.isEmpty ? " " : ", ") }
            show(Int(order[index]), &output)
        }
        output.line("")
        if isOnEarth { showLegs(order, &output) }
        for index in 0...count where !places.isEmpty {
            let city = Int(order[index % count])
            // The map has the north at the top.
            output.write(isOnEarth ? places[2 * city + 1] : places[2 * city])
            output.write(" ")
            output.line(isOnEarth ? places[2 * city] : places[2 * city + 1])
        }
    }

    /// Writes the code of an airport, the name of a city, or its number from 1 on.
    private func show(_ city: Int, _ output: inout Output) {
        if !airports.isEmpty { return output.write(airports.names[city]) }
        if names.isEmpty { return output.write(city + 1) }
        for octet in names[city] { output.put(octet) }
    }

    private func showLegs(_ order: Row<Int32>, _ output: inout Output) {
        var whole = 0.0
        for index in 0..<count {
            let (from, to) = (Int(order[index]), Int(order[(index + 1) % count]))
            whole += distances[from * count + to]
            for (city, end) in [(from, " – " as StaticString), (to, ": ")] {
                show(city, &output)
                if !airports.isEmpty {
                    output.write(" ")
                    output.write(Tsp.world[airports.places[city]].name)
                }
                output.write(end)
            }
            output.write(Int(distances[from * count + to].rounded()))
            output.line(" km")
        }
        output.write("in all: ")
        output.write(Int(whole.rounded()))
        output.line(" km")
    }

    static var readings: [ReadingRule<Tsp>] {
        derived("distance", { _, tally, _ in Double.number(tally.best.key, .smaller) })
    }
}

extension Tsp {
    /// The tree with `bound=cost`. Its nodes are so cheap that telling the bounds apart would take a third of the time.
    struct ByCost: SearchTree {
        let tsp: Tsp

        struct Partial: BitwiseCopyable {
            let order: Row<Int32>
            var depth = 1, length = 0.0
        }

        func root(_ memory: SearchMemory) -> Partial { Partial(order: tsp.root(memory).order) }
        func branches(_ partial: Partial) -> Int { tsp.count &- partial.depth }
        func bound(_ partial: Partial) -> Double { partial.length }
        func undo(_ branch: Int, _ partial: Partial) { partial.order.swapAt(partial.depth, partial.depth &+ branch) }
        func show(_ partial: Partial, _ output: inout Output) { tsp.show(partial.order, &output) }

        func cost(_ partial: Partial) -> Double? {
            guard partial.depth == tsp.count else { return nil }
            return partial.length + tsp.distances[Int(partial.order[partial.depth &- 1]) &* tsp.count]
        }

        func bound(after branch: Int, _ partial: Partial) -> Double? {
            let (here, city) = (partial.order[partial.depth &- 1], partial.order[partial.depth &+ branch])
            return partial.length + tsp.distances[Int(here) &* tsp.count &+ Int(city)]
        }

        /// Goes on to one of the cities that are left, which changes places with the first of them.
        func take(_ branch: Int, _ partial: Partial) -> Partial {
            let length = bound(after: branch, partial) ?? 0
            partial.order.swapAt(partial.depth, partial.depth &+ branch)
            return Partial(order: partial.order, depth: partial.depth &+ 1, length: length)
        }
    }
}
