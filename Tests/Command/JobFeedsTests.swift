import Foundation
import Glibc
import Potluck
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckCommand
@testable import PotluckScreen

/// A submitter hears the end of its job, even if the job ended before the submitter began to listen.
@Suite struct JobFeedsTests {
    private let job = JobID(0xabc)

    private let spec = JobSpec(
        JobRecipe(
            experiment: Experiment(
                simulation: SimulationIdentity(name: "sample", source: "00", streams: 1), parameters: [], seed: 42,
                blockSize: 1024), goal: Goal(trials: 1024)))

    private func snapshot(_ state: JobState) -> JobSnapshot {
        JobSnapshot(spec, JobPicture(id: job, submitter: "ana", state: state))
    }

    private var result: JobResult {
        JobResult(
            spec: spec, trials: 1024, tally: [], readings: [], completion: .trials, elapsed: .zero, nodes: [])
    }

    /// Returns the events that a viewer hears if it joins after `count` events, until the node ends.
    private func heard(after count: Int, of events: [JobEvent], only job: JobID?) throws -> [JobEvent] {
        let path = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let door = try LocalSocket.listening(at: path)
        defer { door.end() }
        let socket = try #require(try LocalSocket.connected(to: path))
        defer { socket.end() }
        unlink(path)
        var board = JobBoard(unicode: false)
        let feeds = JobFeeds()
        for (index, event) in events.enumerated() {
            if index == count { feeds.add(try #require(door.accepted()), job, board) }
            feeds.send(event)
            _ = board.apply(event, at: .start, time: "14:30:05")
        }
        if count == events.count { feeds.add(try #require(door.accepted()), job, board) }
        feeds.end()
        var octets: [UInt8] = []
        while case let more = socket.receive(), !more.isEmpty { octets += more }
        var reader = FeedReader()
        try reader.read(octets)
        #expect(reader.others.first == .events(job))
        return reader.jobs
    }

    private func states(_ events: [JobEvent]) -> [String] {
        events.map { event in
            switch event {
            case .snapshot(let snapshot): "\(snapshot.state)"
            case .finished: "finished"
            case .failed, .lost, .news: "something else"
            }
        }
    }

    @Test func aFailureIsHeardWheneverOneBeginsToListen() throws {
        let failed = JobState.failed("block 7 fails")
        // On the coordinator, the failure comes before the snapshot that shows it.
        for events: [JobEvent] in [
            [.snapshot(snapshot(.running)), .snapshot(snapshot(failed)), .failed(job, "block 7 fails")],
            [.snapshot(snapshot(.running)), .failed(job, "block 7 fails"), .snapshot(snapshot(failed))],
        ] {
            for count in 0...events.count {
                #expect(states(try heard(after: count, of: events, only: job)).last == "\(failed)")
            }
        }
    }

    /// A log mentions a failure once, however often and in whatever form it is reported.
    @Test func aFailureIsSaidOnce() {
        let text = "sample, seed 42, block 7: it crashed: unreachable"
        let why = JobFailure.block(BlockFailure(block: 7, seed: 42, text: text))
        let (running, shown) = (JobEvent.snapshot(snapshot(.running)), JobEvent.snapshot(snapshot(.failed(why))))
        for events: [JobEvent] in [
            [running, shown, .failed(job, why)], [running, .failed(job, why), shown, shown], [shown, shown],
            [.failed(job, why)],
        ] {
            var board = JobBoard(unicode: false)
            let lines = events.flatMap { board.apply($0, at: .start, time: "14:30:05") }
            #expect(lines.count == 1)
            #expect(lines.first?.hasSuffix(" failed: sample, seed 42, block 7: it crashed: unreachable") == true)
        }
    }

    /// A viewer gets the solutions of searches between events, and no part of one is a solution.
    @Test func solutionsAreHeard() throws {
        let found = FoundSolution(job: job, best: Best(key: -5, point: 7), octets: Array("1 2\n0 0\n".utf8))
        var reader = FeedReader()
        let event = JobEvent.snapshot(snapshot(.running)).frames
        for octet in event + found.message.frame + event { try reader.read([octet]) }
        #expect(reader.jobs.count == 2 && reader.solutions == [found])
        let solutions = Solutions()
        solutions.take(found)
        #expect(solutions.latest(of: job) == found.octets && solutions.known == [found])
    }

    @Test func aResultIsHeardWheneverOneBeginsToListen() throws {
        let events: [JobEvent] = [
            .snapshot(snapshot(.running)), .snapshot(snapshot(.done(.trials))),
            .finished(job, result, isOurs: false),
        ]
        for count in 0...events.count {
            let states = states(try heard(after: count, of: events, only: job))
            #expect(states.last == "finished" && states.count { $0 == "finished" } == 1)
        }
    }

    /// When a socket is closed, its descriptor may soon belong to another file. Events that still wait must not go
    /// there.
    @Test func eventsForAClosedSocketAreDropped() throws {
        let path = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let door = try LocalSocket.listening(at: path)
        defer { door.end() }
        let viewer = try #require(try LocalSocket.connected(to: path))
        unlink(path)
        let guest = try #require(door.accepted())
        var feeds: JobFeeds? = JobFeeds()
        weak let busy = feeds
        feeds?.add(guest, nil, JobBoard(unicode: false))
        // More than the socket's buffer holds.
        for _ in 0..<50_000 { feeds?.send(.lost(job)) }
        func inode() -> UInt? {
            var found = stat()
            return fstat(guest.descriptor, &found) == 0 ? found.st_ino : nil
        }
        let (first, deadline) = (inode(), Patience.end)
        viewer.end()
        while inode() == first, Date.now < deadline {}
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        // This gets the same descriptor, unless another test has taken it.
        ends.append(fcntl(ends[0], F_DUPFD_CLOEXEC, guest.descriptor))
        feeds?.end()
        feeds = nil
        // Waits until all waiting events have been handled.
        var (strays, octet) = (0, 0 as UInt8)
        while busy != nil, strays == 0, Date.now < deadline {
            if recv(ends[1], &octet, 1, Int32(MSG_DONTWAIT)) > 0 { strays += 1 }
            usleep(1000)
        }
        #expect(strays == 0)
        for end in ends { close(end) }
    }

    /// A feed is understood however it is cut into pieces, and bytes that no node sends are found.
    @Test func aFeedIsReadInPiecesOfAnySize() throws {
        let news = JobEvent.news(.stranded(job, why: "it is old"))
        let events: [JobEvent] = [
            .snapshot(snapshot(.running)), news, .finished(job, result, isOurs: false), .lost(job),
        ]
        let pieces = [[UInt8](repeating: 7, count: 5000), [], [1, 2, 3]]
        let others = [LocalMessage.trouble("no room")] + pieces.map { .output($0) }
        let octets = events.flatMap(\.frames) + others.flatMap(\.frame)
        for size in [1, 3, 4, 100, octets.count] {
            var reader = FeedReader()
            for start in stride(from: 0, to: octets.count, by: size) {
                try reader.read(Array(octets[start..<min(start + size, octets.count)]))
            }
            #expect(reader.jobs == events && reader.others == others)
        }
        for wrong: [UInt8] in [[0, 0, 0, 0], [0, 0, 0, 0x60], [255, 255, 255, 0x1f], [2, 0, 0, 0, 107, 0]] {
            var reader = FeedReader()
            #expect(throws: WireError.self) { try reader.read(wrong) }
        }
    }

    /// A viewer of all jobs gets only those that are still running.
    @Test func aViewerGetsNoEndedJobs() throws {
        let events: [JobEvent] = [.snapshot(snapshot(.done(.trials))), .finished(job, result, isOurs: false)]
        #expect(try heard(after: 2, of: events, only: nil).isEmpty)
    }

    /// A job that nobody continues stays on the screen with its last tally, until there is another one.
    @Test func theLastTallyOfALostJobStays() {
        var board = JobBoard(unicode: false)
        func take(_ event: JobEvent, _ time: String) { _ = board.apply(event, at: .start, time: time) }
        let lab = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
        take(.snapshot(snapshot(.running)), "14:00:00")
        #expect(!board.isIdle)
        take(.news(.orphaned(job, lab, name: "lab")), "14:00:10")
        #expect(board.awaited[job]?.lastTally == "14:00:00" && board.isIdle)
        take(.lost(job), "14:00:30")
        #expect(board.jobs.map(\.id) == [job] && board.awaited[job] != nil)
        // The server is back with the job.
        take(.snapshot(snapshot(.running)), "14:01:00")
        #expect(board.awaited.isEmpty)
        take(.news(.orphaned(job, lab, name: "lab")), "14:02:00")
        take(.lost(job), "14:02:30")
        let other = JobSnapshot(spec, JobPicture(id: JobID(0xdef), submitter: "ana", state: .running))
        take(.snapshot(other), "14:03:00")
        #expect(board.jobs.map(\.id) == [other.id] && board.awaited.isEmpty)
    }

    /// The host may show the exact answers after the end.
    @Test func aHiddenResultIsShownLater() {
        var board = JobBoard(unicode: false)
        var (done, hidden) = (snapshot(.done(.trials)), result)
        (done.hidesExact, hidden.hidesExact) = (true, true)
        _ = board.apply(.snapshot(done), at: .start, time: "")
        _ = board.apply(.finished(job, hidden, isOurs: false), at: .start, time: "")
        #expect(board.outcome(job)?.result.hidesExact == true)
        done.hidesExact = false
        _ = board.apply(.snapshot(done), at: .start, time: "")
        #expect(board.outcome(job)?.result.hidesExact == false)
    }
}
