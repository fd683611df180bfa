import PotluckKit
import PotluckNet
import Testing

@testable import Potluck
@testable import PotluckCore

/// What pages guess, and what they see of the guesses of others.
@Suite struct GuessTests {
    private static func waiting(_ guesses: [Guess] = [], state: JobState = .paused, trials: UInt64 = 0) -> JobSnapshot {
        Samples.snapshot(trials, state: state, hidesExact: true, guesses: guesses)
    }

    @Test(arguments: PageRight.allCases) func everyPageMayGuess(right: PageRight) throws {
        let room = Room()
        let ana = try room.join("ana", right, client: 7)
        room.hub.change { $0.took(Self.waiting(), solution: nil) }
        try room.say(.guess(Samples.job, 0.625), from: ana)
        let page = Guess.page(of: [UInt8](repeating: 7, count: PageMessage.clientLength))
        #expect(room.guesses == [Guess(page: page, value: 0.625, by: "ana")] && ana.code == nil)
    }

    @Test func onlyAJobThatWaitsTakesGuesses() throws {
        let room = Room()
        let ana = try room.join("ana")
        try room.say(.guess(Samples.job, 1), from: ana)
        for (state, trials, takes) in [
            (JobState.waiting(.workers(1, of: 2)), 0 as UInt64, true), (.paused, 0, true), (.paused, 16, false),
            (.running, 0, false), (.stopping, 0, false), (.done(.trials), 1000, false), (.failed("no"), 0, false),
        ] {
            let before = room.guesses.count
            room.hub.change { $0.took(Self.waiting(state: state, trials: trials), solution: nil) }
            try room.say(.guess(Samples.job, 1), from: ana)
            #expect(room.guesses.count == before + (takes ? 1 : 0), "\(state)")
            try room.pass(.seconds(1), [ana])
        }
        #expect(ana.code == nil)
    }

    @Test func aPageThatGuessesTooOftenIsClosed() throws {
        let room = Room()
        let ana = try room.join("ana")
        room.hub.change { $0.took(Self.waiting(), solution: nil) }
        for _ in 0...GatewayLimits().deeds.most where ana.code == nil {
            try room.say(.guess(Samples.job, 1), from: ana)
        }
        #expect(ana.code == SocketEnd.brokenRule.rawValue && room.guesses.count == GatewayLimits().deeds.most)
    }

    /// Pages get only what they have not seen, whatever a new coordinator has forgotten.
    @Test func guessesComeByIncrements() throws {
        let room = Room()
        let ana = try room.join("ana")
        let all = (1...300).map { Guess(page: $0, value: Double($0), by: "page \($0)") }
        for part in [all[..<2], all[..<2], all[..<200], all[..<100], all[200...]] {
            room.hub.change { $0.took(Self.waiting(Array(part)), solution: nil) }
            try room.pass(.seconds(1), [ana])
        }
        let ben = try room.join("ben")
        try room.pass(.seconds(1), [ana, ben])
        for page in [ana, ben] {
            var seen: [JSON] = []
            for message in page.messages("guesses") {
                #expect(message["from"]?.asCount == seen.count && message.text.utf8.count <= PageLimits.message)
                seen += message["guesses"]?.asArray ?? []
            }
            #expect(seen.count == Guesses.most)
            #expect(seen[1] == .array([.number(2), .string("page 2"), .string("0000000000000002")]))
        }
        #expect(ana.messages("guesses").count == 3)
    }
}
