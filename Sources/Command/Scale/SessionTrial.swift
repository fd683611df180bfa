import Potluck
import PotluckCore
import PotluckScreen

/// Computes jobs of a session one after another, each on the first few of some nodes.
final class SessionTrial: Sendable {
    private enum Input: Sendable {
        case place(ClientEvent)
        case stop
    }

    private let names: [String]
    private let guest: GuestSession
    private let place: any SessionClient
    private let inputs: AsyncStream<Input>

    /// Takes part in the session until `end`.
    init(
        in typed: SessionID, on names: [String], _ cargo: JobCargo, _ arguments: Arguments
    ) async throws {
        if let obstacle = cargo.tables.obstacle { throw Failure(message: obstacle) }
        let (inputs, queue) = AsyncStream.makeStream(of: Input.self)
        guest = try await GuestSession(typed, arguments)
        place = try await guest.client(cargo) { queue.yield(.place($0)) }
        (self.names, self.inputs) = (names, inputs)
        Interrupts.stop { queue.yield(.stop) }
        if Interrupts.asked != nil { queue.yield(.stop) }
        try await link()
    }

    func end() async {
        await place.leave()
        guest.end()
    }

    /// Waits until orders can be given.
    private func link() async throws {
        for await input in inputs {
            switch input {
            case .place(.link(true)), .stop: return
            case .place(.ended(let why)): throw Failure(message: why)
            case .place: break
            }
        }
    }

    /// Computes an experiment on the first nodes. Returns nil if the user stopped it.
    func result(of experiment: Experiment, _ goal: Goal, on count: Int) async throws -> JobResult? {
        guard Interrupts.asked == nil else { return nil }
        var order = JobOrder(JobRecipe(experiment: experiment, goal: goal), workers: count)
        (order.nodes, order.takesBrowsers) = (Array(names.prefix(count)), false)
        // The same order may come again, and is another job then.
        let ticket = JobTicket.random()
        let job: JobID
        do throws(JobError) {
            job = try await place.submit(order, ticket)
        } catch {
            throw Failure(message: error.description)
        }
        var told: String?
        for await input in inputs {
            switch input {
            case .stop:
                await place.cancel(job, ticket, named: "job \(job)")
                return nil
            case .place(.ended(let why)): throw Failure(message: why)
            case .place(.job(.finished(job, let result, _))):
                return result.completion == .stopped ? nil : result
            case .place(.job(.snapshot(let snapshot))) where snapshot.id == job:
                if case .failed(let why) = snapshot.state { throw Failure(message: "\(why)") }
                let wait = snapshot.state == .waiting(.simulation) ? nil : snapshot.state.waitWords
                if let wait, wait != told { Output.complain("\(snapshot.spec.experiment.simulation.name): \(wait)") }
                told = wait ?? told
            case .place(.job(.failed(job, let why))): throw Failure(message: "\(why)")
            case .place(.job(.lost(job))), .place(.cut(job)): throw Failure(message: LostContact.givenUp("job \(job)"))
            case .place: break
            }
        }
        return nil
    }
}
