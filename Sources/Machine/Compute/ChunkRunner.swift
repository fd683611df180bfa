import PotluckCore
import PotluckKit

/// The outcome of running a chunk.
public enum RunOutcome: Sendable, Equatable {
    /// The blocks up to `end` and their tally, and the blob that holds their output, if it is to be fetched.
    case done(ChunkReply, BlobReference? = nil)
    /// The block that failed, and why in one line.
    case failed(block: UInt64, text: String)
}

/// Runs the chunks of one job. May be used by several threads at once.
public struct ChunkRunner: Sendable {
    /// `isFresh` asks for an instance that has computed nothing before. `shouldStop` must be called before every block;
    /// once it returns true, the outcome is the blocks so far, however few.
    public typealias Body =
        @Sendable (_ request: ChunkRequest, _ isFresh: Bool, _ shouldStop: () -> Bool) -> RunOutcome

    let run: Body

    public init(_ run: @escaping Body) { self.run = run }

    /// Runs a simulation, built in or in the sandbox. It keeps nothing between chunks, so every run is fresh.
    public init(_ simulation: PreparedSimulation) {
        run = { request, isFresh, shouldStop in simulation.outcome(of: request, isFresh: isFresh, shouldStop) }
    }

    /// Runs a search. All its chunks on this machine share their best solution, and begin with the author's.
    public init(_ simulation: PreparedSimulation, _ search: PreparedSearch, sharing best: SharedBest) {
        run = { request, _, shouldStop in
            if !request.bound.isFixed {
                best.learn(request.bound.best)
                _ = best.merge(search.start)
            }
            return withoutActuallyEscaping(shouldStop) { shouldStop in
                var clock = SearchClock()
                return withUnsafeMutablePointer(to: &clock) { clock in
                    let pilot = SearchPilot(
                        shouldStop: shouldStop, isLate: { clock.pointee.isLate },
                        budget: { clock.pointee.budget(after: $0) }, share: best.merge)
                    return simulation.outcome(of: search.run(request, pilot), request)
                }
            }
        }
    }
}

extension PreparedSimulation {
    /// Runs blocks. A reply that does not match the request counts as a failure, because it could not be counted.
    ///
    /// A node that decides a dispute asks for a fresh run. If there is a faster way than the plain trials, both run:
    /// other nodes may have computed with either, so nobody has lied if they differ.
    package func outcome(of request: ChunkRequest, isFresh: Bool = false, _ shouldStop: () -> Bool) -> RunOutcome {
        let fast = run(request, shouldStop)
        let outcome = outcome(of: fast, request)
        let first = request.blocks.lowerBound
        guard isFresh, let plain, case .done = outcome, fast.end > first else { return outcome }
        var same = request
        same.blocks = first..<fast.end
        let slow = plain(same, shouldStop)
        let other = self.outcome(of: slow, same)
        guard case .done = other else { return other }
        // An interrupted comparison is repeated later.
        guard slow.end == fast.end else { return .done(ChunkReply(end: first, slots: layout.empty)) }
        guard slow == fast else {
            return .failed(
                block: first,
                text: "its lanes or its native program give another result than its trials; run 'potluck check'")
        }
        return outcome
    }

    fileprivate func outcome(of reply: ChunkReply, _ request: ChunkRequest) -> RunOutcome {
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
