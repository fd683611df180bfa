import Testing

@testable import PotluckCore

@Suite struct JobFailureTests {
    @Test func seedAndBlockAreSaidOnce() {
        let said = "mine, seed 7, block 3: it crashed: unreachable"
        #expect(JobFailure.block(BlockFailure(block: 3, seed: 7, text: said)).brief == said)
        // A text about another block, one without seed and block, and a failure of no block.
        for failure: JobFailure in [
            .block(BlockFailure(block: 4, seed: 7, text: said)), .block(BlockFailure(block: 3, seed: 7, text: "no")),
            "no",
        ] {
            #expect(failure.brief == "\(failure)")
        }
    }
}
