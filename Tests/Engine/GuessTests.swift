import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// What people guess before a job begins.
@Suite struct GuessTests {
    private static func guess(_ page: UInt64, _ value: Double = 0.5) -> Guess {
        Guess(page: page, value: value, by: "page \(page)")
    }

    /// A host with a job that waits for guesses.
    private static func host(keepsJournal: Bool = false) throws -> (host: Host, job: JobID) {
        var host = Host(keepsJournal: keepsJournal)
        var order = VirtualNode.order(seed: 5, goal: Goal(trials: 64))
        order.startsPaused = true
        let job = try host.orders(order)
        return (host, job)
    }

    /// The guesses in the latest picture.
    private static func shown(_ host: Host) -> [Guess] {
        host.effects.compactMap { if case .tell(.snapshot(let snapshot)) = $0 { snapshot.guesses } else { nil } }.last
            ?? []
    }

    /// The lists of guesses that the other node was told.
    private static func told(_ host: Host) -> [[Guess]] {
        host.effects.compactMap {
            guard case .session(.send(_, .job(.guesses(_, let guesses)), reliably: _)) = $0 else { return nil }
            return guesses
        }
    }

    @Test func aJobWaitsUntilItIsResumed() throws {
        var (host, job) = try Self.host()
        // People see what is asked before there is a trial.
        let questions = host.effects.compactMap { if case .job(.read(let request)) = $0 { request } else { nil } }
        #expect(questions.map(\.purpose) == [.question] && questions.map(\.trials) == [0])
        host.hears(.ready(job))
        host.passes(.seconds(1))
        #expect(host.engine.coordinator.runs.first?.isPaused == true && host.chunks.isEmpty)
        host.handle(.wanted(.command(.resume, job, ticket: nil), token: 2))
        host.passes(.seconds(1))
        #expect(host.engine.coordinator.runs.first?.isPaused == false)
    }

    /// Pages of this node and of another guess in any order, some of them twice.
    @Test(arguments: 0..<16 as Range<UInt64>) func guessesAreMergedExactly(seed: UInt64) throws {
        var (host, job) = try Self.host()
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        var expected: [UInt64: Double] = [:]
        for _ in 0..<40 {
            let some = (0..<Int(random.next() % 3) + 1).map { _ in
                Self.guess(UInt64(random.next() % 20) + 1, Double(random.next() % 7))
            }
            for one in some where expected[one.page] == nil { expected[one.page] = one.value }
            if random.next() % 2 == 0 {
                host.hears(.guesses(job, some))
            } else {
                for one in some { host.handle(.guessed(job, one)) }
            }
        }
        #expect(Self.shown(host).count == expected.count)
        #expect(Self.shown(host).allSatisfy { expected[$0.page] == $0.value })
        // The other node was told of each once, in the order of this one.
        #expect(Array(Self.told(host).joined()) == Self.shown(host))
    }

    @Test func nobodyGuessesWhatHasBegun() throws {
        var (host, job) = try Self.host()
        host.handle(.guessed(job, Self.guess(1)))
        host.handle(.wanted(.command(.resume, job, ticket: nil), token: 2))
        host.passes(.seconds(1))
        host.hears(.ready(job))
        host.passes(.seconds(1))
        #expect(!host.chunks.isEmpty)
        host.handle(.guessed(job, Self.guess(2)))
        host.hears(.guesses(job, [Self.guess(3)]))
        host.passes(.seconds(1))
        #expect(Self.shown(host) == [Self.guess(1)])
    }

    @Test func aHallOfPagesIsTheMost() {
        var guesses = Guesses()
        let hall = (1...300).map { Self.guess($0) }
        #expect(guesses.add(hall) == Array(hall.prefix(Guesses.most)))
        #expect(guesses.add(hall).isEmpty && guesses.list.count == Guesses.most)
        // With the longest names they still fit in a short message.
        let long = hall.prefix(Guesses.most).map {
            Guess(page: .max - $0.page, value: -1e300, by: String(repeating: "n", count: Announcement.maximumName))
        }
        let message = JobMessage.guesses(JobID(1), long)
        #expect(!message.prefersBulk && message.pieces == [message])
    }

    /// A coordinator that starts again knows them from its journal.
    @Test func guessesOutliveTheirCoordinator() throws {
        var (host, job) = try Self.host(keepsJournal: true)
        for page in 1...3 as ClosedRange<UInt64> { host.handle(.guessed(job, Self.guess(page))) }
        var kept = KeptJobs()
        for change in host.said { kept.apply(change) }
        let unfinished = kept.unfinished
        #expect(unfinished.count == 1 && unfinished.first?.standing == .paused)
        var other = Host(keepsJournal: true)
        other.handle(.found(unfinished))
        other.passes(.seconds(1))
        #expect(Self.shown(other) == (1...3).map { Self.guess($0) })
        #expect(other.engine.coordinator.runs.first?.isPaused == true)
    }

    /// A node that shows the job of another coordinator passes guesses on, and believes only that one.
    @Test func guessesGoToTheCoordinator() throws {
        var host = Host()
        let job = JobID(9)
        let order = VirtualNode.order(seed: 5, goal: Goal(trials: 64))
        host.hears(.job(job, JobSpec(order.recipe)))
        host.handle(.guessed(job, Self.guess(1)))
        #expect(Self.told(host) == [[Self.guess(1)]])
        host.hears(.guesses(job, [Self.guess(1), Self.guess(2)]))
        host.hears(.picture(JobPicture(id: job, submitter: "bo", state: .paused)))
        #expect(Self.shown(host) == [Self.guess(1), Self.guess(2)])
        // Of a job that nobody announced it knows nothing.
        host.handle(.guessed(JobID(8), Self.guess(1)))
        host.hears(.guesses(JobID(8), [Self.guess(1)]))
        #expect(Self.told(host).count == 1)
    }
}
