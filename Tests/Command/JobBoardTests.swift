import PotluckConsole
import PotluckModel
import Testing

@testable import PotluckCommand

/// What a node knows of a session's jobs.
@Suite struct JobBoardTests {
    /// An order is confirmed before the first picture of its job comes. Who cancels the job then must reach it.
    @Test func anOrderedJobIsFoundWithoutAPicture() {
        let (job, board) = (JobID(0x2fd5_f5ff_e85c_f424), JobBoard(unicode: false))
        #expect(found(board.find(job.text, ordered: [JobID(7), job])) == job)
        #expect(found(board.find(job.text)) == nil)
        for text in [nil, "2fd5", "tsp"] { #expect(found(board.find(text, ordered: [job])) == nil) }
    }

    private func found(_ found: JobBoard.Found) -> JobID? {
        if case .job(let job) = found { job } else { nil }
    }
}
