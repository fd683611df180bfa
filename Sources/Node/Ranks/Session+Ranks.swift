import PotluckCore
import PotluckEngine
import PotluckNet
import PotluckRanks

/// Brings the frames of programs with ranks to their places. The engine only decides which nodes are in the session,
/// and which may order work.
extension Session {
    // MARK: frames

    /// Takes a frame from a link. Only frames of connected peers count.
    func took(_ frame: RankFrame, _ name: LinkName, _ link: SessionLinks.Link) {
        guard let sender = link.node, engine.link(to: sender) == name else { return }
        if let target = frame.target, target != node { return passOn(frame, from: sender, link.id, to: target) }
        // Servers and peers have checked the sender. Guests pass nothing on.
        if frame.origin != nil, engine.mode(of: sender) == .client { return }
        let origin = frame.origin ?? sender
        let key = SessionPrograms.Key(launch: frame.launch, node: origin)
        switch frame.content {
        case .part(let octets, let isLast):
            took(octets, isLast, key, RankStream.Route(link: link.id, target: frame.origin), from: sender)
        case .received(let octets):
            do throws(RankError) { try programs.streams[key]?.arrived(octets) } catch { ended(key, error) }
        case .open(let nodes): open(frame.launch, nodes, for: sender, link.id)
        case .opened: programs.attempts[frame.launch]?.opened(by: sender)
        case .closed(let why): closed(key, why, by: sender)
        case .show(let octets): show(octets, frame.launch, from: origin, through: sender, link.id)
        }
    }

    private func took(
        _ part: ArraySlice<UInt8>, _ isLast: Bool, _ key: SessionPrograms.Key, _ route: RankStream.Route,
        from sender: NodeID
    ) {
        if programs.streams[key] == nil {
            guard !programs.isOver(key.launch) else { return }
            if let why = refusal(of: key, from: sender) {
                return send(.closed(why), key.launch, along: route)
            }
            programs.streams[key] = stream(key.launch, along: route)
        }
        guard let stream = programs.streams[key] else { return }
        do throws(RankError) {
            guard let item = try stream.took(part, isLast: isLast, route) else { return }
            if let site = programs.sites[key.launch] {
                if key.node == site.lead {
                    site.tookFromLead(item)
                    if case .end = item { programs.forget(key.launch) }
                } else if let place = site.order.nodes.firstIndex(of: key.node) {
                    site.took(item, from: place)
                }
            } else if let attempt = programs.attempts[key.launch] {
                attempt.took(item, from: key.node)
            } else if case .order(let order) = item {
                begin(order, key, stream)
            } else {
                throw .misfit
            }
        } catch {
            ended(key, error)
        }
    }

    /// Why this node takes no part in a program that it does not know; nil if it does.
    private func refusal(of key: SessionPrograms.Key, from sender: NodeID) -> String? {
        // A server or a peer passes on only programs of nodes that may order.
        guard key.node != sender || engine.mayOrder(sender) else {
            return mayNotOrder
        }
        guard programs.sites[key.launch] == nil, programs.attempts[key.launch] == nil else { return "no longer known" }
        return programs.hasPlace(for: key.node) ? nil : Self.tooMany
    }

    private static let tooMany = "too many programs at once; wait until one has ended"

    /// Why this node takes no programs of guests.
    private var mayNotOrder: String {
        listening.with { $0.mode } == .peer
            ? "among peers only peers may start programs; run `potluck peer` on this laptop, and launch again"
            : "guests may not start programs here; the host can allow it with --guests submit"
    }

    /// A frame does not fit, so the program ends.
    private func ended(_ key: SessionPrograms.Key, _ fault: RankError) {
        if let attempt = programs.attempts[key.launch] { return attempt.end(fault) }
        if let site = programs.sites[key.launch], site.lead != key.node { return site.fail(fault) }
        if let stream = programs.streams[key] { send(.closed(fault.description), key.launch, along: stream.route) }
        programs.forget(key.launch)
    }

    // MARK: routes

