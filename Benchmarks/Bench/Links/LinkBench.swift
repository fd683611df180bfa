import Glibc
import PotluckCrypto
import PotluckLinks
import PotluckModel

/// PotluckBench links REFERENCE [IDLE-LINKS | short]: measures round trips, throughput and idle links, with both ends in
/// this process on loopback. With `host` or `guest` this is one end of `Payload`.
enum LinkBench {
    private static let roundTrips = 20_000
    private static let idleLinks = 500
    private static let idleTime: Duration = .seconds(20)

    static func run(_ arguments: [String]) async {
        guard arguments.count >= 2 else { fail("run Benchmarks/run instead") }
        switch arguments[1] {
        case "host": return await Payload.host()
        case "guest" where arguments.count > 2: return await Payload.guest(arguments[2])
        default: break
        }
        let isShort = arguments.dropFirst(2).first == "short"
        let rounds = isShort ? 1 : 5
        let raw = rawRoundTrip(arguments[1])
        var ratios: [(ours: Double, raw: Double)] = []
        for _ in 0..<rounds {
            let ours = await Ends().roundTrip(roundTrips)
            ratios.append((ours, raw(Int32(roundTrips))))
        }
        let middle = ratios.sorted { $0.ours / $0.raw < $1.ours / $1.raw }[rounds / 2]
        line(
            "round trip of 64 octets, median", "\(hundredths(middle.ours)) µs",
            "raw C epoll \(hundredths(middle.raw)) µs",
            "\(hundredths(middle.ours / middle.raw)) times, wanted ≤ 2")
        var speeds: [Double] = []
        for _ in 0..<rounds { speeds.append(await Ends().bulk(messages: 64, of: 4 << 20)) }
        line("bulk in messages of 4 MiB", "\(Int(speeds.sorted()[rounds / 2])) MiB/s", "median of \(rounds)", "")
        let idle = await Ends().idle(
            links: arguments.dropFirst(2).first.flatMap { Int($0) } ?? idleLinks,
            for: isShort ? .seconds(1) : idleTime)
        line(
            "\(idle.links) idle links", "\(hundredths(idle.share * 100)) % of a core", "one end's thread",
            "wanted < 1")
        line("", "\(hundredths(idle.kilobytes)) KB each", "resident memory of one end", "wanted ≤ 25")
    }

    private static func rawRoundTrip(_ path: String) -> (Int32) -> Double {
        let function = reference("ping_pong", in: path, as: (@convention(c) (Int32) -> Int64).self)
        return { Double(function($0)) / 1000 }
    }

    private static func line(_ cells: String...) { printLine(cells, widths: [34, 16, 28, 0]) }
}
