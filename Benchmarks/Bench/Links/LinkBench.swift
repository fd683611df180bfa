import Glibc
import PotluckCore
import PotluckNet
import PotluckSystem

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
        Figure(
            what: "round trip of 64 octets", value: middle.ours / middle.raw, unit: "times C with epoll",
            bound: .atMost(2),
            remark: "\(hundredths(middle.ours)) and \(hundredths(middle.raw)) µs, median of \(rounds)"
        ).report()
        var speeds: [Double] = []
        for _ in 0..<rounds { speeds.append(await Ends().bulk(messages: 64, of: 4 << 20)) }
        Figure(
            what: "bulk in messages of 4 MiB", value: speeds.sorted()[rounds / 2], unit: "MiB/s",
            remark: "median of \(rounds)"
        ).report()
        let idle = await Ends().idle(
            links: arguments.dropFirst(2).first.flatMap { Int($0) } ?? idleLinks,
            for: isShort ? .seconds(1) : idleTime)
        Figure(
            what: "\(idle.links) idle links", value: idle.share * 100, unit: "% of a core", bound: .atMost(1),
            remark: "one end's thread"
        ).report()
        Figure(
            what: "memory of an idle link", value: idle.kilobytes, unit: "KB", bound: .atMost(25), remark: "one end"
        ).report()
    }

    private static func rawRoundTrip(_ path: String) -> (Int32) -> Double {
        let function = reference("ping_pong", in: path, as: (@convention(c) (Int32) -> Int64).self)
        return { Double(function($0)) / 1000 }
    }
}
