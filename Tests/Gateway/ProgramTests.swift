import PotluckNet
import PotluckRanks
import Testing

@testable import Potluck
@testable import PotluckCore
@testable import PotluckScreen

/// What pages see of programs with ranks.
@Suite struct ProgramTests {
    private func show(
        _ name: String = "heat", sent: Int = 10, laptops: [String] = ["ana", "ben"], ranks: Int = 4
    ) -> RankShow {
        let wait = RankRow.Standing.waits(.message(RankPattern(source: 0, tag: nil, context: 0)), for: .seconds(2))
        return RankShow(
            name: name, launcher: "ana", state: .running, elapsed: .seconds(12), checkpoints: 0,
            rows: (0..<ranks).map { rank in
                RankRow(
                    standing: rank == 0 ? .computes : rank == 1 ? .ended : wait,
                    traffic: RankTraffic(messagesSent: sent, octetsSent: min(1000 * sent, 1 << 53)), waits: RankWaits())
            }, laptops: (0..<ranks).map { laptops[$0 * laptops.count / ranks] })
    }

    private func picture(
        _ show: RankShow, _ state: ProgramPicture.State = .running
    ) -> ProgramPicture { ProgramPicture(show, state) }

    @Test func aProgramReachesAPageAndGoesAway() throws {
        let room = Room()
        let ana = try room.join("ana")
        // A session without programs does not mention them.
        room.hub.change { $0.show([]) }
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("programs").isEmpty)
        room.hub.change { $0.show([picture(show())]) }
        try room.pass(.seconds(1), [ana])
        #expect(
            ana.messages("programs").last?.text
                == #"{"is":"programs","programs":[{"name":"heat","launcher":"ana","state":"running","detail":null,"#
                + #""facts":["4 ranks on 2 laptops","40 messages","40 kB","12 s"],"laptops":["#
                + #"{"name":"ana","facts":"1 computes, 1 has ended, 20 kB sent","wait":null,"ranks":[[0,"computes"],[1,"ended"]]},"#
                + #"{"name":"ben","facts":"2 wait, 20 kB sent","wait":"rank 2 waits for rank 0, 2.0 s","ranks":[[2,"waits"],[3,"waits"]]}"#
                + #"],"more":0}]}"#)
        // What may be dead does not look alive.
        for (state, detail) in [
            (ProgramPicture.State.silent(.seconds(7)), "no news for 7 s"), (.ended, "ended after 12 s"),
            (.failed("rank 3: out of memory"), "failed after 12 s: rank 3: out of memory"),
        ] {
            room.hub.change { $0.show([picture(show(), state)]) }
            try room.pass(.seconds(1), [ana])
            let program = try #require(ana.messages("programs").last?["programs"]?.asArray?.first)
            #expect(program["detail"]?.asString == detail && program["laptops"]?.asArray?.isEmpty == true)
        }
        // Who comes later sees the same, and all see that it is gone.
        let ben = try room.join("ben")
        try room.pass(.seconds(1), [ben])
        #expect(ben.messages("programs").last == ana.messages("programs").last)
        room.hub.change { $0.show([]) }
        try room.pass(.seconds(1), [ana, ben])
        for page in [ana, ben] { #expect(page.messages("programs").last?["programs"]?.asArray?.isEmpty == true) }
    }

    @Test func picturesComeAtMostFourTimesASecondAndOnlyWhenTheyChange() throws {
        let room = Room()
        let (quick, slow) = (try room.join("quick"), try room.join("slow"))
        try room.pass(.seconds(1), [quick, slow])
        room.wire.slow.insert(slow.id)
        for step in 1...100 {
            room.hub.change { $0.show([picture(show(sent: step))]) }
            try room.pass(.milliseconds(20), [quick])
        }
        #expect((7...9).contains(quick.messages("programs").count))
        room.hub.change { $0.show([picture(show(sent: 100))]) }
        try room.pass(.seconds(1), [quick])
        #expect(quick.messages("programs").count <= 9)
        try room.drain(slow)
        // The picture that was on its way, and the latest.
        #expect(slow.messages("programs").count == 2)
        #expect(slow.messages("programs").last == quick.messages("programs").last)
    }

    /// Of many ranks a page gets the sums of the laptops, and of many laptops the first.
    @Test func everythingFitsInAMessage() throws {
        let room = Room()
        let ana = try room.join("ana")
        let long = String(repeating: "\u{1f469}\"", count: 40)
        for (laptops, ranks) in [(3, 128), (3, 129), (64, 512), (512, 512)] {
            let names = (0..<laptops).map { "\(long) \($0)" }
            let programs = (0..<ProgramsInSight.most).map { number in
                let laptops = laptops > 3 ? names : ["a", "b", "c"]
                return picture(show("\(long) \(number)", sent: 1 << 53, laptops: laptops, ranks: ranks))
            }
            room.hub.change { $0.show(programs) }
            try room.pass(.seconds(1), [ana])
            let message = try #require(ana.messages("programs").last)
            #expect(message.text.utf8.count <= PageLimits.message)
            let shown = try #require(message["programs"]?.asArray)
            #expect(shown.count == programs.count)
            for program in shown {
                let boxes = try #require(program["laptops"]?.asArray)
                #expect(boxes.count + (program["more"]?.asCount ?? 0) == laptops && boxes.count >= min(laptops, 16))
                #expect(boxes.allSatisfy { ($0["ranks"]?.asArray != nil) == (ranks <= GatewayLimits.ranks) })
            }
        }
        let why = String(repeating: "\"", count: 2000)
        room.hub.change { $0.show((0..<4).map { picture(show("\($0)"), .failed(why)) }) }
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("programs").last?["programs"]?.asArray?.count == 4)
    }
}
