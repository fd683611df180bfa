import PotluckCore

/// Decides which nodes are dialled, and when.
extension SessionMachine {
    /// Plans a dial. The node with the lower ID dials at once, the other one after a second. A client does not wait if
    /// it cannot verify the node's sighting: the node cannot verify the client's either, and a user who typed a wrong
    /// code should know within a second.
    mutating func plan(_ node: NodeID, _ now: Instant) {
        let isStranger = setup.mode == .client && members[node]?.entry?.trust == .unverified
        let wait = setup.node < node || isStranger ? Duration.zero : SessionLimits.patience
        members.change(node) {
            $0.nextDial = now + wait
            $0.backOff.reset()
        }
    }

    /// Dials a silent node sooner, because it was heard again. This ends a back-off, but not the wait after a refusal.
    /// Discovery needs two seconds to call a node silent, so this happens no more often than dials at the longest
    /// back-off.
    mutating func hasten(_ node: NodeID, _ now: Instant) {
        guard let member = members[node], let next = member.nextDial, next <= now + BackOff.last else { return }
        let wait = setup.node < node ? Duration.zero : SessionLimits.patience
        members.change(node) { $0.nextDial = min(next, now + wait) }
    }

    /// Gives up unanswered dials that began before the node was heard again. The system would wait for seconds.
    mutating func retry(_ node: NodeID, _ now: Instant) {
        for (link, state) in links.elements {
            guard case .dialling(let target, let since) = state, target.isNode(node),
                since + SessionLimits.stale <= now
            else { continue }
            drop(link)
            hasten(node, now)
        }
    }

    /// A dial failed. It is retried later; the user is told once about an address that the user gave.
    mutating func failed(_ target: DialTarget, _ loss: LinkLoss, _ now: Instant) {
        switch target {
        case .node(let node, _):
            failed(node, now)
            if loss == .wrongCode || loss == .unproven {
                members.change(node) { $0.nextDial = now + SessionLimits.retryRefused }
            }
        case .address(let host, let port):
            guard let index = addresses.firstIndex(where: { $0.host == host && $0.port == port }) else { return }
            if !addresses[index].isReported {
                let isOtherCode = loss == .wrongCode
                trouble(isOtherCode ? .otherCodeAt(host: host, port: port) : .unreachable(host: host, port: port))
            }
            addresses[index].isReported = true
            if loss == .wrongCode || loss == .unproven {
                let doublings = min(addresses[index].wrongCodes, 16)
                addresses[index].wrongCodes += 1
                addresses[index].nextDial =
                    now + min(SessionLimits.retryRefused * (1 << doublings), SessionLimits.longestRetryRefused)
            }
        }
    }

    /// A dial to a node or its handshake failed. The next dial backs off.
    mutating func failed(_ node: NodeID, _ now: Instant) {
        guard let member = members[node], !member.isConnected else { return }
        if member.nextDial.map({ $0 <= now }) ?? true { putOff(node, now) }
        let next = members[node]?.nextDial ?? now
        for index in addresses.indices where addresses[index].node == node { addresses[index].nextDial = next }
    }

    /// Sets the next dial to a node by its back-off.
    private mutating func putOff(_ node: NodeID, _ now: Instant) {
        guard var member = members[node] else { return }
        member.nextDial = now + member.backOff.next(&random)
        members[node] = member
    }

    /// Dials the wanted nodes that are due. Returns the time of the next dial; nil if none is planned.
    mutating func dial(_ now: Instant) -> Instant? {
        var due: Instant?
        let wanted = wanted(now)
        let busy = Set(links.elements.compactMap(\.value.meant))
        var ripe: [(at: Instant, member: Member)] = []
        for (node, member) in members.elements where wanted.contains(node) && !busy.contains(node) {
            guard let next = member.nextDial else { continue }
            if next <= now { ripe.append((next, member)) } else { due = min(due ?? next, next) }
        }
        var knocks = knocks
        // The node that has waited longest comes first, so that many unverified nodes cannot block the others.
        for (_, member) in ripe.sorted(by: { ($0.at, $0.member.node) < ($1.at, $1.member.node) }) {
            if member.isStranger {
                // The end of another dial makes room for this one.
                guard knocks.count < SessionLimits.knocks, let address = member.endpoints.first?.octets,
                    knocks.insert(address).inserted
                else { continue }
            }
            // The next dial is later in any case, so that no dispute with a node becomes a flood.
            putOff(member.node, now)
            start(.node(member.node, member.endpoints), now)
        }
        for index in addresses.indices {
            let address = addresses[index]
            if let node = address.node, members[node]?.isConnected == true || busy.contains(node) { continue }
            let target = DialTarget.address(host: address.host, port: address.port)
            let isUnderWay = links.elements.contains { _, state in
                switch state {
                case .dialling(target, _), .open(target, _, _): true
                default: false
                }
            }
            guard !isUnderWay else { continue }
            guard address.nextDial <= now else {
                due = min(due ?? address.nextDial, address.nextDial)
                continue
            }
            addresses[index].nextDial = now + addresses[index].backOff.next(&random)
            start(target, now)
        }
        return due
    }

    /// The addresses of the unverified nodes that are being dialled.
    private var knocks: Set<[UInt8]> {
        var addresses: Set<[UInt8]> = []
        for (_, state) in links.elements {
            switch state {
            case .dialling(.node(let node, let endpoints), _), .open(.node(let node, let endpoints), _, _):
                guard members[node]?.isStranger ?? true, let address = endpoints.first?.octets else { continue }
                addresses.insert(address)
            default: continue
            }
        }
        return addresses
    }

