import Glibc
nonisolated(unsafe) var givenD: [Double] = []
nonisolated(unsafe) var givenN = 0
struct Tour: Search {
    static let name: StaticString = "tour"
    static let summary: StaticString = "x"
    var cities = 0
    var d: [Double] = []
    var near: [Int32] = []
    var startCost = Double.infinity
    var rootPi: [Double] = []
    var isWhole = true
    init() {}
    var start: Double? { isWhole ? startCost : startCost * (1 + 1e-9) }
    struct Partial: BitwiseCopyable {
        let order: Row<Int32>, visited: Row<Bool>, pi: Row<Double>, from: Row<Double>, edge: Row<Int32>, degree: Row<Int32>
        var depth = 1; var length = 0.0; var bound = 0.0
    }
    func root(_ m: SearchMemory) -> Partial {
        let p = Partial(order: m.row(0, count: cities), visited: m.row(false, count: cities), pi: m.row(0, count: cities * (cities + 1)),
            from: m.row(0, count: cities), edge: m.row(0, count: cities), degree: m.row(0, count: cities))
        p.visited[0] = true
        for c in 0..<cities { p.pi[cities + c] = rootPi[c] }
        return p
    }
    mutating func prepare(_ tables: [Table]) -> StaticString? {
        cities = givenN; d = givenD
        let n = cities
        near = []
        for a in 0..<n { near += (0..<n).filter { $0 != a }.sorted { d[a*n+$0] != d[a*n+$1] ? d[a*n+$0] < d[a*n+$1] : $0 < $1 }.map { Int32($0) } }
        // start tour: nearest neighbour + 2-opt from each city
        for s in 0..<n {
            var t = [s]; var seen = Set([s])
            while t.count < n { let e = t.last!; let c = near[e*(n-1)..<(e+1)*(n-1)].first { !seen.contains(Int($0)) }!; t.append(Int(c)); seen.insert(Int(c)) }
            var better = true
            func dist(_ a: Int, _ b: Int) -> Double { d[t[a % n]*n + t[b % n]] }
            while better {
                better = false
                for i in 0..<n-1 { for j in i+2..<n where !(i == 0 && j == n-1) {
                    if dist(i,i+1) + dist(j,j+1) > dist(i,j) + dist(i+1,j+1) + 1e-9 { t[i+1...j].reverse(); better = true } } }
                // or-opt
                for len in 1...3 { for i in 0..<n {
                    var seg: [Int] = []; for k in 0..<len { seg.append(t[(i+k)%n]) }
                    let rest = t.filter { !seg.contains($0) }
                    if rest.count < 2 { continue }
                    func tl(_ x: [Int]) -> Double { var s = 0.0; for k in 0..<x.count { s += d[x[k]*n+x[(k+1)%x.count]] }; return s }
                    let old = tl(t)
                    for q in 0..<rest.count { for r in [seg, seg.reversed()] {
                        let c = Array(rest[0...q]) + r + Array(rest[(q+1)...]); if tl(c) < old - 1e-9 { t = c; better = true } }; if better { break } }
                    if better { break }
                } ; if better { break } }
            }
            var l = 0.0; for k in 0..<n { l += dist(k, k+1) }
            startCost = min(startCost, l)
        }
        // penalties at the root
        rootPi = [Double](repeating: 0, count: n)
        let m = SearchMemory(); let p = root(m)
        var best = -1.0; var pi = rootPi; var step = 0.0; var keep = pi
        for k in 0..<300 {
            for c in 0..<n { p.pi[n + c] = pi[c] }
            let (b, deg) = tree(p)
            if step == 0 { step = b / Double(2*n) }
            if b > best { best = b; keep = pi }
            for c in 1..<n { pi[c] += step * (Double(deg[c]) - 2) }
            step *= 0.985
            _ = k
        }
        rootPi = keep
        print("root bound", best, "start", startCost)
        return nil
    }
    func tree(_ p: Partial) -> (Double, Row<Int32>) {
        let n = cities; let row = p.depth * n
        let e = Int(p.order[p.depth - 1])
        var first = -1; var sumPi = 0.0
        var minE = Double.infinity, min0 = Double.infinity; var atE = -1, at0 = -1
        for c in 0..<n { p.degree[c] = 0 }
        for c in 1..<n where !p.visited[c] {
            let q = p.pi[row + c]
            sumPi += q
            if d[e*n+c] + q < minE { minE = d[e*n+c] + q; atE = c }
            if d[c] + q < min0 { min0 = d[c] + q; at0 = c }
            if first < 0 { first = c }
            p.from[c] = .infinity
        }
        if first < 0 { return (p.length + d[e*n], p.degree) }
        if p.depth == 1 { // both ends at city 0: the two nearest
            min0 = .infinity
            for c in 1..<n where c != atE { let q = p.pi[row + c]; if d[c] + q < min0 { min0 = d[c] + q; at0 = c } }
        }
        p.degree[atE] += 1; p.degree[at0] += 1
        var total = minE + min0
        var at = first
        p.from[first] = -1
        while true {
            var next = -1; var least = Double.infinity
            let qa = p.pi[row + at]
            for c in 1..<n where !p.visited[c] && p.from[c] != -1 {
                let w = d[at*n+c] + qa + p.pi[row + c]
                if w < p.from[c] { p.from[c] = w; p.edge[c] = Int32(at) }
                if p.from[c] < least { least = p.from[c]; next = c }
            }
            if next < 0 { break }
            total += least
            p.degree[next] += 1; p.degree[Int(p.edge[next])] += 1
            p.from[next] = -1
            at = next
        }
        return (p.length + total - 2 * sumPi, p.degree)
    }
    func cost(_ p: Partial) -> Double? { p.depth == cities ? p.length + d[Int(p.order[cities-1]) * cities] : nil }
    func branches(_ p: Partial) -> Int { cities - p.depth }
    func take(_ b: Int, _ p: Partial) -> Partial {
        let e = Int(p.order[p.depth - 1])
        var left = b; var city = 0
        for k in 0..<cities-1 { let c = Int(near[e*(cities-1)+k]); if p.visited[c] { continue }; if left == 0 { city = c; break }; left -= 1 }
        p.order[p.depth] = Int32(city); p.visited[city] = true
        var q = p; q.depth += 1; q.length += d[e*cities+city]
        let rows = cities
        for c in 0..<rows { p.pi[q.depth*rows + c] = p.pi[p.depth*rows + c] }
        // one way round only
        if city == 2 && !p.visited[1] { q.bound = .infinity; return q }
        q.bound = p.bound
        if q.depth < cities {
            var best = -Double.infinity; var step = 0.0
            for k in 0..<6 {
                let (v, deg) = tree(q)
                best = max(best, v)
                if step == 0 { step = v * 0.02 / Double(cities - q.depth) }
                if isWhole ? (v - 1e-6).rounded(.up) > startCost : v > startCost * (1 + 1e-9) { break }
                var spread = 0
                for c in 1..<rows where !p.visited[c] { let g = Int(deg[c]) - 2; spread += g * g; p.pi[q.depth*rows + c] += step * Double(g) }
                if spread == 0 { break }
                step *= 0.7
                _ = k
            }
            q.bound = max(p.bound, isWhole ? (best - 1e-6).rounded(.up) : best * (1 - 1e-9))
        }
        return q
    }
    func undo(_ b: Int, _ p: Partial) { p.visited[Int(p.order[p.depth])] = false }
    func bound(_ p: Partial) -> Double { max(p.bound, p.length) }
    func show(_ p: Partial, _ o: inout Output) { for i in 0..<cities { o.write(UInt64(p.order[i])); o.write(" ") } }
    static var readings: [ReadingRule<Tour>] { derived("distance", { _, t, _ in Double.number(t.best.key, .smaller) }) }
}
func load(_ name: String) -> [Double] {
    var text = ""; let f = fopen("tsp/\(name).txt", "r")!; var buf = [CChar](repeating: 0, count: 1 << 16); while fgets(&buf, 1 << 16, f) != nil { text += String(cString: buf) }
    return text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { Double($0)! }
}
@main struct Main {
    static func main() {
        let what = CommandLine.arguments[1]
        if what == "bays29" { givenD = load(what); givenN = 29 }
        else if what == "fri26" { let l = load(what); givenN = 26; givenD = [Double](repeating: 0, count: 26*26); var i = 0; for r in 0..<26 { for c in 0...r { givenD[r*26+c] = l[i]; givenD[c*26+r] = l[i]; i += 1 } } }
        else { let n = Int(what)!; givenN = n; var s: UInt64 = UInt64(CommandLine.arguments[2])! &+ 0x9E3779B97F4A7C15
          func next() -> Double { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return Double(s >> 11) / 0x1p53 * 1000 }
          let xy = (0..<n).map { _ in (next(), next()) }
          for a in xy { for b in xy { givenD.append(((a.0-b.0)*(a.0-b.0)+(a.1-b.1)*(a.1-b.1)).squareRoot()) } } }
        var t = Tour(); t.isWhole = what.first!.isLetter
        let c = clock()
        _ = t.prepare([])
        let mid = clock()
        let r = t.run(SearchRequest(points: 0..<SearchSpace.points))
        let s = Double(clock() - mid) / 1e6
        print(what, Double.number(r.best.key, .smaller)!, "expanded", r.expanded, "search", s, "s, prepare", Double(mid - c) / 1e6)
        if let o = t.shown(r.best) { print(String(decoding: o.octets, as: UTF8.self)) }
    }
}
