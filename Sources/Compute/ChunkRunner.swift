import PotluckKit

/// What came of running a chunk.
public enum RunOutcome: Sendable, Equatable {
    /// The blocks up to `end`, and their tally.
    case done(ChunkReply)
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
        run = { request, _, shouldStop in
            let reply = simulation.run(request, shouldStop)
            return reply.failure.map { .failed(block: reply.end, text: $0.reason) } ?? .done(reply)
        }
    }
}
