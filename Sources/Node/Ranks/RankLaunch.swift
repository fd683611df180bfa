import PotluckCore
import PotluckRanks

/// A program with ranks on this machine: a thread for each rank.
public final class RankLaunch: Sendable {
    private let room: RankRoom
    private let crew: RankCrew

    /// - Parameters:
    ///   - cores: how many cores the ranks have.
    /// - checkpoint: the states at which the ranks begin; nil to start at the beginning.
    ///   - isSynchronous: whether standard sends wait until they are received.
    ///   - onLog: gets each line that a rank prints, on the rank's thread.
    public init(
        size: Int, cores: Int, checkpoint: [[UInt8]]? = nil, isTraced: Bool = false,
        isSynchronous: Bool = false, onLog: @escaping @Sendable (RankLine) -> Void
    ) {
        let room = RankRoom(size: size, cores: cores, restored: checkpoint)
        self.room = room
        crew = RankCrew(
            room,
            seats: (0..<size).map { RankSeat($0, room, isTraced: isTraced, isSynchronous: isSynchronous, onLog: onLog) }
        )
    }

    /// Runs `program` on each rank's thread, and returns the output of rank 0 when all have ended. Call it once.
    public func run(
        priority: Priority = .interactive, _ program: @escaping @Sendable (RankSeat) throws(RankError) -> [UInt8]
    ) async throws(RankError) -> [UInt8] {
        let output = await crew.run(priority: priority, program)
        if let fault = room.fault { throw fault }
        return output
    }

    /// Ends all ranks.
    public func stop() { room.fail(.stopped) }

    /// What the ranks do now.
    public var picture: RankPicture { room.picture }

    /// The states of the last complete checkpoint, by rank; nil if there is none.
    public var checkpoint: [[UInt8]]? { room.checkpoint }

    /// What each rank did. Read it after the end.
    public var traces: [RankTrace] { crew.seats.compactMap(\.trace) }
}
