import PotluckCore
import PotluckKit

/// The streams between the nodes of a program and its lead. Each keeps its order, and has delays of its own: letters of
/// different streams overtake each other. Two nodes without a link have a relay between them.
struct RankStreams {
    private var random: RandomStream
    /// The least delay from each place to each other, in nanoseconds.
    private var delays: [[Int]]
    private let jitter: Int
    /// When the last item of each stream arrives.
    private var arrivals: [[Instant]]

    /// Delays in nanoseconds: none, less than a step of a rank, and much more.
    private static let scales = [1, 30, 1000, 30_000]

    init(places: Int, _ random: RandomStream) {
        var random = random
        var delays = (0..<places).map { _ in
            (0..<places).map { _ in random.below(Self.scales[random.below(Self.scales.count)]) }
        }
        let relay = random.below(places)
        for from in 0..<places {
            for to in 0..<places where random.chance(0.2) { delays[from][to] = delays[from][relay] + delays[relay][to] }
        }
        jitter = Self.scales[random.below(Self.scales.count)]
        arrivals = Array(repeating: Array(repeating: .start, count: places), count: places)
        self.delays = delays
        self.random = random
    }

    /// When something arrives that is sent now.
    mutating func arrival(from: Int, to: Int, at now: Instant) -> Instant {
        let delay = Duration.nanoseconds(delays[from][to] + random.below(jitter))
        arrivals[from][to] = max(arrivals[from][to], now + delay)
        return arrivals[from][to]
    }
}
