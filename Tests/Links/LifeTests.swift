import PotluckCore
import PotluckNet
import Testing

/// When a link sends a ping, and when it gives up the peer.
@Suite struct LifeTests {
    private let step: Duration = .milliseconds(20)

    /// Runs one end without a peer. Returns the number of pings it sent, and when it gave up.
    private func silence(
        of core: inout LinkCore, from start: Instant, for time: Duration, slow: Bool = false
    ) -> (questions: Int, silent: Duration?) {
        var questions = 0
        var now = start
        while now - start < time {
            if core.judge(at: now, slow: { slow }) == .silent { return (questions, now - start) }
            if !Wire.record(of: &core).isEmpty { questions += 1 }
            now = now + step
        }
        return (questions, nil)
    }

    @Test func aDeadPeerIsKnownInThreeSeconds() {
        var core = LinkCore(at: .start, asksFirst: true)
        let end = silence(of: &core, from: .start, for: .seconds(60))
        #expect(end.questions == 1)
        #expect(end.silent.map { $0 >= .milliseconds(2600) && $0 < .milliseconds(2900) } == true)
    }

    @Test func aPeerThatAnswersLives() throws {
        var wire = Wire(seed: 1)
        for _ in 0..<5000 {
            wire.now = wire.now + step
            for end in 0...1 {
                let verdict = wire.ends[end].judge(at: wire.now, slow: { false })
                #expect(verdict == .alive)
            }
            try wire.exchange()
        }
        let trips = wire.news.joined().count { if case .roundTrip = $0 { true } else { false } }
        // In 100 s, one ping every 1.2 s is enough for both ends.
        #expect((70...90).contains(trips))
    }

    @Test func theRoundTripIsMeasured() throws {
        var wire = Wire(seed: 2)
        wire.now = wire.now + .seconds(2)
        _ = wire.ends[0].judge(at: wire.now, slow: { false })
        _ = wire.fill(0)
        wire.now = wire.now + .milliseconds(30)
        try wire.exchange()
        #expect(wire.news[0] == [.roundTrip(.milliseconds(30))])
    }

    /// After a sleep, a laptop does not judge peers by the silence during it.
    @Test func afterASleepThePeerIsAskedBeforeItIsJudged() throws {
        for slept in [Duration.seconds(4), .seconds(60), .seconds(36_000)] {
            for before in [Duration.milliseconds(500), .milliseconds(1300), .milliseconds(2500)] {
                var core = LinkCore(at: .start, asksFirst: true)
                #expect(silence(of: &core, from: .start, for: before).silent == nil)
                let woken = Instant.start + before + slept
                let verdict = core.judge(at: woken, slow: { false })
                #expect(verdict == .alive)
                #expect(Wire.record(of: &core).count == 12)
                let end = silence(of: &core, from: woken, for: .seconds(60))
                #expect(end.silent.map { $0 >= LinkLimits.answerTime && $0 < .milliseconds(1500) } == true)
            }
        }
    }

    /// A peer whose kernel acknowledges data sent before the ping has a slow
    /// network. It gets more time, but not without limit.
    @Test func aSlowPeerHasLonger() {
        var core = LinkCore(at: .start, asksFirst: true)
        let end = silence(of: &core, from: .start, for: .seconds(60), slow: true)
        #expect(end.silent.map { $0 >= LinkLimits.slowSilence && $0 < LinkLimits.slowSilence + .seconds(1) } == true)
    }
}
