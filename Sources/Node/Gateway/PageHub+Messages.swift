import PotluckCore
import PotluckNet

// What the messages of a page do.
extension PageHub {
    /// Does what a page asks for, and charges the page for the work of this thread. Sending a message costs the page as
    /// much as reading it costs this thread, but an answer or a change that others see may cost more.
    func perform(_ message: PageMessage, of viewer: Viewer, _ visitor: Visitor, at now: Instant) {
        guard viewer.right.allows(message) else { return end(visitor, .brokenRule) }
        let workers = viewer.right == .lend ? setup.workers : nil
        switch (message, workers) {
        case (.join, _), (.lend, nil), (.work, nil): end(visitor, .brokenRule)
        // Its node keeps the name with which it joined, and nobody else may have that one.
        case (.name, _) where viewer.isLending: break
        case (.name(let typed), _):
            guard visitor.deeds.take(at: now) else { return end(visitor, .brokenRule) }
            let name = unique(typed, besides: viewer)
            guard name != viewer.name else { return }
            report(.renamed(viewer.name, to: name))
            viewer.name = name
            workers?.renamed(viewer.page, to: name)
            isChanged = true
        case (.pong, _): break
        case (.results, _):
            // An answer under way starts over, with the runs of now.
            viewer.results = pictures.results.map(\.octets)[...]
            flush(visitor, viewer, at: now)
        case (.guess(let job, let value), _):
            guard visitor.deeds.take(at: now) else { return end(visitor, .brokenRule) }
            // A page may not know yet that the job has begun.
            guard pictures.takesGuesses(of: job) else { return }
            setup.guessed(Guess(page: Guess.page(of: viewer.client), value: value, by: viewer.name), job)
        case (.propose(let script), _):
            guard visitor.deeds.take(at: now) else { return end(visitor, .brokenRule) }
            let isTaken = tickets.host != nil && news.proposals.add(script, by: viewer.name, viewer.client)
            send(.proposed(script.name, isTaken ? .waits : .refused), to: viewer.page, at: now)
            isChanged = true
        case (.judge(let number, let isOpened), _):
            guard visitor.deeds.take(at: now) else { return end(visitor, .brokenRule) }
            judge(number, isOpened: isOpened, for: viewer.page, at: now)
        case (.host(let request), _):
            guard visitor.deeds.take(at: now) else { return end(visitor, .brokenRule) }
            setup.asked(request, viewer.page)
        case (.lend(let cores), let workers?):
            guard visitor.deeds.take(at: now) else { return end(visitor, .brokenRule) }
            viewer.isLending = cores > 0
            workers.lends(viewer.page, cores: cores)
        case (.work(.fetch(let hash, let from)), let workers?):
            // The message itself was counted when it came.
            guard (1..<GatewayLimits.fetch).allSatisfy({ _ in visitor.allowance.take(at: now) }) else {
                return end(visitor, .brokenRule)
            }
            workers.received(.fetch(hash, from: from), from: viewer.page)
        case (.work(let work), let workers?): workers.received(work, from: viewer.page)
        }
    }

    /// Gives the host's page a guest's script, or drops it, and tells the guest.
    private func judge(_ number: Int, isOpened: Bool, for page: PageID, at now: Instant) {
        guard let (script, client) = news.proposals.take(number) else {
            return send(.answer("this file is no longer here", isRefused: true), to: page, at: now)
        }
        isChanged = true
        if isOpened { send(.script(.text(script.text, name: script.name, print: nil)), to: page, at: now) }
        guard let guest = viewers.first(where: { $0.client == client }) else { return }
        send(.proposed(script.name, isOpened ? .opened : .declined), to: guest.page, at: now)
    }

    /// Shows the host's page who waits for approval.
    func show(newcomers: [PageNewcomer]) { if news.show(newcomers) { isChanged = true } }

    /// Shows the host's page what it can start.
    func show(gallery: [GatewayMessage]) {
        news.simulations = gallery.map(\.octets).filter { $0.count <= GatewayLimits.picture }
        isChanged = true
    }
}

/// What only the host's page sees, encoded.
struct HostNews {
    /// The simulations that it can start, each a message.
    var simulations: [[UInt8]] = []
    var proposals = Proposals()
    private(set) var newcomers: (version: UInt64, octets: [UInt8]) = (0, [])

    /// Encodes the nodes that wait for approval. Returns whether they changed.
    mutating func show(_ nodes: [PageNewcomer]) -> Bool {
        let octets = GatewayMessage.newcomers(Array(nodes.prefix(GatewayLimits.newcomers))).octets
        // Nobody is told that there are none before there is one.
        guard octets != newcomers.octets, newcomers.version > 0 || !nodes.isEmpty else { return false }
        newcomers = (newcomers.version + 1, octets)
        return true
    }

    /// The next message that a page has not seen.
    func next(for viewer: Viewer) -> [UInt8]? {
        if viewer.newcomers != newcomers.version {
            viewer.newcomers = newcomers.version
            return newcomers.octets
        }
        if viewer.proposals != proposals.version {
            viewer.proposals = proposals.version
            return proposals.message.octets
        }
        guard viewer.simulations < simulations.count else { return nil }
        viewer.simulations += 1
        return simulations[viewer.simulations - 1]
    }
}
