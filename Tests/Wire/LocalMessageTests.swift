import PotluckKit
import Testing

@testable import PotluckCore

/// Messages between a command and a node on the same machine.
@Suite struct LocalMessageTests {
    private static let node = NodeID(firstOctetsOf: [UInt8](repeating: 0xa5, count: 16))
    private static let job = JobID(0xabc)

    private static let experiment = Experiment(
        simulation: SimulationIdentity(name: "mine", source: "", streams: 1), parameters: [1], seed: 7, blockSize: 16)

    private static let news: [JobNews] = [
        .liar(job, node, name: "ana"), .setAside(job, node, name: "ana", why: "it failed"),
        .unable(job, node, name: "ana", why: "it is old"), .orphaned(job, node, name: "ana"),
        .continues(job, node, name: "ana"), .forgotten(job, node, name: "ana"), .stranded(job, why: "it is old"),
        .journalStuck("no room"), .journalWell,
    ]

    private static let messages: [LocalMessage] =
        [
            .say("two\nlines", to: nil), .say("", to: "ana (1f3c09ab)"), .kick("bob"), .command(.hide, "1f"),
            .command(.pause, nil), .watch, .takeOver, .name, .access, .allow(node),
            .page(isNew: true, isForViewing: false), .page(isNew: false, isForViewing: true),
            .hostPage(isNew: true, isRevoked: false), .hostPage(isNew: false, isRevoked: true),
            .cargo([UInt8](repeating: 7, count: LocalMessage.longestPart), isModule: true),
            .cargo([0], isModule: false), .done("said\nto all"),
            .refused("no"), .way(node, isHost: true, port: 7077, code: "a b c d e"),
            .way(node, isHost: false, port: 0, code: ""), .events(job), .events(nil),
            .solution(job, Best(key: -5, point: 7), [1, 2]),
            .program(RankFrame(launch: 7, content: .show([1, 2])), age: .seconds(3)), .output([]), .output([1]),
            .trouble("no room"), .link(.job(.over(job))),
            .link(
                .job(
                    .order(JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: 5))), ticket: .blank, token: 1)
                )),
        ] + news.map { .news($0) }

    @Test func whatIsSaidIsHeardAsItWasSaid() throws {
        var frames = LocalFrames()
        frames.add(Self.messages.flatMap(\.frame))
        for message in Self.messages { #expect(try frames.next() == message) }
        #expect(try frames.next() == nil)
    }

    /// A message of a link and one of this machine never have the same number.
    @Test func numbersAreNotThoseOfLinks() {
        for message in Self.messages {
            let number = WireCases<LocalMessage>.number(of: message)
            if case .link = message {
                #expect(Message.Kind(rawValue: number) != nil)
            } else {
                #expect(number >= 100 && Message.Kind(rawValue: number) == nil)
            }
        }
    }

    /// A part of a message is waited for, and a message that was cut off is another one at most.
    @Test func aMessageThatIsCutOffIsNotTakenForTheWhole() {
        for message in Self.messages where message.frame.count < 1000 {
            let frame = message.frame
            for length in 0..<frame.count {
                var frames = LocalFrames()
                frames.add(Array(frame.prefix(length)))
                #expect((try? frames.next()) == .some(nil))
                guard length >= 4 else { continue }
                frames = LocalFrames()
                frames.add([UInt8(length - 4), UInt8((length - 4) >> 8), 0, 0] + frame[4..<length])
                #expect((try? frames.next()) != .some(message))
            }
        }
    }

    /// A later version may say more.
    @Test func aLaterVersionsMessageIsSkipped() throws {
        var frames = LocalFrames()
        frames.add([1, 0, 0, 0, 127] + LocalMessage.watch.frame)
        #expect(try frames.next() == .watch)
    }
}
