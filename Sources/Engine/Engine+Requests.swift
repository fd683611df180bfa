import PotluckCore

/// The requests of this node's user, and the answers of other nodes.
extension Engine {
    /// A request that a node has not answered.
    struct Asked: Sendable {
        let token: UInt64
        let node: NodeID
        /// How long a list of open jobs is awaited. Nil for all other requests.
        var until: Instant?
    }

    var canCoordinate: Bool { session.map { $0.setup.mode != .client } ?? true }

    mutating func wanted(_ request: JobRequest, _ token: UInt64, _ turn: inout Turn) {
        switch request {
        case .order(let order, let ticket):
            for blob in order.recipe.blobs { blobs.ordered(blob) }
            if session != nil, let why = order.obstacle {
                turn.answer(.refused(why), token: token)
            } else if canCoordinate {
                coordinator.order(order, ticket, by: own, role: .hosts, token: token, &turn)
            } else {
                ask(anyCoordinator, .order(order, ticket: ticket, token: token), token, &turn)
            }
        case .withdraw(let ticket):
            if canCoordinate {
                coordinator.withdraw(ticket, by: own, token: token, &turn)
            } else {
                ask(anyCoordinator, .withdraw(ticket, token: token), token, &turn)
            }
        case .command(let command, let id, let ticket):
            let node = remoteJobs.coordinator(of: id) ?? (canCoordinate ? own : anyCoordinator)
            if node == own {
                coordinator.command(
                    command, id, ticket: ticket, by: own, role: .hosts, token: token, &turn)
            } else if let node, connected[node] != nil {
                ask(node, .command(command, id, ticket: ticket, token: token), token, &turn)
            } else {
                turn.answer(.refused("the coordinator of job \(id) is not connected"), token: token)
            }
        case .takeOver:
            let jobs = canCoordinate ? replicas.takeAllLost(turn.now) : []
            for job in jobs { takeOver(job, &turn) }
            let why =
                canCoordinate
                ? "this node knows no job that has lost its coordinator" : "this node is a guest and takes no jobs"
            turn.answer(jobs.isEmpty ? .refused(why) : .takenOver(jobs.count), token: token)
        case .output(let id, let blob):
            if coordinator.gives(blob.hash, to: own, role: .hosts, now: turn.now) {
                turn.answer(.output(blob), token: token)
            } else if let node = remoteJobs.coordinator(of: id) {
                let isConnected = connected[node] != nil
                _ = blobs.get(
                    blob, for: .whole(id, token: token), from: node, isConnected: isConnected, &turn)
            } else {
                turn.answer(.refused("the output is no longer available"), token: token)
            }
        case .jobs:
            for node in coordinators { askForAll(node, token, &turn) }
            list(token, &turn)
        }
    }

    /// Passes a request on to a node; refuses it if there is none.
    private mutating func ask(_ node: NodeID?, _ message: JobMessage, _ token: UInt64, _ turn: inout Turn) {
        guard let node else {
            let why = "this node is not connected to a host yet, and only hosts take jobs; try again when it is"
            return turn.answer(.refused(why), token: token)
        }
        asked.append(Asked(token: token, node: node))
        turn.send(message, to: node)
    }

    /// Passes on an answer, if it was awaited from that node.
    mutating func answered(_ token: UInt64, by node: NodeID, _ answer: JobAnswer, _ turn: inout Turn) {
        guard let index = asked.firstIndex(where: { $0.token == token && $0.node == node && $0.until == nil }) else {
            return
        }
        asked.remove(at: index)
        turn.answer(answer, token: token)
    }

    /// Refuses the requests that a node can no longer answer.
    mutating func lostAnswers(of node: NodeID, _ turn: inout Turn) {
        let lost = asked.filter { $0.node == node }
        asked.removeAll { $0.node == node }
        for asked in lost {
            guard asked.until == nil else {
                list(asked.token, &turn)
                continue
            }
            let why =
                "the connection was lost before the answer; check whether the job was started before you try again"
            turn.answer(.refused(why), token: asked.token)
        }
    }

    /// Passes the guess of a page on to the job's coordinator. Without one it is lost, and the page sends it again.
    mutating func guessed(_ guess: Guess, of id: JobID, _ turn: inout Turn) {
        if coordinator.coordinates(id) {
            coordinator.guessed([guess], of: id, &turn)
        } else if let node = remoteJobs.coordinator(of: id), connected[node] != nil {
            turn.send(.guesses(id, [guess]), to: node)
        }
    }

    // MARK: Which jobs are open

    /// Asks a coordinator to answer once it has announced all its jobs. Messages keep their order.
    private mutating func askForAll(_ node: NodeID, _ token: UInt64, _ turn: inout Turn) {
        asked.append(Asked(token: token, node: node, until: turn.now + JobLimits.listing))
        turn.send(.list(token: token), to: node)
    }

    /// Asks a coordinator that has connected for each user who waits for the list.
    mutating func askForAll(_ node: NodeID, _ turn: inout Turn) {
        let tokens = Set(asked.filter { $0.until != nil }.map(\.token))
        for token in tokens.sorted() { askForAll(node, token, &turn) }
    }

    /// A coordinator has announced all its jobs.
    mutating func listed(_ token: UInt64, by node: NodeID, _ turn: inout Turn) {
        guard let index = asked.firstIndex(where: { $0.token == token && $0.node == node && $0.until != nil }) else {
            return
        }
        asked.remove(at: index)
        list(token, &turn)
    }

    /// Waits no longer for coordinators that do not answer.
    mutating func listLate(_ turn: inout Turn) {
        let late = asked.filter { $0.until.map { $0 <= turn.now } ?? false }
        guard !late.isEmpty else { return }
        asked.removeAll { $0.until.map { $0 <= turn.now } ?? false }
        for token in Set(late.map(\.token)).sorted() { list(token, &turn) }
    }

    /// Answers with all open jobs once every coordinator has announced its own.
    private func list(_ token: UInt64, _ turn: inout Turn) {
        guard !asked.contains(where: { $0.token == token }) else { return }
        turn.answer(.jobs(remoteJobs.open.merging(coordinator.open) { $1 }), token: token)
    }

    // MARK: Coordinators

    /// The connected nodes that may coordinate jobs.
    var coordinators: [NodeID] { connected.keys.filter { connected[$0] != .client } }

    /// The node that a client gives its orders to.
    private var anyCoordinator: NodeID? { coordinators.min() }

    /// Asks a connected node how jobs ended.
    func ask(_ node: NodeID, about jobs: [JobID], _ turn: inout Turn) {
        if !jobs.isEmpty { turn.send(.unresolved(jobs), to: node) }
    }
}
