import PotluckModel
import PotluckRanks
import PotluckSystem

/// A program with ranks on this machine: a thread for each rank.
public final class RankLaunch: Sendable {
    private let room: RankRoom
    private let seats: [RankSeat]
    private let outcome: Guarded<Outcome>

    /// What is known of the end.
    private struct Outcome {
        var running: Int
        /// What rank 0 wrote.
        var output: [UInt8] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// - Parameters:
    ///   - cores: how many cores the ranks have.
    ///   - checkpoint: the states at which the ranks begin; nil if they begin anew.
    ///   - isSynchronous: whether standard sends wait until they are received.
    ///   - onLog: gets each line that a rank prints, on the rank's thread.
    public init(
        size: Int, cores: Int, checkpoint: [[UInt8]]? = nil, isTraced: Bool = false,
        isSynchronous: Bool = false, onLog: @escaping @Sendable (_ rank: Int, _ line: [UInt8]) -> Void
    ) {
        let room = RankRoom(size: size, cores: cores, restored: checkpoint)
        self.room = room
        seats = (0..<size).map { RankSeat($0, room, isTraced: isTraced, isSynchronous: isSynchronous, onLog: onLog) }
        outcome = Guarded(Outcome(running: size))
    }

    /// Runs `program` on each rank's thread, and returns what rank 0 wrote when all have ended. Call it once.
    public func run(
        _ program: @escaping @Sendable (RankSeat) throws(RankFault) -> [UInt8]
    ) async throws(RankFault) -> [UInt8] {
        for seat in seats {
            let thread = SystemThread { [self] in
                attend(seat, program)
                room.note(seat.rank, nil)
                ended()
            }
            guard let thread else {
                room.fail(
                    .crashed(rank: seat.rank, "this machine starts no more threads; launch fewer ranks", places: []))
                ended()
                continue
            }
            thread.detach()
        }
        await withCheckedContinuation { continuation in
            let isOver = outcome.with { outcome in
                guard outcome.running > 0 else { return true }
                outcome.waiting = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        if let fault = room.fault { throw fault }
        return outcome.with { $0.output }
    }

    private func attend(_ seat: RankSeat, _ program: (RankSeat) throws(RankFault) -> [UInt8]) {
        do throws(RankFault) {
            let output = try program(seat)
            if seat.rank == 0 { outcome.with { $0.output = output } }
            try room.with { (world) throws(RankFault) in try world.end(seat.rank) }
        } catch {
            room.fail(error)
        }
    }

    private func ended() {
        let waiting = outcome.with { outcome -> CheckedContinuation<Void, Never>? in
            outcome.running -= 1
            return outcome.running == 0 ? outcome.waiting : nil
        }
        waiting?.resume()
    }

    /// Ends all ranks.
    public func stop() { room.fail(.stopped) }

    /// What the ranks do now.
    public var picture: RankPicture { room.picture }

    /// The states of the last complete checkpoint, by rank; nil if there is none.
    public var checkpoint: [[UInt8]]? { room.checkpoint }

    /// What each rank did. Read it after the end.
    public var traces: [RankTrace] { seats.compactMap(\.trace) }
}
