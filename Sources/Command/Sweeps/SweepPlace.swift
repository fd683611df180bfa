import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// A way from this command to a session, for several jobs at a time.
protocol SweepPlace: Sendable {
    /// An order that comes again with the same ticket, because its answer was lost, is the same job.
    func submit(_ order: JobOrder, _ ticket: JobTicket) async throws(JobFailed) -> JobID
    /// Cancels the job that was ordered with this ticket. Throws if it was not cancelled.
    func cancel(_ job: JobID, _ ticket: JobTicket) async throws(JobFailed)
    func leave() async
}

extension SweepPlace {
    /// Cancels a job, or says why it was not cancelled. `name` is how the user knows it.
    func cancel(_ job: JobID, _ ticket: JobTicket, named name: String) async {
        do throws(JobFailed) {
            try await cancel(job, ticket)
        } catch {
            Output.complain("\(name) was not cancelled: \(error.description)")
        }
    }
}

/// News of a place.
enum PlaceNews: Sendable {
    case job(JobEvent)
    /// Orders can be given from now on, or no more.
    case link(Bool)
    /// The session has ended for this command.
    case ended(why: String)
}

/// The parts of an order that all points of a sweep share.
struct SweepCargo: Sendable {
    let module: [UInt8]?
    let tables: [Table]
}

/// A guest of the session that computes nothing.
final class GuestPlace: SweepPlace {
    private let session: Session
    private let cargo: SweepCargo

    init(
        _ id: SessionID, _ arguments: Arguments, _ directory: StateDirectory, _ cargo: SweepCargo,
        _ tell: @escaping @Sendable (PlaceNews) -> Void
    ) async throws {
        session = try await Visit.start(id, arguments, directory)
        self.cargo = cargo
        // Stdout is for the points.
        Visit.follow(session, id, say: { Visit.say($0) }) { news in
            switch news {
            case .event(.job(let event)): tell(.job(event))
            case .event: break
            case .link(let hasLink): tell(.link(hasLink))
            case .ended(let why): tell(.ended(why: why))
            }
        }
    }

    func submit(_ order: JobOrder, _ ticket: JobTicket) async throws(JobFailed) -> JobID {
        try await session.submit(order, ticket: ticket, module: cargo.module, tables: cargo.tables)
    }

    func cancel(_ job: JobID, _ ticket: JobTicket) async throws(JobFailed) {
        try await session.command(.cancel, job, ticket: ticket)
    }

    func leave() async { await session.leave() }
}

/// A node of the session that runs on this machine. Each job has a connection to it.
final class NeighbourPlace: SweepPlace {
    private let id: SessionID
    private let directory: StateDirectory
    private let cargo: SweepCargo
    /// The file with the tables; nil if there are none.
    private let tables: String?
    private let tell: @Sendable (PlaceNews) -> Void

    /// Returns nil if no node of the session runs on this machine.
    init?(
        _ id: SessionID, _ directory: StateDirectory, _ cargo: SweepCargo,
        _ tell: @escaping @Sendable (PlaceNews) -> Void
    ) throws {
        switch try directory.attempt(.name, of: id) {
        case nil: return nil
        case .refused(let why): throw Failure(message: why)
        case .done, .streams: break
        }
        (self.id, self.directory, self.cargo, self.tell) = (id, directory, cargo, tell)
        tables = try directory.handOver(cargo.tables)
        tell(.link(true))
    }

    func submit(_ order: JobOrder, _ ticket: JobTicket) async throws(JobFailed) -> JobID {
        let request = ControlRequest.order(order, ticket, cargo.module, tables: tables)
        let answer: Result<JobID, JobFailed> = await withCheckedContinuation { told in
            // The answer may take half a minute.
            SystemThread(for: "an order") { [self] in told.resume(returning: give(request)) }.detach()
        }
        return try answer.get()
    }

    private func give(_ request: ControlRequest) -> Result<JobID, JobFailed> {
        do {
            guard let client = try WatchClient.open(request, id, directory), let job = client.job else {
                return .failure(hasEnded)
            }
            client.follow { [tell] in tell(.job($0)) }
            return .success(job)
        } catch {
            return .failure(JobFailed(error))
        }
    }

    private var hasEnded: JobFailed { JobFailed("the node of \(id.name) on this machine has ended") }

    func cancel(_ job: JobID, _ ticket: JobTicket) async throws(JobFailed) {
        let answer: ControlAnswer?
        do {
            answer = try directory.attempt(.command(.cancel, job.text), of: id)
        } catch {
            throw JobFailed(error)
        }
        switch answer {
        case .done?, .streams?: break
        case .refused(let why)?: throw JobFailed(why)
        case nil: throw hasEnded
        }
    }

    func leave() async { if let tables { unlink(tables) } }
}

extension JobFailed {
    fileprivate init(_ error: any Error) { self.init((error as? Failure)?.message ?? "\(error)") }
}
