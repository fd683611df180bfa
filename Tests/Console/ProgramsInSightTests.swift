import PotluckCore
import PotluckRanks
import Testing

@testable import PotluckScreen

/// Which programs with ranks screens show, and for how long.
@Suite struct ProgramsInSightTests {
    private func at(_ seconds: Int) -> Instant { .start + .seconds(seconds) }

    private func states(_ programs: ProgramsInSight, _ now: Instant) -> [ProgramPicture.State] {
        programs.pictures(at: now).map(\.state)
    }

    @Test func aProgramIsShownWhileNewsOfItCome() {
        var programs = ProgramsInSight()
        #expect(programs.isEmpty && !programs.isRunning(at: at(0)))
        #expect(programs.take(1, ProgramSample.heat(), at: at(0)) == [.began(ProgramSample.heat())])
        #expect(programs.take(1, ProgramSample.heat(), at: at(1)).isEmpty)
        for (now, expected): (Int, [ProgramPicture.State]) in [
            (1, [.running]), (5, [.running]), (6, [.silent(.seconds(5))]), (30, [.silent(.seconds(29))]), (31, []),
        ] {
            #expect(states(programs, at(now)) == expected, "\(now)")
            #expect(programs.isRunning(at: at(now)) == !expected.isEmpty)
        }
        #expect(programs.pass(to: at(30)).isEmpty)
        #expect(programs.pass(to: at(31)) == [.lost(1, ProgramSample.heat())])
        #expect(programs.isEmpty && programs.pass(to: at(32)).isEmpty)
        // It was only out of reach.
        #expect(programs.take(1, ProgramSample.heat(), at: at(40)) == [.began(ProgramSample.heat())])
        #expect(states(programs, at(40)) == [.running])
    }

    @Test func anEndIsShownForAMinuteOrUntilTheNextProgram() {
        var programs = ProgramsInSight()
        _ = programs.take(1, ProgramSample.heat(), at: at(0))
        let failed = ProgramSample.heat(.failed("rank 3: out of memory"))
        #expect(programs.take(1, failed, at: at(1)) == [.ended(failed)])
        #expect(!programs.isRunning(at: at(1)))
        #expect(states(programs, at(60)) == [.failed("rank 3: out of memory")])
        #expect(states(programs, at(61)).isEmpty && programs.pass(to: at(61)).isEmpty && programs.isEmpty)
        // A picture that was late does not bring it back.
        #expect(programs.take(1, ProgramSample.heat(), at: at(62)).isEmpty && programs.isEmpty)

        // A program that nobody saw running.
        let short = ProgramSample.heat(.ended)
        #expect(programs.take(2, short, at: at(70)) == [.began(short), .ended(short)])
        #expect(programs.take(2, ProgramSample.heat(), at: at(71)).isEmpty && states(programs, at(71)) == [.ended])
        _ = programs.take(3, ProgramSample.show("ring"), at: at(72))
        #expect(programs.pictures(at: at(72)).map(\.name) == ["ring"])
        #expect(programs.take(2, ProgramSample.heat(), at: at(73)).isEmpty)
    }

    @Test func newViewersLearnOfRunningPrograms() {
        var programs = ProgramsInSight()
        _ = programs.take(1, ProgramSample.show("ring"), at: at(0))
        _ = programs.take(2, ProgramSample.heat(), at: at(10))
        _ = programs.take(2, ProgramSample.heat(.ended), at: at(11))
        let story = programs.story(at: at(12))
        #expect(story.map(\.launch) == [1] && story.map(\.age) == [.seconds(12)])
        var viewer = ProgramsInSight()
        for one in story { _ = viewer.take(one.launch, one.show, at: at(100) + (.zero - one.age)) }
        #expect(states(viewer, at(100)) == [.silent(.seconds(12))])
        #expect(programs.story(at: at(30)).isEmpty)
    }

    /// Whatever comes, and whenever: at most four programs are shown, the latest first, each once; none that has ended
    /// or that nobody hears of looks alive; and what is told of each is its beginning and then its end.
    @Test func shownProgramsAreTrue() {
        for seed in 0..<300 as Range<UInt64> {
            var dice = Dice(seed: seed)
            var programs = ProgramsInSight()
            var now = Instant.start
            var heard: [String: (at: Instant, isOver: Bool)] = [:]
            var told: [String: [ProgramNews]] = [:]
            var begun: [String] = []
            for _ in 0..<200 {
                now = now + .milliseconds(dice.pick([0, 100, 500, 4000, 20_000]))
                let launch = UInt64(dice.below(dice.pick([3, 8, 60])))
                let name = "\(launch)"
                let state = dice.pick([RankShow.State.running, .running, .running, .ended, .failed("why")])
                var news = programs.pass(to: now)
                news += programs.take(launch, ProgramSample.show(name, state, rows: []), at: now)
                if heard[name]?.isOver != true { heard[name] = (now, state != .running) }
                for item in news {
                    let name = item.name
                    if case .began = item { begun = begun.filter { $0 != name } + [name] }
                    told[name, default: []].append(item)
                }
                check(programs, now, heard, begun, seed)
            }
            for (name, news) in told {
                // After a beginning comes an end, unless the program is still running or was pushed out.
                #expect(news.count { if case .ended = $0 { true } else { false } } <= 1, "seed \(seed): \(name)")
                if case .began? = news.first {} else { Issue.record("seed \(seed): \(name) did not begin") }
            }
        }
    }

    private func check(
        _ programs: ProgramsInSight, _ now: Instant, _ heard: [String: (at: Instant, isOver: Bool)], _ begun: [String],
        _ seed: UInt64
    ) {
        let pictures = programs.pictures(at: now)
        #expect(pictures.count <= ProgramsInSight.most && Set(pictures.map(\.name)).count == pictures.count)
        let places = pictures.compactMap { picture in begun.lastIndex(of: picture.name) }
        #expect(places == places.sorted(by: >) && places.count == pictures.count, "seed \(seed)")
        for picture in pictures {
            guard let last = heard[picture.name] else { continue }
            let silence = now - last.at
            switch picture.state {
            case .running: #expect(!last.isOver && silence < .seconds(5), "seed \(seed)")
            case .silent(let time):
                #expect(!last.isOver && time == silence && (5..<30).contains(silence.seconds), "seed \(seed)")
            case .ended, .failed: #expect(last.isOver && silence < .seconds(60), "seed \(seed)")
            }
        }
        for one in programs.story(at: now) { #expect(one.show.state == .running && one.age < .seconds(30)) }
    }

    /// Somebody who invents programs all the time takes no memory, and the real one stays in sight.
    @Test func aFloodTakesNoMemory() {
        var programs = ProgramsInSight()
        for step in 0..<5000 {
            let now = Instant.start + .milliseconds(70 * step)
            if step % 7 == 0 { _ = programs.take(1, ProgramSample.heat(), at: now) }
            _ = programs.take(UInt64(100 + step), ProgramSample.show("fake"), at: now)
            #expect(programs.story(at: now).count <= 16)
            #expect(programs.story(at: now).contains { $0.launch == 1 })
        }
    }
}

extension ProgramNews {
    fileprivate var name: String {
        switch self {
        case .began(let show), .ended(let show), .lost(_, let show): show.name
        }
    }
}
