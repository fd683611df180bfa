import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// An order that would not fit into a message is refused with one line and does not break a link.
@Suite struct MessageLimitsTests {
    private func engine(isInSession: Bool) throws -> Engine {
        let node = try #require(NodeID([UInt8](repeating: 7, count: 16)))
        let hash = try #require(SessionHash([UInt8](repeating: 1, count: SessionHash.length)))
        let session = SessionSetup(
            node: node, name: "lab", cores: 1, session: hash, mode: .server, founding: Founding(1), seed: 1)
        return Engine(
            EngineSetup(node: node, name: "lab", cores: 1, session: isInSession ? session : nil, seed: 1), now: .start)
    }

    /// Returns the answer to an order with this many parameters, whose tally has this many slots.
    private func answer(isInSession: Bool, parameters: Int = 0, slots: Int = 1) throws -> JobAnswer {
        var engine = try engine(isInSession: isInSession)
        let plain = VirtualNode.order(seed: 1, goal: Goal(trials: 100))
        let order = JobOrder(
            JobRecipe(
                experiment: Experiment(
                    simulation: plain.experiment.simulation, parameters: [UInt64](repeating: 0, count: parameters),
                    seed: 1,
                    blockSize: VirtualNode.blockSize), goal: plain.goal))
        let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
        var effects = engine.handle(.wanted(.order(order, ticket), token: 1), at: .start)
        for case .job(.prepare(let id, _)) in effects {
            let counts = (0..<slots).map { TallyLayout.DeclaredField(name: "count \($0)", kind: .count) }
            let facts = JobFacts(
                layout: try #require(TallyLayout(counts)), blockSize: VirtualNode.blockSize,
                title: VirtualNode.facts.title)
            effects += engine.handle(.prepared(id, .ready(facts)), at: .start)
        }
        return try #require(
            effects.compactMap { if case .answer(let answer, token: 1) = $0 { answer } else { nil } }.first)
    }

    @Test func aTallyThatFitsNoMessage() throws {
        let most = JobMessage.mostSlots
        guard case .taken = try answer(isInSession: true, slots: most) else {
            Issue.record("as many as fit are taken")
            return
        }
        #expect(
            try answer(isInSession: true, slots: most + 1)
                == .refused(
                    "its tally has 65537 numbers; a session takes at most 65536, so run it on one machine or use fewer bins"
                ))
        guard case .taken = try answer(isInSession: false, slots: most + 1) else {
            Issue.record("one machine alone sends nothing")
            return
        }
    }

    @Test func moreParametersThanFit() throws {
        #expect(
            try answer(isInSession: true, parameters: JobMessage.mostParameters + 1)
                == .refused(
                    "hits has 65 parameters; a session takes at most 64, so run it on one machine"))
    }
}
