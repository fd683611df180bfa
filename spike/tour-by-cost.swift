import Glibc
struct Tour: Search {
    static let name: StaticString = "tour"
    static let summary: StaticString = "x"
    @Parameter("cities", "n", in: 2...64) var cities = 12
    var d: [Double] = []
    struct Partial: BitwiseCopyable { let order: Row<Int32>; var depth = 1; var length = 0.0 }
    func root(_ memory: SearchMemory) -> Partial {
        let order = memory.row(Int32(0), count: cities)
        for city in 0..<cities { order[city] = Int32(city) }
        return Partial(order: order)
    }
    mutating func prepare(_ tables: [Table]) -> StaticString? {
        let seed: UInt64 = 3
        var s: UInt64 = seed &+ 0x9E3779B97F4A7C15
        func next() -> Double { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return Double(s >> 11) / 0x1p53 * 1000 }
        let xy = (0..<cities).map { _ in (next(), next()) }
        d = []
        for a in xy { for b in xy { d.append(((a.0-b.0)*(a.0-b.0)+(a.1-b.1)*(a.1-b.1)).squareRoot()) } }
        return nil
    }
    func cost(_ p: Partial) -> Double? { p.depth == cities ? p.length + d[Int(p.order[cities-1]) * cities] : nil }
    func branches(_ p: Partial) -> Int { cities - p.depth }
    func take(_ b: Int, _ p: Partial) -> Partial {
        let k = p.depth
        p.order.swapAt(k, k &+ b)
        var q = p
        q.length += d[Int(p.order[k &- 1]) &* cities &+ Int(p.order[k])]
        q.depth = k &+ 1
        return q
    }
    func undo(_ b: Int, _ p: Partial) { p.order.swapAt(p.depth, p.depth &+ b) }
    func bound(_ p: Partial) -> Double { p.length }
    func show(_ p: Partial, _ o: inout Output) { for i in 0..<cities { o.write(UInt64(p.order[i])); o.write(" ") } }
    static var readings: [ReadingRule<Tour>] { derived("distance", { _, t, _ in Double.number(t.best.key, .smaller) }) }
    init() {}
}
@main struct Main {
    static func main() {
        let n = Int(CommandLine.arguments[1])!
        var (t, _) = ParameterReader.make(Tour.self, given: [UInt64(n)])
        _ = t.prepare([])
        let c = clock()

        let r = t.run(SearchRequest(points: 0..<SearchSpace.points))
        let s = Double(clock() - c) / 1e6
        print(r, Double.number(r.best.key, .smaller)!, s, Double(r.expanded) / s / 1e6, "M/s")
        print(String(decoding: t.shown(r.best)!.octets, as: UTF8.self))
        if n > 11 { return }
        // parts
        var g = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var best = Best(); var ex: UInt64 = 0
            var todo = [0..<SearchSpace.points]
            while !todo.isEmpty {
                let i = Int.random(in: 0..<todo.count, using: &g)
                let part = todo.remove(at: i)
                var q = SearchRequest(points: part, bound: best, budget: UInt64.random(in: 1...5000))
                while true {
                    let x = t.run(q)
                    ex += x.expanded
                    if x.best < best { best = x.best }
                    if x.end == part.upperBound { break }
                    q.points = x.end..<part.upperBound
                    q.path = x.path
                    q.bound = best
                    if Bool.random(using: &g) {
                        q.path = []
                        let rest = x.end..<part.upperBound
                        if rest.count > 4 { let m = rest.lowerBound + UInt64.random(in: 1..<UInt64(rest.count)); todo += [rest.lowerBound..<m, m..<rest.upperBound]; break }
                    }
                }
            }
            precondition(best == r.best, "\(best) \(r.best)")
        }
        print("parts agree")
    }
}
