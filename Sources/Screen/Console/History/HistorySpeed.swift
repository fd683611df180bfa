import PotluckCore
import PotluckKit

/// How fast a history is under a load.
public struct HistorySpeed: Sendable {
    public let bytes: Int64
    public let runs: UInt64
    /// The time to build the store.
    public let build: Duration
    /// How long each part of the transactions took.
    public let part: Duration
    /// How many transactions each part made.
    public var counts: [Int]

    public init(bytes: Int64, runs: UInt64, build: Duration, part: Duration, counts: [Int] = []) {
        (self.bytes, self.runs, self.build) = (bytes, runs, build)
        (self.part, self.counts) = (part, counts)
    }

    public var perMinute: Double { Self.perMinute(counts.reduce(0, +), in: part * counts.count) }
    /// The transactions a minute in each part.
    public var course: [Double] { counts.map { Self.perMinute($0, in: part) } }

    private static func perMinute(_ count: Int, in time: Duration) -> Double { Double(count) * 60 / time.seconds }

    /// `price` is what a transaction a minute costs.
    public func lines(_ price: Double?, on canvas: Canvas) -> [StyledLine] {
        let built = "\(Figures.size(Int(bytes))), \(Figures.grouped(runs)) runs, built in \(Figures.time(build))"
        let rows = course.enumerated().map { place, rate in
            Table.Row(cells: [Figures.time(part * (place + 1)), whole(rate)], ink: .plain)
        }
        var lines = [StyledLine("history of \(built)", .strong), StyledLine()]
        lines += Table.lines(heads: ["after", "transactions a minute"], rows: rows, on: canvas)
        lines += [StyledLine(), StyledLine("\(whole(perMinute)) transactions a minute in all")]
        if let price { lines.append(StyledLine("\(Figures.significant(price, 3)) is the price of one a minute")) }
        return lines
    }

    private func whole(_ rate: Double) -> String { Figures.grouped(UInt64(rate.rounded())) }
}
