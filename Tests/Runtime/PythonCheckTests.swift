import PotluckKit
import Testing

@testable import Potluck
@testable import PotluckMachine

/// The check of a file in Python finds where the module and Python itself differ.
@Suite struct PythonCheckTests {
    private struct Two: SimulationTally {
        var first = Count()
        var second = Count()

        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("first", &first)
            visitor.field("second", &second)
        }
    }

    /// The trials of a block.
    private static let size: UInt64 = 256

    /// Counts trials, and counts block 1 as `mistake` wants. Fails in the block `failing`.
    private static func reply(
        _ request: ChunkRequest, failing: UInt64? = nil, mistake: (inout Two) -> Void = { _ in }
    ) -> ChunkReply {
        var tally = Two()
        let layout = TallyLayout(of: Two.self)
        for block in request.blocks {
            if block == failing {
                let reason = "two, seed \(request.seed), block \(block): line 7: a division by zero"
                return ChunkReply(end: block, slots: tally.slots(layout.slots), failure: .init(reason, block: block))
            }
            let trials = min(Self.size, (request.trials ?? .max) - block * Self.size)
            for _ in 0..<trials { tally.first.add() }
            if block == 1 { mistake(&tally) }
        }
        return ChunkReply(end: request.blocks.upperBound, slots: tally.slots(layout.slots))
    }

    private func prepared(failing: UInt64? = nil) -> PreparedSimulation {
        PreparedSimulation(
            parameters: [], blockSize: Int(Self.size), layout: TallyLayout(of: Two.self),
            run: { request, _ in Self.reply(request, failing: failing) }, read: { _, _ in .success([]) })
    }

    private func finding(
        failing: UInt64? = nil, _ depth: LawCheck.Depth = .deep,
        play: @escaping (ChunkRequest) throws(WorkshopError) -> PythonReply
    ) -> LawCheck.Finding { findings(failing: failing, depth, play: play)[0] }

    private func findings(
        failing: UInt64? = nil, _ depth: LawCheck.Depth = .deep,
        play: @escaping (ChunkRequest) throws(WorkshopError) -> PythonReply
    ) -> [LawCheck.Finding] {
        let failure = failing.map {
            SimulationFailure("two, seed 2010, block \($0): line 7: a division by zero", block: $0)
        }
        return PythonCheck(simulation: prepared(failing: failing)) { (blocks, trials) throws(WorkshopError) in
            let before = blocks.lowerBound * Self.size
            return try play(ChunkRequest(seed: LawCheck.seed, blocks: blocks, trials: before + trials))
        }.findings(after: failure, depth)
    }

    @Test func equalTalliesAgree() {
        var asked: [ChunkRequest] = []
        let deep = finding { request in
            asked.append(request)
            return .tally(Self.reply(request).slots)
        }
        #expect(deep.grade == .kept && deep.text.contains("of the first 261 trials, bit for bit"))
        let quick = finding(.quick) { .tally(Self.reply($0).slots) }
        #expect(quick.grade == .kept && quick.text.contains("of the first 160 trials, bit for bit"))
        // Python starts once.
        #expect(asked == [ChunkRequest(seed: LawCheck.seed, blocks: 0..<2, trials: 261)])
    }

    @Test func aReadingWithoutAValueIsARemarkWithItsLine() {
        let found = findings(.quick) { .tally(Self.reply($0).slots, unread: ["b": "line 9: y", "a": "line 8: x"]) }
        #expect(found.map(\.grade) == [.kept, .remark, .remark])
        #expect(
            found[1...].map(\.text) == [
                "a has no value after 160 trials: line 8: x", "b has no value after 160 trials: line 9: y",
            ])
    }

    @Test func theBlockAndTheFieldAreNamed() {
        let one = finding { .tally(Self.reply($0) { $0.second.add() }.slots) }
        #expect(one.grade == .broken && one.text.contains("in block 1 with seed 2010: second differs; "))
        let two = finding {
            .tally(
                Self.reply($0) {
                    $0.first.add()
                    $0.second.add()
                }.slots)
        }
        #expect(two.text.contains("in block 1 with seed 2010: first, second differ; "))
        let short = finding { _ in .tally([1]) }
        #expect(short.grade == .broken && short.text.contains("in block 0 with seed 2010: its tally has 1 numbers"))
    }

    @Test func theSameFailureAgrees() {
        for block: UInt64 in [0, 1, 40] {
            let same = finding(failing: block) {
                $0.blocks.contains(block) ? .failure("line 7: a division by zero") : .tally(Self.reply($0).slots)
            }
            #expect(same.grade == .kept && same.text == "Python itself stops with the same sentence at the same line")
        }
    }

    @Test func anotherFailureIsFound() {
        let other = finding(failing: 3) { _ in .failure("line 8: a division by zero") }
        #expect(
            other.grade == .broken
                && other.text.contains("in block 3 with seed 2010: it stops with 'line 8: a division by"))
        let none = finding(failing: 3) { .tally(Self.reply($0).slots) }
        #expect(
            none.grade == .broken && none.text.contains("it does not stop as the module does: two, seed 2010, block 3"))
        let only = finding { _ in .failure("line 7: a division by zero") }
        #expect(only.grade == .broken && only.text.contains("it stops with 'line 7: a division by zero'"))
    }

    /// Only the module has limits of time and memory.
    @Test func whatPythonCannotTellIsARemark() {
        let slow = finding { _ throws(WorkshopError) in throw .refused("Python takes more than 60 s of CPU time") }
        #expect(
            slow.grade == .remark && slow.text.hasSuffix("with Python itself: Python takes more than 60 s of CPU time"))
        let failure = SimulationFailure("two, seed 2010, block 0: it needs more than 4 MiB of memory", block: 0)
        let check = PythonCheck(simulation: prepared()) { (_, _) in .tally([]) }
        #expect(check.findings(after: failure, .deep).map(\.grade) == [.remark])
    }

    @Test func aSentenceWithALineIsSaidAsItIs() {
        #expect(SandboxError.misuse("line 14: a division by zero", []).reason == "line 14: a division by zero")
        for sentence in ["a probability above 1", "line x: no", "line : no", "line 7 no", "outline 7: no"] {
            #expect(SandboxError.misuse(sentence, []).reason == "it crashed: \(sentence)")
        }
    }
}
