import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The options for how a session computes a job.
enum JobArguments {
    static let workers = Option("wait-for", "N", "start when N nodes can compute the job", in: .place, default: "1") {
        (text) throws(ValueError) -> Int in
        guard let count = Int(text), (1...JobOrder.mostWorkers).contains(count) else {
            throw ValueError("must be from 1 to \(JobOrder.mostWorkers)")
        }
        return count
    }
    static let delay = Option("start-in", "TIME", "start after a time: 10s, 2m, 1h", in: .place, default: "now") {
        (text) throws(ValueError) -> Duration in
        let delay = try Quantities.duration(text)
        guard delay <= JobOrder.longestDelay else { throw ValueError("must be at most 1 day") }
        return delay
    }
    static let nodes = Option(
        "nodes", "NAME,…", "compute only on these nodes", in: .place, default: "all nodes", names)

    /// Parses a list of nodes.
    @Sendable static func names(_ text: String) throws(ValueError) -> [String] {
        let names = text.split(separator: ",").map { $0.trimmed }
        guard !names.isEmpty, names.count <= JobOrder.mostNames, names.allSatisfy(Announcement.isValid(name:)) else {
            throw ValueError("not a list of names; use names like ana,bob")
        }
        return names
    }
    static let noBrowsers = Flag("no-browsers", "compute only on nodes that run potluck", in: .place)
    static let guess = Flag(
        "guess", "start paused, with hidden answers, until everybody has guessed on a page", in: .place)
    static let slow = Flag(
        "slow", "begin with 1 trial, 2, 5, 10, each shown for a while; the result is the same", in: .output)
    static let progress = Flag(
        "progress-json", "with --json, also print each tally while it is computed", in: .output)
    static let hideExact = Flag(
        "hide-exact",
        "hide exact answers until you press e, so that a class can guess; a host hides them on every screen",
        in: .output)

    /// Options that need a session, and the time of the start, which does not.
    static let ofSession = [workers.declaration, nodes.declaration, noBrowsers.declaration, guess.declaration]
    static let options = ofSession + [delay.declaration]

    /// Throws if one of these options, which only a session has, is given without a session.
    static func refuse(_ ofSession: [OptionDeclaration], in arguments: Arguments) throws(UsageError) {
        guard let stray = ofSession.first(where: { arguments.has($0) && $0.environment == nil }) else { return }
        throw UsageError("--\(stray.name) applies to a session; name the session with --session SESSION")
    }

    static func order(_ plan: RunPlan, collects: Bool, _ arguments: Arguments) throws -> JobOrder {
        let recipe = JobRecipe(experiment: try plan.experiment(), goal: plan.goal, collects: collects)
        var order = try placed(JobOrder(recipe), arguments)
        order.delay = try arguments[delay] ?? .zero
        order.startsPaused = arguments[guess]
        order.startsSlowly = try startsSlowly(plan, arguments)
        order.hidesExact = arguments[hideExact] || order.startsPaused
        return order
    }

    /// Whether the user wants to see the first trials one after the other. Throws if there are none.
    static func startsSlowly(_ plan: RunPlan, _ arguments: Arguments) throws(UsageError) -> Bool {
        guard arguments[slow] else { return false }
        guard plan.simulation.shape == .tally, plan.prepared.search == nil else {
            throw UsageError("--slow shows the first trials, and \(plan.simulation.name) has none; leave it out")
        }
        return true
    }

    /// Returns the order with what the options say about where it is computed.
    static func placed(_ order: JobOrder, _ arguments: Arguments) throws -> JobOrder {
        var order = order
        order.workers = try arguments[workers] ?? 1
        // A node that starts a job, too, has that option for itself.
        if arguments.has(RunCommand.session.declaration) {
            order.priority = try arguments[ComputeArguments.ownPriority] ?? .normal
        }
        order.nodes = try arguments[nodes] ?? []
        order.takesBrowsers = !arguments[noBrowsers]
        return order
    }
}
