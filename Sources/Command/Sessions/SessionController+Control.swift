import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// Answers the requests of other commands on this machine.
extension SessionController {
    func leave() { Task { [session] in await session.leave() } }

    /// Returns the answer. A command that watches jobs receives events over `guest` from then on.
    func answer(_ request: LocalRequest, _ guest: LocalSocket) async -> LocalMessage {
        switch request.message {
        case .say(let text, let name): return await say(text, to: name)
        case .kick(let name): return await kick(name)
        case .command(let command, let text): return await perform(command, text)
        case .link(.job(.order(let order, let ticket, _))): return await take(order, ticket, request, guest)
        case .watch:
            watch(guest, nil)
            return .events(nil)
        case .takeOver: return await takeOver()
        case .name: return .done(id.name)
        case .access: return sessionAccess
        case .allow(let node): return await allow(node)
        case .page(let isNew, let isForViewing):
            return await pageAddress(isForViewing ? .view : .lend, isNew: isNew)
        case .hostPage(let isNew, let isRevoked): return await hostPage(isNew: isNew, isRevoked: isRevoked)
        default: return .refused(ControlDoor.unknown)
        }
    }

    /// Submits a job for a command, which hears of it from then on.
    private func take(
        _ order: JobOrder, _ ticket: JobTicket, _ request: LocalRequest, _ guest: LocalSocket
    ) async -> LocalMessage {
        let withdrawal = withdraw(ticket, ifGone: guest)
        defer { withdrawal.cancel() }
        guard let tables = request.payload.isEmpty ? [] : [Table](payload: request.payload) else {
            return .refused("the job's tables are damaged")
        }
        do throws(JobError) {
            let job = try await session.submit(
                order, ticket: ticket, module: request.module.isEmpty ? nil : request.module, tables: tables)
            state.with { $0.own[job] = ticket }
            keep(job)
            watch(guest, job, collects: order.collects)
            // The job may be over before its first event arrives here.
            if let outcome = state.with({ $0.board.outcome(job) }) { handOver(job, outcome.result) }
            return .events(job)
        } catch {
            return .refused(error.description)
        }
    }

    /// How often to look whether a command that ordered a job is still there.
    private static let glance = Duration.milliseconds(250)

    /// Cancels an order when the command that gave it ends before the answer, as by Ctrl-C.
    private func withdraw(_ ticket: JobTicket, ifGone guest: LocalSocket) -> Task<Void, Never> {
        Task { [session] in
            while true {
                try? await Task.sleep(for: Self.glance)
                if Task.isCancelled { return }
                guard guest.isAbandoned else { continue }
                await session.withdraw(ticket)
                return
            }
        }
    }

    /// Adds a viewer, and tells it the solutions and the programs that are known.
    private func watch(_ guest: LocalSocket, _ job: JobID?, collects: Bool = false) {
        state.with { feeds.add(guest, job, collects: collects, $0.board) }
        for solution in solutions.known { feeds.send(solution) }
        for program in programs.story { feeds.send(program) }
    }

    func say(_ text: String, to name: String?) async -> LocalMessage {
        let (hearers, names) = state.with { ($0.scene.hearers, $0.scene.names) }
        let viewers = page?.gateway.viewers.count ?? 0
        guard !names.isEmpty || viewers > 0 else { return .refused("no other node is connected to \(id.name)") }
        guard text.utf8.count <= Session.maximumText else {
            return .refused("the message has \(text.utf8.count) bytes; at most \(Session.maximumText) are allowed")
        }
        var recipients = Recipients.everyone
        if let name {
            switch NameFinder.find(name, among: names) {
            case .nobody(let reason): return .refused(reason)
            case .found(let node):
                guard hearers.now[node] != nil || hearers.later[node] != nil else {
                    return .refused("\(names[node] ?? name) is a page, and pages show only what you say to all")
                }
                recipients = .some([node])
            }
        }
        await session.say(text, to: recipients)
        if name == nil { page?.gateway.say(text, by: session.name) }
        let now = clock.now
        state.with { $0.scene.add(.init("you: \(text)", saidAt: now)) }
        return .done(hearers.words(recipients, viewers: name == nil ? viewers : 0))
    }

    func kick(_ name: String) async -> LocalMessage {
        let (names, mode) = state.with { ($0.scene.names, $0.scene.mode) }
        guard mode != .client else {
            return .refused("only the host of \(id.name) can remove nodes, and the node on this machine is a guest")
        }
        switch NameFinder.find(name, among: names) {
        case .nobody(let reason): return await kickViewer(name) ?? .refused(reason)
        case .found(let node):
            await session.remove(node)
            let shown = names[node] ?? name
            return .done("removed \(shown); you must approve any node that joins from one of its addresses")
        }
    }

    /// How others can join the session. A guest that has never been connected may have wrong words.
    private var sessionAccess: LocalMessage {
        let (mode, wasConnected) = state.with { ($0.scene.mode, $0.scene.wasConnected) }
        guard let access, mode != .client || wasConnected else {
            return .refused("the node on this machine has not reached \(id.name) yet")
        }
        return SessionAccess(node: session.node, isHost: mode != .client, port: session.port, code: access.code).message
    }

    /// Lets a node that this user has started start programs and jobs, and admits it if it waits for that.
    private func allow(_ node: NodeID) async -> LocalMessage {
        guard state.with({ $0.scene.mode }) != .client else {
            return .refused("the node on this machine is a guest, and only the host of \(id.name) can allow it")
        }
        switch await session.peers.first(where: { $0.node == node })?.state {
        case .connecting(.ourUser)?:
            await session.allow(.submits, node)
            await session.accept(node)
        case .connected?, .suspect?: await session.allow(.submits, node)
        case .connecting?, .available?, .gone?, nil: return .refused("it has not connected yet")
        }
        return .done("")
    }

    private func takeOver() async -> LocalMessage {
        guard state.with({ $0.scene.mode }) != .client else {
            return .refused(
                "the node on this machine is a guest and holds no jobs; start the server of \(id.name) again on its machine"
            )
        }
        do throws(JobError) {
            let count = try await session.takeOver()
            return .done(count == 1 ? "took over 1 job" : "took over \(count) jobs")
        } catch {
            return .refused(error.description)
        }
    }

    func perform(_ command: JobCommand, _ text: String?) async -> LocalMessage {
        switch state.with({ $0.board.find(text, ordered: $0.own.keys) }) {
        case .none(let why): return .refused(why)
        case .job(let job): return await perform(command, of: job)
        }
    }

    func perform(_ command: JobCommand, of job: JobID) async -> LocalMessage {
        let ticket = state.with { $0.own[job] } ?? TicketStore.ticket(of: job, in: directory)
        do throws(JobError) {
            try await session.command(command, job, ticket: ticket)
            return .done("job \(job) \(command.done)")
        } catch {
            return .refused(error.description)
        }
    }
}

extension JobCommand {
    /// What happened to the job, as the end of a sentence.
    var done: String {
        switch self {
        case .pause: "is paused"
        case .resume: "is resumed"
        case .cancel: "is cancelled"
        case .reveal: "shows its exact answers"
        case .hide: "hides its exact answers"
        case .prioritize(let priority): "has \(priority.rawValue) priority"
        }
    }
}
