import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// The beginning of a job in slow motion.
@Suite struct OpeningTests {
    private static let seed: UInt64 = 5

    private static func order(trials: UInt64 = 64) -> JobOrder {
        var order = VirtualNode.order(seed: Self.seed, goal: Goal(trials: trials))
        order.startsSlowly = true
        return order
    }

    /// The trials that the pictures show, each number once in a row, and whether each is paused.
    private static func shown(_ host: Host) -> [UInt64] {
        host.effects.compactMap { if case .tell(.snapshot(let snapshot)) = $0 { snapshot.trials } else { nil } }
            .reduce(into: []) { if $0.last != $1, $1 > 0 { $0.append($1) } }
    }

    private static func host(keepsJournal: Bool = false, opens: Bool = true) throws -> (host: Host, job: JobID) {
        var host = Host(keepsJournal: keepsJournal)
        host.opens = opens
        let job = try host.orders(order())
        host.hears(.ready(job))
        if keepsJournal { host.handle(.durable(UInt64(host.said.count))) }
        return (host, job)
    }

    @Test func stepsEndBeforeTheJobDoes() {
        #expect(Opening.steps(before: 0).isEmpty && Opening.steps(before: 1).isEmpty)
        #expect(Opening.steps(before: 21) == [1, 2, 5, 10, 20])
    }

    /// Each picture has the readings of so many trials, to the bit. The job then has the result that it has without.
    @Test func onlyThePaceDiffers() throws {
        var (slow, usual) = (
            VirtualNode(cores: 2, blockCost: .milliseconds(1), chance: 3),
            VirtualNode(cores: 2, blockCost: .milliseconds(1), chance: 3)
        )
        slow.submit(Self.order(trials: 100_000))
        usual.submit(VirtualNode.order(seed: Self.seed, goal: Goal(trials: 100_000)))
        // Four steps of a second and a half; nothing is computed before the last of them has ended.
        slow.run(until: Instant.start + (JobLimits.openingStep * 4 - .milliseconds(1)))
        #expect(slow.chunks.isEmpty && slow.snapshots.last?.trials == 10)
        for trials in [1, 2, 5, 10] as [UInt64] {
            let picture = try #require(slow.snapshots.first { $0.trials == trials })
            #expect(picture.counts == VirtualNode.reference(seed: Self.seed, trials: trials))
            #expect(picture.state == .running && picture.readings == picture.course.last?.readings)
            #expect(picture.course.map(\.trials) == Opening.steps(before: trials + 1))
        }
        slow.run()
        usual.run()
        let (a, b) = (try #require(slow.result), try #require(usual.result))
        #expect(a.tally == b.tally && a.trials == b.trials && a.readings == b.readings)
        #expect(a.course.prefix(4).map(\.trials) == [1, 2, 5, 10] && Array(a.course.dropFirst(4)) == b.course)
        // The time that people look at the first trials is no time of the job.
        #expect(a.elapsed < b.elapsed + JobLimits.openingStep)
    }

    @Test func othersSeeTheFirstTrials() throws {
        var (host, _) = try Self.host()
        for _ in 0..<40 { host.passes(.milliseconds(200)) }
        let course = host.effects.compactMap {
            if case .session(.send(_, .job(.course(_, _, let point)), reliably: _)) = $0 { point.trials } else { nil }
        }
        let pictures = host.effects.compactMap {
            if case .session(.send(_, .job(.picture(let picture)), reliably: _)) = $0 { picture.trials } else { nil }
        }
        #expect(course == [1, 2, 5, 10] && Set(pictures).isSuperset(of: course))
        #expect(Self.shown(host) == [1, 2, 5, 10] && !host.chunks.isEmpty)
    }

    @Test func aStepCanBeHeld() throws {
        var (host, job) = try Self.host()
        host.passes(JobLimits.openingStep)
        host.handle(.wanted(.command(.pause, job, ticket: nil), token: 2))
        for _ in 0..<20 { host.passes(.seconds(1)) }
        #expect(Self.shown(host) == [1, 2] && host.engine.coordinator.runs[0].isPaused && host.chunks.isEmpty)
        host.handle(.wanted(.command(.resume, job, ticket: nil), token: 3))
        #expect(Self.shown(host) == [1, 2, 5] && host.chunks.isEmpty)
        for _ in 0..<4 { host.passes(JobLimits.openingStep) }
        #expect(Self.shown(host).prefix(4) == [1, 2, 5, 10] && !host.chunks.isEmpty)
    }

    /// People have seen trials of it.
    @Test func nobodyGuessesThen() throws {
        var (host, job) = try Self.host()
        host.handle(.guessed(job, Guess(page: 1, value: 0.5, by: "page 1")))
        #expect(host.engine.coordinator.runs[0].taken.guesses.list.isEmpty)
    }

    @Test func aCancelledOneHasNoCourse() throws {
        var (host, job) = try Self.host()
        host.passes(JobLimits.openingStep)
        host.handle(.wanted(.command(.cancel, job, ticket: nil), token: 2))
        host.passes(.seconds(1))
        let result = host.effects.compactMap {
            if case .tell(.finished(_, let result, _)) = $0 { result } else { nil }
        }.last
        #expect(result?.trials == 0 && result?.course.isEmpty == true && result?.completion == .stopped)
    }

    /// A trial that fails is computed again in its chunk, which says why.
    @Test func aTrialThatFailsEndsIt() throws {
        let (host, _) = try Self.host(opens: false)
        #expect(!host.chunks.isEmpty && Self.shown(host).isEmpty)
    }

    /// A journal that cannot be written holds it like a job that computes.
    @Test func aStuckJournalHoldsIt() throws {
        var (host, _) = try Self.host()
        host.handle(.journal(trouble: "the disk is full"))
        for _ in 0..<20 { host.passes(.seconds(1)) }
        #expect(Self.shown(host) == [1] && host.chunks.isEmpty)
        host.handle(.journal(trouble: nil))
        for _ in 0..<5 { host.passes(JobLimits.openingStep) }
        #expect(Self.shown(host).prefix(4) == [1, 2, 5, 10] && !host.chunks.isEmpty)
    }

    /// A coordinator that starts again computes at once, and nobody can guess.
    @Test func itIsShownOnce() throws {
        let (host, job) = try Self.host(keepsJournal: true)
        var kept = KeptJobs()
        for change in host.said { kept.apply(change) }
        #expect(kept.unfinished.count == 1 && Self.shown(host) == [1])
        var other = Host(keepsJournal: true)
        other.handle(.found(kept.unfinished))
        other.hears(.ready(job))
        other.handle(.durable(UInt64(other.said.count)))
        other.passes(.seconds(1))
        #expect(Self.shown(other).isEmpty && !other.chunks.isEmpty)
        other.handle(.guessed(job, Guess(page: 1, value: 0.5, by: "page 1")))
        #expect(other.engine.coordinator.runs[0].taken.guesses.list.isEmpty)
    }
}