    /// How frames get to a node; nil if they cannot.
    func route(to other: NodeID, relay: NodeID?) -> RankStream.Route? {
        if let name = engine.link(to: other), let link = links[name] {
            return RankStream.Route(link: link.id, target: nil)
        }
        guard let relay, let name = engine.link(to: relay), let link = links[name] else { return nil }
        return RankStream.Route(link: link.id, target: other)
    }

    func stream(
        _ launch: UInt64, along route: RankStream.Route, nodes: Int = RankFrame.mostNodes, room: SharedRoom? = nil
    ) -> RankStream {
        RankStream(launch, route, nodes: nodes, room: room) { [transport] frame, link in
            Self.send(frame, link, transport)
        }
    }

    func send(_ content: RankFrame.Content, _ launch: UInt64, along route: RankStream.Route) {
        Self.send(
            RankFrame(launch: launch, target: route.target, content: content), route.link, carrier(of: route.link))
    }

    private static func send(_ frame: RankFrame, _ link: LinkID, _ transport: any Transport) {
        let message = PotluckCore.Message.ranks(frame)
        transport.send(message.encoded(), on: link, lane: message.lane, reliability: .reliable)
    }

    /// A link has ended.
    func lost(_ link: LinkID) { programs.lost(link) }

    /// A link broke, or the node at its other end has come back over another one. That node has forgotten the programs whose
    /// frames this node passes on, and a roster may never say that it was away.
    func broke(_ link: LinkID) {
        for (launch, relay) in programs.relays {
            guard let gone = relay.member(at: link) else { continue }
            for other in relay.members where other != gone { tell(other, that: gone, isLostTo: launch) }
            if gone == relay.lead { orphan(launch, relay) }
        }
    }

    /// A peer is not connected any more. Its own link, if there was one, has ended already.
    func lost(_ other: NodeID) {
        programs.lost { key, route in key.node == other && route.target == other }
        for (launch, relay) in programs.relays where relay.lead == other { orphan(launch, relay) }
    }

    /// The launcher of a program whose frames this node passes on is gone.
    private func orphan(_ launch: UInt64, _ relay: RankRelay) {
        programs.relays[launch] = nil
        guard var show = relay.shown else { return }
        show.state = .failed("the connection to \(show.launcher) broke, which launched it")
        emit(.program(launch, show))
        if let link = relay.link(of: relay.lead) { tellOthers(show, launch, of: relay.lead, link) }
    }

    private func name(of other: NodeID) -> String { knownName(of: other) ?? other.short }

    private func knownName(of other: NodeID) -> String? {
        engine.peers.first { $0.node == other }?.displayName ?? programs.guests?.first { $0.node == other }?.name
    }

    /// The server reports its guests. Those that this node reaches only through it may be gone.
    func took(_ entries: [RosterEntry]) {
        let guests = entries.filter { $0.isConnected && !$0.isBrowser && $0.node != node }
        programs.guests = guests
        let present = Set(guests.map(\.node))
        programs.lost { _, route in route.target.map { !present.contains($0) } ?? false }
    }

    // MARK: passing on

    private func open(_ launch: UInt64, _ nodes: [NodeID], for lead: NodeID, _ link: LinkID) {
        let route = RankStream.Route(link: link, target: nil)
        guard engine.mayOrder(lead) else {
            return send(.closed(mayNotOrder), launch, along: route)
        }
        guard programs.relays[launch] == nil, programs.mayRelay(for: lead), engine.role == .hosts else {
            return send(.closed(Self.tooMany), launch, along: route)
        }
        var relay = RankRelay(lead: lead, nodes: nodes)
        relay.uses(link, of: lead)
        programs.relays[launch] = relay
        send(.opened, launch, along: route)
    }

    private func passOn(_ frame: RankFrame, from sender: NodeID, _ origin: LinkID, to target: NodeID) {
        guard programs.relays[frame.launch]?.passes(frame.content, from: sender, to: target) == true else { return }
        if let name = engine.link(to: target), let link = links[name] {
            programs.relays[frame.launch]?.uses(link.id, of: target)
            return pass(
                RankFrame(launch: frame.launch, origin: sender, content: frame.content), from: origin, to: link.id)
        }
        // Otherwise the sender would wait for ever. A frame that closes needs no answer.
        if case .closed = frame.content { return }
        tell(sender, that: target, isLostTo: frame.launch)
    }

