import Foundation
import Glibc
import PotluckRanks
import PotluckScreen
import Testing

@testable import Potluck
@testable import PotluckCommand
@testable import PotluckCore

/// Programs with ranks in the feeds of viewers, and as JSON.
@Suite struct ProgramFeedTests {
    private func show(_ state: RankShow.State = .running, ranks: Int = 3) -> RankShow {
        let standings: [RankRow.Standing] = [
            .computes, .waits(.message(RankPattern(source: 0, tag: 7, context: 0)), for: .milliseconds(2500)), .ended,
        ]
        return RankShow(
            name: "heat", launcher: "ana", state: state, elapsed: .milliseconds(1500), checkpoints: 2,
            rows: (0..<ranks).map {
                RankRow(
                    standing: standings[$0 % 3], traffic: RankTraffic(messagesSent: $0, octetsSent: 8 * $0),
                    waits: RankWaits())
            }, laptops: (0..<ranks).map { "laptop \($0 % 2)" })
    }

    @Test func aPictureIsHeardAsItWasSaidHoweverItIsCut() throws {
        let programs = [
            FeedProgram(launch: .max, show: show()), FeedProgram(launch: 1, show: show(.ended), age: .seconds(7)),
            FeedProgram(launch: 2, show: show(.failed("why"), ranks: 512)),
        ]
        let octets = programs.flatMap(\.message.frame)
        for size in [1, 3, 1000, octets.count] {
            var reader = FeedReader()
            for start in stride(from: 0, to: octets.count, by: size) {
                try reader.read(Array(octets[start..<min(start + size, octets.count)]))
            }
            #expect(reader.programs == programs && reader.jobs.isEmpty)
        }
        #expect(FeedProgram(RankFrame(launch: 3, content: .show([1])), age: .zero) == nil)
    }

    /// Viewers of one job came for that alone.
    @Test func viewersOfAllJobsHearOfPrograms() throws {
        let path = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let door = try LocalSocket.listening(at: path)
        defer { door.end() }
        let feeds = JobFeeds()
        let viewers = try [JobID(7), nil].map { job in
            let socket = try #require(try LocalSocket.connected(to: path))
            feeds.add(try #require(door.accepted()), job, JobBoard(unicode: false))
            return socket
        }
        unlink(path)
        feeds.send(FeedProgram(launch: 1, show: show()))
        feeds.end()
        let heard = try viewers.map { socket in
            var octets: [UInt8] = []
            while case let more = socket.receive(), !more.isEmpty { octets += more }
            socket.end()
            var reader = FeedReader()
            try reader.read(octets)
            return reader.programs.map(\.launch)
        }
        #expect(heard == [[], [1]])
    }

    @Test func aLineOfJSONHasAllRanks() throws {
        let line = try object(ProgramJSON.value(0x2a, show()).text)
        #expect(
            Set(line.keys) == ["event", "at", "launch", "name", "launcher", "state", "elapsed", "checkpoints", "ranks"])
        #expect(line["event"] as? String == "program" && line["launch"] as? String == "000000000000002a")
        #expect(line["state"] as? String == "running" && line["elapsed"] as? Double == 1.5)
        #expect(line["checkpoints"] as? Int == 2)
        let ranks = try #require(line["ranks"] as? [[String: Any]])
        #expect(ranks.map { $0["rank"] as? Int } == [0, 1, 2])
        #expect(ranks.map { $0["laptop"] as? String } == ["laptop 0", "laptop 1", "laptop 0"])
        #expect(ranks.map { $0["state"] as? String } == ["computing", "waiting", "ended"])
        #expect(ranks[1]["why"] as? String == "waits for a message of rank 0 with tag 7")
        #expect(ranks[1]["for"] as? Double == 2.5 && ranks[1]["bytesSent"] as? Int == 8)
        let failed = try object(ProgramJSON.value(1, show(.failed("no \u{1b}[31mcores"))).text)
        #expect(failed["state"] as? String == "failed" && failed["why"] as? String == "no \u{1b}[31mcores")
        let lost = try object(ProgramJSON.lost(1, show()).text)
        #expect(Set(lost.keys) == ["event", "at", "launch", "name", "launcher", "state"])
        #expect(lost["state"] as? String == "lost")
    }
}
