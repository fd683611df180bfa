import PotluckCore
import Testing

@Suite struct BlockFailureTests {
    @Test func theTextOfAFailureReadsBack() {
        for text in ["", "mine, seed 7, block 3: it crashed: unreachable", "a: b"] {
            let failure = BlockFailure(block: 3, seed: .max, text: text)
            #expect(BlockFailure("\(failure)") == failure)
        }
    }

    @Test(arguments: [
        "", "it fails", "it fails at block x with seed 1: y", "it fails at block 1 with seed 1",
        "it fails at block 1 with seed -1: y", "it failed at block 1 with seed 1: y",
    ])
    func otherLinesAreNone(line: String) { #expect(BlockFailure(line) == nil) }

    @Test func seedAndBlockAreSaidOnce() {
        let said = "mine, seed 7, block 3: it crashed: unreachable"
        #expect(BlockFailure.brief("\(BlockFailure(block: 3, seed: 7, text: said))") == said)
        // A line with a different block, one whose text does not repeat seed and block,
        // and one that is not a block failure.
        for line in [
            "\(BlockFailure(block: 4, seed: 7, text: said))", "\(BlockFailure(block: 3, seed: 7, text: "no"))", "no",
        ] {
            #expect(BlockFailure.brief(line) == line)
        }
    }
}
