import PotluckCore
import PotluckRanks
import PotluckSystem

/// The threads of a program's ranks on this node.
final class RankCrew: Sendable {
    private let room: RankRoom
    let seats: [RankSeat]
    private let outcome: Guarded<Outcome>

    /// The outcome so far.
    private struct Outcome {
        var running: Int
        /// The output of rank 0.
        var output: [UInt8] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// The program of a rank. It returns the rank's output.
    typealias Program = @Sendable (RankSeat) throws(RankError) -> [UInt8]

    init(_ room: RankRoom, seats: [RankSeat]) {
        (self.room, self.seats) = (room, seats)
        outcome = Guarded(Outcome(running: seats.count))
    }

    /// Runs `program` on each rank's thread until all have ended. Returns the output of rank 0. Call it once.
    func run(priority: Priority, _ program: @escaping Program) async -> [UInt8] {
        for seat in seats {
            let thread = SystemThread { [self] in
                priority.apply()
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
        return outcome.with { $0.output }
    }

    private func attend(_ seat: RankSeat, _ program: Program) {
        do throws(RankError) {
            let output = try program(seat)
            if seat.rank == 0 { outcome.with { $0.output = output } }
            try room.with { (world) throws(RankError) in try world.end(seat.rank) }
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
}
