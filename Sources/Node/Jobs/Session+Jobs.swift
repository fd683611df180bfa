import PotluckCore
import PotluckEngine
import PotluckKit

public typealias JobCommand = PotluckCore.JobCommand
public typealias JobEvent = PotluckCore.JobEvent
public typealias JobID = PotluckCore.JobID
public typealias JobNews = PotluckCore.JobNews
public typealias JobOrder = PotluckCore.JobOrder
public typealias JobResult = PotluckCore.JobResult
public typealias JobSnapshot = PotluckCore.JobSnapshot
public typealias JobTicket = PotluckCore.JobTicket
public typealias Priority = PotluckCore.Priority

extension Session {
    /// The timeout for an answer about a job. It allows for compiling a simulation first.
    static let patience: Duration = .seconds(30)
    /// The least speed of tables in bytes a second: 2 Mbit/s, as a bad Wi-Fi has.
    private static let slowest = 250_000

    /// The timeout for an order whose tables have this many bytes: the coordinator fetches them before it answers.
    public static func patience(forTables octets: Int) -> Duration { patience + .seconds(octets / slowest) }

    /// Submits a job, which all nodes of the session compute. A server or a peer coordinates the job itself; a client
    /// asks its server.
    ///
    /// The job continues if this node leaves. Its ticket authorizes cancelling it later. `module` computes the job on
    /// nodes without the built-in simulation, and `tables` are its input; other nodes fetch both from this node. If the
    /// order asks for the output, `output` returns it at the end.
    public func submit(
        _ order: JobOrder, ticket: JobTicket = .random(), module: [UInt8]? = nil, tables: [Table] = []
    ) async throws(JobError) -> JobID {
        var order = order
        if let module {
            guard let named = put(module) else {
                throw JobError(
                    "the module has \(module.count) bytes; a session takes 1 to \(BlobReference.largestModule / 1024) KiB"
                )
            }
            order.module = named
        }
        if let obstacle = tables.obstacle { throw JobError(obstacle) }
        order.payload = try put(tables, ticket)
        do throws(JobError) {
            let patience = Self.patience(forTables: order.payload?.size ?? 0)
            let job = try await answer(to: .order(order, ticket), patience: patience)
            settled(ticket, order.payload, as: job)
            return job
        } catch {
            settled(ticket, order.payload, as: nil)
            throw error
        }
    }

    /// Returns the output of a finished job that was submitted here. Waits until the output has arrived.
    public func output(of id: JobID, _ result: JobResult) async throws(JobError) -> JobOutput {
        guard let blob = result.output else { return JobOutput() }
        let reply = await reply(to: .output(id, blob), patience: nil)
        switch reply.answer {
        case .output:
            guard let output = reply.output else { throw JobError("the output is no longer available") }
            return output
        case .taken, .takenOver, .jobs: preconditionFailure("the engine answered another request")
        case .refused(let why): throw JobError(why)
        }
    }

    /// Pauses, resumes or cancels a job. A host may command every job, other nodes only those that they submitted.
    public func command(_ command: JobCommand, _ id: JobID, ticket: JobTicket? = nil) async throws(JobError) {
        _ = try await answer(to: .command(command, id, ticket: ticket))
    }

    private func answer(
        to request: JobRequest, patience: Duration = patience
    ) async throws(JobError) -> JobID {
        switch await reply(to: request, patience: patience).answer {
        case .taken(let id): return id
        case .takenOver, .output, .jobs: preconditionFailure("the engine answered another request")
        case .refused(let why): throw JobError(why)
        }
    }

    /// Resumes the jobs of lost coordinators that this node holds replicas of. Returns their number. Among peers this
    /// happens automatically.
    public func takeOver() async throws(JobError) -> Int {
        switch await reply(to: .takeOver).answer {
        case .takenOver(let count): return count
        case .taken, .output, .jobs: preconditionFailure("the engine answered another request")
        case .refused(let why): throw JobError(why)
        }
    }

    /// Returns all open jobs of the session, each with its simulation's name. Waits until every connected coordinator has
    /// announced its jobs, so that none is missing.
    public func openJobs() async throws(JobError) -> [JobID: String] {
        switch await reply(to: .jobs).answer {
        case .jobs(let open): return open
        case .taken, .takenOver, .output: preconditionFailure("the engine answered another request")
        case .refused(let why): throw JobError(why)
        }
    }

    /// Without `patience` there is no timeout; the engine then reports if no answer will come.
    private func reply(to request: JobRequest, patience: Duration? = patience) async -> Reply {
        await withCheckedContinuation { continuation in ask(request, patience: patience, continuation) }
    }

    /// Gives the guess of a page to the coordinator of a job that has not begun.
    public func guess(_ guess: Guess, of id: JobID) { handle(.guessed(id, guess)) }

    /// Sets the number of cores that compute.
    public func setCores(_ cores: Int) { change(cores: cores) }
}

extension JobTicket {
    public static func random() -> JobTicket {
        var chance = SystemRandomNumberGenerator()
        let octets = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
        guard let ticket = JobTicket(octets) else { preconditionFailure("a ticket has 16 octets") }
        return ticket
    }
}
