import PotluckCore
import PotluckNet
import Testing

/// Which address is tried when.
@Suite struct HappyEyeballsTests {
    private func v4(_ number: UInt8) throws -> Endpoint { try #require(Endpoint(octets: [10, 0, 0, number], port: 1)) }
    private func v6(_ number: UInt8) throws -> Endpoint {
        try #require(Endpoint(octets: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [number], port: 1))
    }

    /// Runs attempts that end as `fate` says. Returns what was tried when, and when the dial was over.
    private func run(
        _ eyeballs: inout HappyEyeballs, fate: (Endpoint) -> (after: Duration, reason: DialFailure)?
    ) -> (tried: [(Endpoint, Duration)], over: Duration) {
        var now = Instant.start
        var tried: [(Endpoint, Duration)] = []
        var ends: [(Instant, DialFailure)] = []
        while !eyeballs.isOver(at: now) {
            while let endpoint = eyeballs.next(at: now) {
                tried.append((endpoint, now - .start))
                if let fate = fate(endpoint) { ends.append((now + fate.after, fate.reason)) }
            }
            now = now + .milliseconds(5)
            for (time, reason) in ends where time <= now { eyeballs.failed(reason, at: now) }
            ends.removeAll { $0.0 <= now }
        }
        return (tried, now - .start)
    }

    @Test func familiesAlternateAndEachHasAHeadStart() throws {
        let endpoints = [try v4(1), try v4(2), try v4(3), try v6(1), try v6(2)]
        var eyeballs = HappyEyeballs(endpoints.map { .endpoint($0) } + [.endpoint(endpoints[0])], at: .start)
        let (tried, over) = run(&eyeballs) { _ in nil }
        #expect(tried.map(\.0) == [endpoints[0], endpoints[3], endpoints[1], endpoints[4], endpoints[2]])
        #expect(tried.map(\.1) == (0..<5).map { LinkLimits.headStart * $0 })
        #expect(over == LinkLimits.dial)
        #expect(eyeballs.verdict(at: .start + over) == .timedOut)
    }

    @Test func aFailureStartsTheNextAtOnce() throws {
        let endpoints = try (1...6).map { try v4($0) }
        var eyeballs = HappyEyeballs(endpoints.map { .endpoint($0) }, at: .start)
        let (tried, over) = run(&eyeballs) { ($0 == endpoints[3] ? .milliseconds(1) : .milliseconds(2), .unreachable) }
        #expect(tried.count == 6 && over <= .milliseconds(30))
        #expect(eyeballs.verdict(at: .start + over) == .unreachable)
    }

    @Test func theReasonThatSaysMostIsKept() throws {
        let endpoints = try (1...3).map { try v4($0) }
        for order in 0..<3 {
            var reasons: [DialFailure] = [.wrongCode, .unreachable, .timedOut]
            reasons.swapAt(0, order)
            var eyeballs = HappyEyeballs(endpoints.map { .endpoint($0) }, at: .start)
            let (_, over) = run(&eyeballs) { endpoint in
                (.milliseconds(1), reasons[Int(endpoint.octets[3]) - 1])
            }
            #expect(eyeballs.verdict(at: .start + over) == .wrongCode)
        }
    }

    @Test func namesAreWaitedForAndTriedWhenFound() throws {
        var eyeballs = HappyEyeballs([.host("ana", port: 1), .endpoint(try v4(1))], at: .start)
        #expect(eyeballs.next(at: .start) == (try v4(1)))
        eyeballs.failed(.unreachable, at: .start)
        #expect(!eyeballs.isOver(at: .start))
        eyeballs.found([try v6(1), try v4(2)])
        #expect(eyeballs.next(at: .start) == (try v6(1)))
        eyeballs.failed(.unreachable, at: .start)
        #expect(eyeballs.next(at: .start) == (try v4(2)))
        eyeballs.failed(.unreachable, at: .start)
        #expect(eyeballs.isOver(at: .start))
    }

    /// Many addresses do not use up the descriptors.
    @Test func thereAreNeverTooMany() throws {
        let endpoints = try (0..<200).map { try v4(UInt8($0)) }
        var eyeballs = HappyEyeballs(endpoints.map { .endpoint($0) }, at: .start)
        let (tried, _) = run(&eyeballs) { _ in nil }
        #expect(tried.count == LinkLimits.candidates)
    }

    @Test func aHandshakeIsGivenTime() throws {
        var eyeballs = HappyEyeballs([.endpoint(try v4(1)), .endpoint(try v4(2))], at: .start)
        _ = eyeballs.next(at: .start)
        eyeballs.connected(at: .start)
        #expect(eyeballs.next(at: .start + LinkLimits.headStart) == nil)
        #expect(eyeballs.next(at: .start + LinkLimits.headStart * 5) == (try v4(2)))
    }
}