    private mutating func start(_ target: DialTarget, _ now: Instant) {
        let link = LinkName.dialled(newDial())
        links[link] = .dialling(target, since: now)
        emit(.dial(link, target))
    }

    /// Returns the nodes that can be dialled, to which this node wants a link and has none.
    private mutating func wanted(_ now: Instant) -> Set<NodeID> {
        let candidates = members.elements.map(\.value).filter {
            setup.mode.meets($0.mode) && !$0.isConnected && !$0.endpoints.isEmpty
        }
        guard setup.mode == .client else {
            return Set(
                candidates.filter { member in
                    (isAvailable || member.isAdmitted) && !removed.contains { $0.node == member.node }
                }.map(\.node))
        }
        guard let targets = targets(now) else { return [] }
        return Set(candidates.map(\.node)).intersection(targets)
    }

    // MARK: A client's choice

    /// Returns the nodes of the session that this client is in or looks for; nil while that is undecided.
    private mutating func targets(_ now: Instant) -> [NodeID]? {
        let around = members.elements.map(\.value).filter { setup.mode.meets($0.mode) }
        if let picked = choice.picked { return [picked] }
        if let chosen = choice.chosen {
            let isServed = chosen != .shared
            if isServed, let own = around.first(where: { $0.belonging == chosen && $0.isConnected }) {
                // A server that listens at the same endpoint is this session's server, restarted before its end was
                // noticed.
                return around.filter { other in
                    other.node != own.node && other.mode == .server
                        && (other.belonging == nil || other.belonging == chosen)
                        && other.endpoints.contains { own.endpoints.contains($0) }
                }.map(\.node)
            }
            return around.filter {
                $0.belonging == chosen || $0.belonging == nil && ($0.mode == .server) == isServed
            }.map(\.node)
        }
        guard now >= begun + SessionLimits.look else { return nil }
        let offers = offers
        let faces = offers.count > 1 ? offers.compactMap(\.first) : []
        if faces != choice.offered {
            choice.offered = faces
            if !faces.isEmpty {
                emit(.choose(faces.compactMap { members[$0].map { peer($0, .available) } }))
            }
        }
        // All nodes that have not said hello are dialled: looking is not joining, and any node can have this name.
        let unknown = around.filter { $0.belonging == nil }.map(\.node)
        return unknown + (offers.count == 1 ? offers[0] : [])
    }

    /// The sessions of this name and code in sight whose nodes said hello. Each server's founding is one session, and
    /// all peers are one.
    private var offers: [[NodeID]] {
        let seen = members.elements.map(\.value).filter {
            setup.mode.meets($0.mode) && $0.entry != nil && $0.belonging != nil
        }
        var offers: [[NodeID]] = []
        let peers = seen.filter { $0.mode == .peer }.map(\.node)
        if !peers.isEmpty { offers.append(peers) }
        var founded: [Founding: Int] = [:]
        for member in seen where member.mode == .server {
            if case .founded(let founding) = member.belonging {
                if let index = founded[founding] {
                    offers[index].append(member.node)
                    continue
                }
                founded[founding] = offers.count
            }
            offers.append([member.node])
        }
        return offers.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// Whether a node that said hello belongs to this client's session; nil while that is undecided. If it does, the
    /// client joins that session.
    mutating func belongs(_ node: NodeID, at address: [UInt8], since: Instant, _ now: Instant) -> Bool? {
        guard let member = members[node], let belonging = member.belonging else { return false }
        if let chosen = choice.chosen {
            guard belonging == chosen else { return false }
        } else if let picked = choice.picked {
            guard picked == node else { return false }
        } else {
            guard now >= begun + SessionLimits.look else { return nil }
            let others = offers.filter { !$0.contains(node) }
            guard others.isEmpty else {
                _ = targets(now)
                return false
            }
            if now < since + SessionLimits.rival, mayHaveRival(member) { return nil }
        }
        // This session's server still has a link. It is alive, or its death is noticed within three seconds.
        if belonging != .shared {
            for (other, old) in members.elements where other != node && old.belonging == belonging {
                guard case .connected(let link, let since) = old.standing else { continue }
                guard member.replaces(old, at: address) else { return nil }
                drop(link)
                lost(other, since: since, now)
            }
        }
        choice.chosen = belonging
        choice.picked = nil
        choice.offered = []
        return true
    }

    /// Whether another session of this name and code may be in sight: a verified sighting of a node that has not said
    /// hello. An outsider may have repeated the sighting, so the client waits only for a moment.
    private func mayHaveRival(_ member: Member) -> Bool {
        members.elements.contains { node, other in
            node != member.node && other.entry?.trust == .verified && other.belonging == nil
                && other.otherServer != .hasOtherCode
                && setup.mode.meets(other.mode) && (other.mode != .peer || member.mode != .peer)
        }
    }

    /// Reports other servers that have had this session's name for so long that it is not a restart. Returns the time
    /// of the next check; nil if none is needed.
    mutating func reportOthers(_ now: Instant) -> Instant? {
        guard setup.mode != .client || choice.chosen != nil else { return nil }
        guard setup.mode == .server || members.elements.contains(where: { $0.value.isConnected }) else { return nil }
        var due: Instant?
        for (node, member) in members.elements where member.mode == .server && member.entry != nil {
            // Any node can announce that name. Only a node that proved to know the code is reported.
            guard !member.isStranger, member.otherServer == .possible else { continue }
            guard setup.mode != .client || !member.isConnected else { continue }
            let at = member.since + SessionLimits.otherServer
            if at <= now {
                members.change(node) { $0.otherServer = .reported }
                trouble(.otherServer(peer(member, .available)))
            } else {
                due = min(due ?? at, at)
            }
        }
        return due
    }
}
