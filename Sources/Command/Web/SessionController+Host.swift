import Potluck
import PotluckCore
import PotluckKit
import PotluckNet
import PotluckScreen

/// What the host's page asks for. Each request does what a command of the terminal does.
extension SessionController {
    /// Returns the address of the host's page, or makes it worth nothing.
    func hostPage(isNew: Bool, isRevoked: Bool) async -> LocalMessage {
        guard let page else {
            return .refused("\(id.name) has no page on this machine; start the node with --web")
        }
        do throws(Failure) {
            if isRevoked {
                guard page.gateway.tickets.host != nil else { return .refused("\(id.name) has no page for its host") }
                try await page.remakeHost(nil)
                return .done("the address of the host's page is worth nothing any more")
            }
            if isNew || page.gateway.tickets.host == nil {
                try await page.remakeHost(.random())
                showGallery(page)
            }
        } catch {
            return .refused(error.message)
        }
        return .done(page.address(.host, port: session.port))
    }

    func watchHost(_ page: SessionPage) {
        page.watchRequests { [weak self] request, sender in
            if case .script(let request) = request {
                page.scripts.take(request) { page.gateway.answer($0, to: sender) }
                return
            }
            Task {
                switch await self?.perform(request) {
                case .done(let text)?: page.gateway.answer(text, isRefused: false, to: sender)
                case .refused(let why)?: page.gateway.answer(why, isRefused: true, to: sender)
                default: break
                }
            }
        }
        // The ticket may be older than this node.
        if page.gateway.tickets.host != nil { showGallery(page) }
    }

    private func showGallery(_ page: SessionPage) {
        // Describing them takes a moment.
        Task.detached {
            page.gateway.show(
                gallery: page.gallery.map { key, chosen in
                    (key, SimulationJSON.value(chosen.simulation, module: nil))
                })
        }
    }

    /// Tells the host who opens the page.
    func noteHost(_ change: ViewerChange, on page: SessionPage) {
        let line: String
        switch change {
        case .joined, .left, .renamed: return
        case .hostOpened(let address): line = "a browser at \(address) opened the host's page, which is its own now"
        case .hostRefused(let address):
            line =
                "a second device, at \(address), tried to open the host's page and was refused; "
                + "'potluck web \(ShellWord.quoted(id.name)) --host --new' makes another address"
        }
        if case .hostOpened = change {
            do throws(Failure) { try page.keepTickets() } catch { complain(error.message) }
        }
        let isNew = state.with { $0.scene.knocked(.init(line, .warning), at: clock.now) }
        if isNew, !isJSON, !hasScreen { try? say(line) }
    }

    private func perform(_ request: HostRequest) async -> LocalMessage? {
        switch request {
        case .start(let start): return await begin(start)
        // Answers are shown after the end, too.
        case .command(let command, let job): return await perform(command, of: job)
        case .say(let text): return await say(text, to: nil)
        case .accept(let node): return await judge(node, isWelcome: true)
        case .decline(let node): return await judge(node, isWelcome: false)
        case .remove(let name): return await kick(name)
        // The folder of the page answers it.
        case .script: return nil
        }
    }

    private func judge(_ node: NodeID, isWelcome: Bool) async -> LocalMessage {
        guard let peer = state.with({ $0.scene.newcomers.first { $0.node == node } }) else {
            return .refused("nobody of that kind waits for approval")
        }
        if isWelcome { await session.accept(node) } else { await session.decline(node) }
        return .done("\(isWelcome ? "approved" : "declined") \(peer.displayName)")
    }

    /// Starts a job as `potluck run --session` does.
    private func begin(_ start: HostStart) async -> LocalMessage {
        guard let page,
            let chosen = page.gallery.first(where: { $0.key == start.simulation })?.chosen
                ?? page.scripts.simulation(start.simulation)
        else {
            return .refused("there is no simulation called \(Spelling.quoted(start.simulation))")
        }
        do {
            let orders = try HostOrder.orders(start, chosen, hidesExact: task.hidesExact)
            var started: [String] = []
            for order in orders {
                let ticket = JobTicket.random()
                let job: JobID
                do throws(JobError) {
                    job = try await session.submit(order, ticket: ticket, module: chosen.octets)
                } catch {
                    guard !started.isEmpty else { throw error }
                    return .refused("started \(started.count) of \(orders.count) jobs, and then: \(error.description)")
                }
                state.with { $0.own[job] = ticket }
                try? TicketStore.keep(ticket, of: job, in: directory)
                keep(job)
                started.append("\(job)")
            }
            let what = started.count == 1 ? "job" : "jobs"
            return .done("started \(chosen.simulation.name) as \(what) \(started.joined(separator: ", "))")
        } catch let error as UsageError {
            return .refused(error.message)
        } catch let error as Failure {
            return .refused(error.message)
        } catch let error as JobError {
            return .refused(error.description)
        } catch {
            return .refused("\(error)")
        }
    }
}

/// The orders that a page's request makes: one for each combination of the values of its parameters. All texts are read as those of
/// a command line.
enum HostOrder {
    /// The most combinations: half of the jobs that one submitter may have, so that there is room for others.
    static let most = 8
    private static let options =
        RunPlan.options
        + [JobArguments.guess, JobArguments.slow, JobArguments.hideExact].map(\.declaration)
    private static let program = Program(
        "page", version: "", summary: "", commands: [Command("start", "", options: options)])

    static func orders(_ start: HostStart, _ chosen: ChosenSimulation, hidesExact: Bool) throws -> [JobOrder] {
        let limits = [("trials", start.trials), ("until", start.until), ("for", start.time)]
        var words = limits.compactMap { name, text in text.map { "--\(name)=\($0)" } }
        if start.asks { words.append("--guess") }
        if start.isSlow { words.append("--slow") }
        if hidesExact { words.append("--hide-exact") }
        guard case .run(_, let arguments) = try program.parse(["start"] + words) else {
            throw UsageError("a limit is not valid")
        }
        let choices = try ParameterChoices(
            start.parameters.map { ($0.name, $0.value) }, of: chosen.simulation, most: most)
        let (files, seed) = (try RunPlan.Files(chosen.simulation, arguments), Machine.drawSeed())
        let sets = choices.combinations
        return try sets.map { given in
            var plan = try RunPlan(
                chosen.simulation, arguments, given: given, files, cores: Machine.cores, seed: seed)
            // As the points of a sweep: each has a seed of its own.
            if sets.count > 1, chosen.simulation.shape == .tally {
                plan.seed = SweepPoint.seed(from: seed, plan.parameters)
            }
            return try JobArguments.order(plan, collects: false, arguments)
        }
    }
}

extension SessionPage {
    /// What the host's page can start, by its names. A file with the name of another simulation gets a number.
    var gallery: [(key: String, chosen: ChosenSimulation)] {
        var keys: Set<String> = []
        return (builtIns.map { ChosenSimulation($0) } + offered).map { chosen in
            var (key, number) = (chosen.simulation.name, 1)
            while !keys.insert(key).inserted {
                number += 1
                key = "\(chosen.simulation.name) \(number)"
            }
            return (key, chosen)
        }
    }
}
