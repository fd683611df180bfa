import PotluckKit
import PotluckSystem

/// Whether the lanes of a simulation are trusted: they give the tally of the plain trials in the first block that they are
/// asked for. One thread compares, once in the life of the program. Meanwhile the others run plain trials.
final class LanesTrust: Sendable {
    private enum State {
        case unknown, comparing, trusted
        /// The lanes gave something else.
        case refused
    }

    private let name: String
    private let state = Guarded(State.unknown)

    init(_ name: String) { self.name = name }

    /// Runs a chunk by lanes if they are trusted, and otherwise by plain trials.
    func run(
        _ request: ChunkRequest, _ shouldStop: () -> Bool, plain: @escaping PreparedSimulation.Runner,
        lanes: @escaping PreparedSimulation.Runner
    ) -> ChunkReply {
        let (isTrusted, isFirst) = state.with { state in
            guard case .unknown = state, !request.blocks.isEmpty else { return (state == .trusted, false) }
            state = .comparing
            return (false, true)
        }
        let isSame = isFirst && compare(request, plain, lanes)
        return isTrusted || isSame ? lanes(request, shouldStop) : plain(request, shouldStop)
    }

    private func compare(
        _ request: ChunkRequest, _ plain: @escaping PreparedSimulation.Runner,
        _ lanes: @escaping PreparedSimulation.Runner
    ) -> Bool {
        var first = request
        first.blocks = request.blocks.lowerBound..<request.blocks.lowerBound + 1
        let isSame = plain(first) { false } == lanes(first) { false }
        state.with { $0 = isSame ? .trusted : .refused }
        if !isSame { Log("lanes").warning("the lanes of \(name) give another tally than its trials and are not used") }
        return isSame
    }
}
