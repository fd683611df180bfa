import PotluckCore
import PotluckEngine
import PotluckScreen

/// The jobs on the screens of a laptop: its node's own, and those of viewers that were started beside it. The code that
/// ships keeps them.
struct Screen {
    /// A picture of its job that a coordinator has shown.
    struct Shown {
        let at: Instant
        let state: JobState
        let trials: UInt64
    }

    /// The node's own board, and those of the viewers.
    private(set) var boards = [Self.emptyBoard]
    /// The jobs that were shown before their end, and whose end was not told yet.
    private(set) var open: Set<JobID> = []
    /// The job whose end was told last.
    var lastEnd: JobID?
    /// By job that this node coordinates, the pictures that it has shown lately, the oldest first.
    private(set) var shown: [JobID: [Shown]] = [:]

    private static var emptyBoard: JobBoard {
        JobBoard(unicode: false, digest: digest, isBuiltIn: { _ in true })
    }

    static func digest(_ result: JobResult) -> String {
        var hash = TraceHash()
        for octet in result.digestInput { hash.mix(UInt64(octet)) }
        return String(hash.value, radix: 16)
    }

    /// The node's own board.
    var own: JobBoard { boards[0] }

    /// What each screen draws, the node's own first.
    var pictures: [ClusterPicture] { boards.map(\.picture) }

    /// Starts a viewer, which gets everything that the node's board knows.
    mutating func openViewer(at now: Instant) {
        var board = Self.emptyBoard
        for event in own.story(of: nil) { _ = board.apply(event, at: now, time: "") }
        boards.append(board)
    }

    /// Shows an event. `takesOver` says whether another node may continue the jobs of that coordinator.
    mutating func show(_ event: JobEvent, at now: Instant, takesOver: (NodeID) -> Bool) {
        for index in boards.indices {
            // A viewer does not know the nodes.
            _ = boards[index].apply(event, at: now, time: "", takesOver: index == 0 ? takesOver : { _ in false })
        }
        if case .snapshot(let snapshot) = event, !snapshot.state.isOver { open.insert(snapshot.id) }
        guard let id = event.endedJob else { return }
        open.remove(id)
        if case .lost = event { return }
        lastEnd = id
    }

    /// Remembers a picture that a coordinator shows. The pictures until `since`, except for the last, are forgotten.
    mutating func note(_ snapshot: JobSnapshot, at now: Instant, since: Instant) {
        var list = shown[snapshot.id] ?? []
        list.append(Shown(at: now, state: snapshot.state, trials: snapshot.trials))
        let first = list.lastIndex { $0.at <= since } ?? 0
        shown[snapshot.id] = Array(list[first...])
    }

    /// Forgets the pictures of a job that it no longer coordinates.
    mutating func forget(_ id: JobID) { shown[id] = nil }
}
