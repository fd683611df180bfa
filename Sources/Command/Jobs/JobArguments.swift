import Potluck
import PotluckArguments
import PotluckKit
import PotluckModel

/// How a job is computed in a session, beside what it computes.
enum JobArguments {
    static let workers = Option("wait-for", "N", "begin when N nodes can compute it; 1 unless you say") {
        (text) throws(ValueError) -> Int in
        guard let count = Int(text), (1...JobOrder.mostWorkers).contains(count) else {
            throw ValueError("not a number of nodes from 1 to \(JobOrder.mostWorkers)")
        }
        return count
    }
    static let delay = Option("start-in", "TIME", "begin after 10s, 2m or 1h") {
        (text) throws(ValueError) -> Duration in
        let delay = try Quantities.duration(text)
        guard delay <= JobOrder.longestDelay else { throw ValueError("a day at most") }
        return delay
    }
    static let nodes = Option("nodes", "NAME,…", "only nodes of these names compute it") {
        (text) throws(ValueError) -> [String] in
        let names = text.split(separator: ",").map { $0.trimmed }
        guard !names.isEmpty, names.count <= JobOrder.mostNames, names.allSatisfy(Announcement.isValid(name:)) else {
            throw ValueError("not names; write ana,bob")
        }
        return names
    }
    static let hideExact = Flag("hide-exact", "show exact answers only when e is pressed: a class guesses first")

    static let options = [workers.declaration, delay.declaration, nodes.declaration]

    static func order(_ plan: RunPlan, collects: Bool, _ arguments: Arguments) throws -> JobOrder {
        let experiment: Experiment
        do throws(ParameterError) {
            experiment = try plan.simulation.experiment(
                parameters: plan.parameters, tables: plan.tables, seed: plan.seed)
        } catch {
            throw Failure(message: "\(plan.simulation.name) cannot be run with these parameters")
        }
        return JobOrder(
            experiment: experiment, goal: plan.goal, workers: try arguments[workers] ?? 1,
            delay: try arguments[delay] ?? .zero, nodes: try arguments[nodes] ?? [], collects: collects)
    }
}