    private func pass(_ frame: RankFrame, from origin: LinkID, to link: LinkID) {
        let message = PotluckCore.Message.ranks(frame)
        carrier(of: link).pass(message.encoded(), from: origin, to: link, lane: message.lane)
    }

    /// Tells a node of a program, in the name of another one, that no frames get there any more.
    private func tell(_ node: NodeID, that gone: NodeID, isLostTo launch: UInt64) {
        guard let name = engine.link(to: node), let link = links[name] else { return }
        let content = RankFrame.Content.closed("not connected to \(self.name) any more")
        Self.send(RankFrame(launch: launch, origin: gone, content: content), link.id, transport)
    }

    private func closed(_ key: SessionPrograms.Key, _ why: String, by sender: NodeID) {
        if let attempt = programs.attempts[key.launch] { return attempt.closed(why, by: key.node) }
        if programs.relays[key.launch]?.lead == sender { programs.relays[key.launch] = nil }
        guard let site = programs.sites[key.launch] else {
            programs.streams[key] = nil
            return
        }
        if site.lead == key.node { programs.forget(key.launch) } else { site.lost(key.node) }
    }

    // MARK: what everybody sees

    private func show(
        _ octets: [UInt8], _ launch: UInt64, from origin: NodeID, through sender: NodeID, _ link: LinkID
    ) {
        guard origin != sender || engine.mayOrder(sender), programs.takesShow(at: clock.now),
            case .show(var show)? = try? RankItem(octets[...])
        else { return }
        // A node that is known here has the name that everybody sees.
        if let known = knownName(of: origin) { show.launcher = known }
        emit(.program(launch, show))
        // The lead tells one server or peer, which tells the others. The last picture may come after the launch is over.
        guard origin == sender else { return }
        programs.relays[launch]?.shown = show.state == .running ? show : nil
        tellOthers(show, launch, of: origin, link)
    }

    /// - Parameter link: the lead's.
    private func tellOthers(_ show: RankShow, _ launch: UInt64, of lead: NodeID, _ origin: LinkID) {
        let octets = RankItem.show(show).encoded()
        guard octets.count <= RankFrame.longestShow else { return }
        for peer in engine.peers where peer.node != lead {
            guard let name = engine.link(to: peer.node), let link = links[name] else { continue }
            pass(RankFrame(launch: launch, origin: lead, content: .show(octets)), from: origin, to: link.id)
        }
    }

    // MARK: taking part

    private func begin(_ order: RankOrder, _ key: SessionPrograms.Key, _ own: RankStream) {
        let ranks = order.map.ranks(of: order.own).count
        guard order.nodes[order.own] == node else { return ended(key, .misfit) }
        func refuse(_ why: String) {
            own.send(.fault(RankEnding(why: why)))
            // No other node may continue a program that this one has refused, and nothing of it stays.
            programs.forget(key.launch)
        }
        let cores = programs.cores
        guard cores > 0 else { return refuse("it lends no cores; start it without --no-compute") }
        guard ranks <= RankLimits.ranksPerCore * cores else {
            return refuse(
                "it takes at most \(RankLimits.ranksPerCore * cores) ranks on its \(cores) "
                    + "\(cores == 1 ? "core" : "cores"); launch fewer, or place them with --map")
        }
        own.serves(nodes: order.nodes.count)
        var others: [RankStream?] = []
        for (place, other) in order.nodes.enumerated() {
            guard place != order.own else {
                others.append(nil)
                continue
            }
            guard let route = route(to: other, relay: order.relay) else {
                return refuse("it cannot reach \(name(of: other)), another laptop of the program")
            }
            let stream = stream(key.launch, along: route, nodes: order.nodes.count)
            programs.streams[SessionPrograms.Key(launch: key.launch, node: other)] = stream
            others.append(stream)
        }
        let site = RankSite(
            order, lead: key.node, own: own, others: others, cores: cores, priority: programs.priority)
        programs.sites[key.launch] = site
        let plugins = programs.plugins
        BlockingWork.run { site.prepared(plugins.rankProgram(order)) }
    }
}
