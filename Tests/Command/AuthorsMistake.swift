import Foundation

/// A mistake from `Mistakes/mistakes.txt`, with the source of the simulation that makes it.
struct AuthorsMistake: Sendable, CustomStringConvertible {
    let name: String
    /// Words of which the program says at least one.
    let says: [String]
    /// Why a run alone says nothing, if only `potluck check` can know.
    let onlyCheck: String?
    /// Why a native program may say nothing, if it may.
    let notNative: String?
    let source: String
    private let kind: String

    var description: String { name }

    /// The options that end a run soon: a search and a gathering end by themselves, and a search takes no seed.
    var goal: String {
        switch kind {
        case "search": ""
        case "gathering": "--seed 1"
        default: "--trials 300000 --seed 1"
        }
    }

    /// The table. Keys are parts of a simulation; a key that occurs twice has two lines.
    static func table(_ path: String) throws -> [AuthorsMistake] {
        try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n\n").compactMap { part in
            var parts: [String: String] = [:]
            for line in part.split(separator: "\n") where !line.hasPrefix("#") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let (key, value) = (String(line[..<colon]), line[line.index(after: colon)...].drop { $0 == " " })
                parts[key] = (parts[key].map { $0 + "\n    " } ?? "") + value
            }
            return parts.isEmpty ? nil : AuthorsMistake(parts)
        }
    }

    private init(_ parts: [String: String]) {
        let kind = parts["kind"] ?? "trial"
        (self.kind, name) = (kind, parts["name"] ?? "")
        (onlyCheck, notNative) = (parts["only check"], parts["not native"])
        says = parts["says", default: ""].components(separatedBy: "|")
        let type = ["lanes": "LaneSimulation", "search": "Search", "gathering": "Gathering"][kind] ?? "Simulation"
        let body = kind == "search" ? Self.search(parts) : Self.counting(parts, kind)
        source = """
            import PotluckKit

            \(parts["global"] ?? "")

            struct Mine: \(type) {
                static let name: StaticString = "\(parts["title"] ?? "mine")"
                static let summary: StaticString = "\(parts["summary"] ?? "Counts something.")"
                \(parts["member"] ?? "")
            \(body)
            }

            """
    }

    /// The rest of a simulation or a gathering.
    private static func counting(_ parts: [String: String], _ kind: String) -> String {
        let isGathering = kind == "gathering"
        let fields = parts["fields"] ?? (isGathering ? "even = Count()" : "hits = Count()")
        let visits = fields.components(separatedBy: "; ").map { field in
            let name = field.prefix { $0 != " " }
            return "visitor.field(\"\(name)\", &\(name))"
        }
        let size = parts["member"]?.contains("blockSize") == true ? "" : "var blockSize: Int { 1024 }"
        let units = """
                var units: UInt64 { \(parts["units"] ?? "20_000") }
                func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
                    \(parts["block"] ?? "for unit in units { output.line(unit); tally.even.add(unit % 2 == 0) }")
                }
            """
        let trials = """
                func trial(_ random: inout RandomStream, _ tally: inout Tally) {
                    \(parts["trial"] ?? "tally.hits.add(random.below(6) == 0)")
                }
                \(parts["lanes"].map { "func lanes(_ random: inout LaneStreams, _ tally: inout Tally) {\n\($0)\n}" } ?? "")
            """
        let reading =
            isGathering
            ? "derived(\"even\", { _, tally, _ in Double(tally.even.value) })" : "proportion(\"hits\", { $0.hits })"
        return """
                \(size)
                struct Tally: SimulationTally {
                    var \(fields.replacing(";", with: ","))
                    mutating func visit(_ visitor: inout some TallyVisitor) {
                        \(parts["visit"] ?? visits.joined(separator: "; "))
                    }
                }
            \(isGathering ? units : trials)
                static var readings: [ReadingRule<Mine>] {
                    \(parts["readings"] ?? reading)
                }
            """
    }

    /// The rest of a search: a knapsack whose best load is worth 53.
    private static func search(_ parts: [String: String]) -> String {
        let hasRows = parts["rows"] != nil
        let value = hasRows ? "partial.row[0]" : "partial.value"
        let add = "partial.row[0] += branch * Self.values[partial.next]; "
        let take = """
            var next = partial
            next.next += 1
            if branch == 1 {
                next.weight += Self.weights[partial.next]
                next.value += Self.values[partial.next]
                next.taken |= 1 << partial.next
            }
            return next
            """
        let undo = "func undo(_ branch: Int, _ partial: Partial) { \(parts["undo"] ?? "") }"
        return """
                @Parameter("limit", "the weight that it holds", in: 1...1000) var limit = 50
                static let weights = [12, 2, 1, 4, 1, 9, 20, 31], values = [4, 2, 1, 10, 2, 9, 13, 29]
                static var better: SearchOrder { \(parts["better"] ?? ".larger") }
                struct Partial: BitwiseCopyable { var next = 0, weight = 0, value = 0, taken = 0\(hasRows ? "; var row: Row<Int>" : "") }
                func root(_ memory: SearchMemory) -> Partial { Partial(\(hasRows ? "row: memory.row(0, count: 1)" : "")) }
                \(parts["start"].map { "var start: Int? { \($0) }" } ?? "")
                \(parts["after"].map { "func bound(after branch: Int, _ partial: Partial) -> Int? { \($0) }" } ?? "")
                \(hasRows ? undo : "")
                func cost(_ partial: Partial) -> Int? { \(parts["cost"] ?? "partial.next == Self.weights.count ? \(value) : nil") }
                func branches(_ partial: Partial) -> Int {
                    \(parts["branches"] ?? "partial.weight + Self.weights[partial.next] <= limit ? 2 : 1")
                }
                func take(_ branch: Int, _ partial: Partial) -> Partial { \(parts["take"] ?? (hasRows ? add : "") + take) }
                func bound(_ partial: Partial) -> Int { \(parts["bound"] ?? "\(value) + Self.values[partial.next...].reduce(0, +)") }
                func show(_ partial: Partial, _ output: inout Output) { output.line(partial.taken) }
                static var readings: [ReadingRule<Mine>] {
                    \(parts["readings"] ?? "derived(\"value\", { _, tally, _ in Int.number(tally.best.key, better) })")
                }
            """
    }
}
