import PotluckKit
import Testing

@Suite struct SeveralTests {
    struct Choir: Simulation {
        static let name: StaticString = "choir"
        static let summary: StaticString = "Counts who sings."
        @Parameter("voices", "who sings", of: ["alto", "bass", "tenor"], count: 1...2) var voices: Several = [
            "tenor", "alto",
        ]
        @Parameter("halls", "where", of: ["a", "b"]) var halls: Several = []

        var problem: StaticString? {
            voices.contains("bass") && halls.contains("b") ? "b is too small for a bass" : nil
        }

        struct Tally: SimulationTally {
            var voices = ExactSum()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("voices", &voices) }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            for place in voices.places { tally.voices.add(place + 1) }
        }

        static var readings: [ReadingRule<Choir>] { derived("voices") { _, tally, _ in tally.voices.value } }
    }

    private let choir = AnySimulation(Choir.self, source: "")

    @Test func aListIsDeclaredWithItsNumbers() throws {
        guard case .several(let names, let count) = choir.parameters[0].domain else {
            Issue.record("it is no list")
            return
        }
        #expect(names == ["alto", "bass", "tenor"] && count == 1...2)
        #expect(choir.standardParameters == [0b101, 0])
        guard case .several(_, let all) = choir.parameters[1].domain else {
            Issue.record("it is no list")
            return
        }
        #expect(all == 0...2)
    }

    /// A slot is a value if it has only bits of names, and as many as may be chosen.
    @Test func aSlotIsHeldAgainstTheList() throws {
        for voices in 0..<16 as Range<UInt64> {
            let isFine = voices < 8 && (1...2).contains(voices.nonzeroBitCount)
            guard isFine else {
                #expect(throws: ParameterError.outOfRange(0)) { try choir.prepared([voices, 0]) }
                continue
            }
            let prepared = try choir.prepared([voices, 1])
            let reply = prepared.run(ChunkRequest(seed: 1, blocks: 0..<1, trials: 1)) { false }
            let sum = (0..<3).filter { voices >> $0 & 1 == 1 }.reduce(0) { $0 + $1 + 1 }
            #expect(prepared.read(reply.slots, 1).map(\.value) == [Double(sum)])
        }
        #expect(throws: ParameterError.outOfRange(1)) { try choir.prepared([1, 1 << 63]) }
        #expect(throws: ParameterError.conflict("b is too small for a bass")) { try choir.prepared([2, 2]) }
    }

    /// Any 64 names take all bits of a slot.
    @Test func sixtyFourNamesFillASlot() {
        let domain = ParameterDomain.several((0..<64).map { "n\($0)" }, count: 0...64)
        for slot in [0, 1, 1 << 63, .max, .max >> 1] as [UInt64] { #expect(domain.contains(slot)) }
        #expect(!ParameterDomain.several((0..<63).map { "n\($0)" }, count: 0...63).contains(1 << 63))
    }

    @Test func outsideAReaderTheDefaultIsInTheOrderOfTheList() {
        let choir = Choir()
        #expect(choir.voices.names.map(\.description) == ["alto", "tenor"] && choir.voices.places == [0, 2])
        #expect(choir.voices.count == 2 && !choir.voices.isEmpty && choir.halls.isEmpty)
        #expect(choir.voices.contains("alto") && !choir.voices.contains("bass"))
    }
}
