import PotluckKit
import PotluckModel

/// What came of running a chunk.
public enum RunOutcome: Sendable, Equatable {
    /// The blocks up to `end`, and their tally; and what they wrote, where it is kept to be fetched.
    case done(ChunkReply, BlobReference? = nil)
    /// In that block: one line for people.
    case failed(block: UInt64, text: String)
}

/// Runs chunks of one job, on any thread and on several at once.
public struct ChunkRunner: Sendable {
    /// `isFresh` asks for an instance that has computed nothing before. `shouldStop` is to be asked before every block; once
    /// it says yes, the blocks so far are the outcome, however few.
    public typealias Body =
        @Sendable (_ request: ChunkRequest, _ isFresh: Bool, _ shouldStop: () -> Bool) -> RunOutcome

    let run: Body

    public init(_ run: @escaping Body) { self.run = run }

    /// A simulation, built in or in the sandbox: it keeps nothing from one chunk to the next, so that every run is a fresh one.
    public init(_ simulation: PreparedSimulation) {
        run = { request, _, shouldStop in simulation.outcome(of: request, shouldStop) }
    }
}

extension PreparedSimulation {
    /// Runs blocks, and takes a reply that does not fit them for a failure: whoever counts could do nothing with it.
    package func outcome(of request: ChunkRequest, _ shouldStop: () -> Bool) -> RunOutcome {
        let reply = run(request, shouldStop)
        let first = request.blocks.lowerBound
        guard first <= reply.end, reply.end <= request.blocks.upperBound else {
            return .failed(block: first, text: "it returned blocks that it was not given")
        }
        if let failure = reply.failure { return .failed(block: reply.end, text: failure.reason) }
        guard reply.slots.count == layout.slots else {
            return .failed(block: first, text: "its tally has \(reply.slots.count) slots instead of \(layout.slots)")
        }
        let outputs = writes == .nothing ? 0 : reply.end - first
        guard UInt64(reply.outputs.count) == outputs else {
            return .failed(block: first, text: "it wrote \(reply.outputs.count) blocks instead of \(outputs)")
        }
        return .done(reply)
    }
}
