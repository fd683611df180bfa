import PotluckEngine
import PotluckKit
import PotluckModel

public typealias JobCommand = PotluckModel.JobCommand
public typealias JobID = PotluckModel.JobID
public typealias JobNews = PotluckEngine.JobNews
public typealias JobOrder = PotluckModel.JobOrder
public typealias JobResult = PotluckModel.JobResult
public typealias JobSnapshot = PotluckModel.JobSnapshot
public typealias JobTicket = PotluckModel.JobTicket

/// What a session tells about a job.
public enum JobEvent: Sendable, Hashable {
    /// How it stands. Whoever reads slowly misses some, and has the newest.
    case snapshot(JobSnapshot)
    /// What it came to, and whether this node coordinated it.
    case finished(JobID, JobResult, isOurs: Bool)
    /// It came to nothing: why, in one line.
    case failed(JobID, String)
    /// Its coordinator is gone or says nothing of it, and nobody here knows what becomes of it.
    case lost(JobID)
    case news(JobNews)
}

extension Session {
    /// How long an answer about a job is waited for: a simulation may have to be compiled first.
    static let patience: Duration = .seconds(30)

    /// Has a job computed by everybody who is here: a server or a peer coordinates it itself, a client asks its server.
    ///
    /// It goes on without this node. Whoever has the ticket may cancel it later. `module` is what computes it on nodes in which
    /// the simulation is not built in, `tables` what it takes from files; they get both from here. Where the order says that what
    /// is written is wanted, `output` gives it at the end.
    public func submit(
        _ order: JobOrder, ticket: JobTicket = .random(), module: [UInt8]? = nil, tables: [Table] = []
    ) async throws(JobFailed) -> JobID {
        var order = order
        if let module {
            guard let named = put(module) else {
                throw JobFailed(
                    "the module has \(module.count) bytes; a session takes 1 to \(BlobReference.largestModule / 1024) KiB"
                )
            }
            order.module = named
        }
        if let obstacle = tables.obstacle { throw JobFailed(obstacle) }
        order.payload = try put(tables, ticket)
        do throws(JobFailed) {
            let job = try await answer(to: .order(order, ticket))
            settled(ticket, order.payload, as: job)
            return job
        } catch {
            settled(ticket, order.payload, as: nil)
            throw error
        }
    }

    /// What a job has written that was ordered here, and whose result is there. Waits until it is here.
    public func output(of id: JobID, _ result: JobResult) async throws(JobFailed) -> JobOutput {
        guard let blob = result.output else { return JobOutput() }
        let reply = await reply(to: .output(id, blob), patience: nil)
        switch reply.answer {
        case .output:
            guard let output = reply.output else { throw JobFailed("the output is no longer available") }
            return output
        case .taken, .takenOver: preconditionFailure("nobody asked for that")
        case .refused(let why): throw JobFailed(why)
        }
    }

    /// Pauses, resumes or cancels a job. A host may do so with every job, others with what they ordered.
    public func command(_ command: JobCommand, _ id: JobID, ticket: JobTicket? = nil) async throws(JobFailed) {
        _ = try await answer(to: .command(command, id, ticket: ticket))
    }

    private func answer(to request: JobRequest) async throws(JobFailed) -> JobID {
        switch await reply(to: request).answer {
        case .taken(let id): return id
        case .takenOver, .output: preconditionFailure("nobody asked for that")
        case .refused(let why): throw JobFailed(why)
        }
    }

    /// Goes on with the jobs of coordinators that are gone, as far as this node holds replicas of them, and tells how many.
    /// Among peers that happens by itself.
    public func takeOver() async throws(JobFailed) -> Int {
        switch await reply(to: .takeOver).answer {
        case .takenOver(let count): return count
        case .taken, .output: preconditionFailure("nobody ordered anything")
        case .refused(let why): throw JobFailed(why)
        }
    }

    /// Without patience somebody else looks whether the answer will come.
    private func reply(to request: JobRequest, patience: Duration? = patience) async -> Reply {
        await withCheckedContinuation { continuation in ask(request, patience: patience, continuation) }
    }

    /// How many cores compute from now on.
    public func setCores(_ cores: Int) { change(cores: cores) }
}

extension JobTicket {
    public static func random() -> JobTicket {
        var chance = SystemRandomNumberGenerator()
        let octets = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
        guard let ticket = JobTicket(octets) else { preconditionFailure("sixteen octets are a ticket") }
        return ticket
    }
}
