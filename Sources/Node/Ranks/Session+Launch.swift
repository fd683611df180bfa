import PotluckCore
import PotluckRanks
import PotluckSystem

extension RankStateLimits {
    /// Each checkpoint may take a quarter of this machine's memory. The node keeps two, a third while the program
    /// begins again, and parts of the next states.
    fileprivate static let share = 4

    fileprivate init(_ request: SessionLaunch.Request) {
        self.init(
            each: request.program.memory, all: SystemMemory.physical / Self.share, areKept: request.restarts > 0)
    }
}

/// Gives a program with ranks the parts of a session that the launching node needs.
extension Session {
    /// Nodes may still be connecting for this time after the first look.
    private static let connecting = Duration.seconds(3)
    /// How long a session of peers gets to find each other, so that a program does not begin on the first one alone.
    private static let gathering = Duration.milliseconds(500)

    /// A laptop on which ranks can run.
    struct RankLaptop: Sendable {
        let node: NodeID
        /// Unique among the laptops.
        var name: String
        let cores: Int
    }

    /// The laptops on which ranks can run; nil while it may be too soon to tell.
    func rankLaptops(since waited: Duration) -> [RankLaptop]? {
        let peers = engine.peers.filter { $0.kind == .program }
        let isSettled = peers.allSatisfy { peer in
            switch peer.state {
            case .available, .connecting: false
            case .connected, .suspect, .gone: true
            }
        }
        // A server names its other guests some 200 ms after it is connected.
        let isNamed = programs.guests != nil || !peers.contains { $0.mode == .server && $0.state == .connected }
        guard waited >= Self.gathering, isSettled && isNamed || waited >= Self.connecting else { return nil }
        var laptops = peers.filter { $0.state == .connected }.map {
            RankLaptop(node: $0.node, name: $0.name, cores: $0.cores)
        }
        for guest in programs.guests ?? [] where !laptops.contains(where: { $0.node == guest.node }) {
            laptops.append(RankLaptop(node: guest.node, name: guest.name, cores: guest.cores))
        }
        laptops.removeAll { $0.cores == 0 }
        // Visitors are left out, because one on a laptop has the name of the node there.
        let names = DisplayNames.distinct(laptops.map { ($0.node, $0.name) })
        for index in laptops.indices { laptops[index].name = names[laptops[index].node] ?? laptops[index].name }
        return laptops.isEmpty ? nil : laptops
    }

    /// Begins an attempt to run a program on these members.
    func attempt(
        _ request: SessionLaunch.Request, _ map: RankMap, _ members: [LaunchAttempt.Member], _ states: [[UInt8]]?,
        onLine: @escaping @Sendable (RankLine) -> Void, onOpen: @escaping @Sendable () -> Void
    ) throws(RankError) -> LaunchAttempt {
        var chance = SystemRandomNumberGenerator()
        let launch: UInt64 = chance.next()
        let hosts = engine.peers.filter { $0.mode != .client && engine.link(to: $0.node) != nil }
        let host = hosts.first { request.host == nil || request.host == $0.node }
        guard let host, let way = route(to: host.node, relay: nil) else {
            throw .ended(why: "the session has no server and no peer in sight")
        }
        let relay = LaunchAttempt.Member(node: host.node, name: host.name)
        let limits = RankStateLimits(request)
        let unfinished = SharedRoom(limits.all)
        var streams: [RankStream] = []
        for member in members {
            let isVouched = request.host != nil && member.node != relay.node
            let route =
                isVouched
                ? RankStream.Route(link: way.link, target: member.node) : route(to: member.node, relay: relay.node)
            guard let route else {
                throw .ended(why: "\(member.name) cannot be reached")
            }
            let stream = stream(launch, along: route, nodes: members.count, room: unfinished)
            programs.streams[SessionPrograms.Key(launch: launch, node: member.node)] = stream
            streams.append(stream)
        }
        let nodes = members.map(\.node)
        let order: @Sendable (Int) -> RankOrder = { place in
            RankOrder(
                request.program, map: map, nodes: nodes, relay: relay.node, own: place, isResumed: states != nil)
        }
        let attempt = LaunchAttempt(
            launch, map, members, relay: relay, streams: streams, order: order, states: states, limits: limits,
            onLine: onLine, onOpen: onOpen)
        programs.attempts[launch] = attempt
        send(.open(nodes), launch, along: way)
        return attempt
    }

    /// Shows everybody what the ranks of a program do.
    ///
    /// - Parameter restarts: whether the program begins again if it was lost.
    func post(_ attempt: LaunchAttempt, _ name: String, restarts: Bool = false) {
        let octets = RankItem.show(attempt.show(name, launcher: self.name, restarts: restarts)).encoded()
        guard octets.count <= RankFrame.longestShow else { return }
        guard let route = route(to: attempt.relay.node, relay: nil) else { return }
        send(.show(octets), attempt.launch, along: route)
    }

    /// The attempt is over, and everybody has seen its end. A member that lacks it, because its stream was full, learns it
    /// now; the relay learns it after what it still has to pass on.
    func forget(_ attempt: LaunchAttempt) {
        for (member, stream) in zip(attempt.members, attempt.streams) where member.node != attempt.relay.node {
            send(.closed("over"), attempt.launch, along: stream.route)
        }
        if let route = route(to: attempt.relay.node, relay: nil) { send(.closed("over"), attempt.launch, along: route) }
        programs.forget(attempt.launch)
    }
}
