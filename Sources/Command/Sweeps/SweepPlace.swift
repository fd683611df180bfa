import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckKit
import PotluckModel
import PotluckSystem

/// A way from this command to a session, for several jobs at a time.
protocol SweepPlace: Sendable {
    func submit(_ order: JobOrder) async throws(JobFailed) -> JobID
    func cancel(_ job: JobID) async
    func leave() async
}

/// What a place tells.
enum PlaceNews: Sendable {
    case job(JobEvent)
    /// Orders can be given from now on, or no more.
    case link(Bool)
    /// The session has ended for this command.
    case ended(why: String)
}

/// What all points of a sweep bring to a session.
struct SweepCargo: Sendable {
    let ticket = JobTicket.random()
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
        var scene = SessionScene(session: session, id: id.name, mode: .client, invitation: nil)
        scene.namesAt = { [session] in session.name(at: $0) }
        Self.say(scene.waiting)
        Task { [session, scene] in
            var scene = scene
            let clock = BootClock()
            for await event in session.events {
                if case .job(let event) = event { tell(.job(event)) }
                if let news = scene.apply(event, at: clock.now) { Self.say(news.text) }
                switch event {
                case .peer: tell(.link(scene.hasLink))
                case .trouble(.otherCode), .trouble(.otherCodeAt):
                    if !scene.wasConnected { tell(.ended(why: SessionController.wrongCode(id))) }
                case .ended(.removed): tell(.ended(why: "the host of \(id.name) removed this node"))
                case .ended(.declined): tell(.ended(why: "the host of \(id.name) declined this node"))
                default: break
                }
            }
        }
    }

    /// Prints to stderr, because stdout is for the points.
    private static func say(_ text: String) {
        try? Output.write(Terminal.canvas(of: STDERR_FILENO).text([Line(text)]), to: STDERR_FILENO)
    }

    func submit(_ order: JobOrder) async throws(JobFailed) -> JobID {
        try await session.submit(order, ticket: cargo.ticket, module: cargo.module, tables: cargo.tables)
    }

    func cancel(_ job: JobID) async { try? await session.command(.cancel, job, ticket: cargo.ticket) }

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

    func submit(_ order: JobOrder) async throws(JobFailed) -> JobID {
        let request = ControlRequest.order(order, cargo.ticket, cargo.module, tables: tables)
        let answer: Result<JobID, JobFailed> = await withCheckedContinuation { told in
            // The answer may take half a minute.
            SystemThread(for: "an order") { [self] in told.resume(returning: give(request)) }.detach()
        }
        return try answer.get()
    }

    private func give(_ request: ControlRequest) -> Result<JobID, JobFailed> {
        do {
            guard let client = try WatchClient.open(request, id, directory), let job = client.job else {
                return .failure(JobFailed("the node of \(id.name) on this machine has ended"))
            }
            client.follow { [tell] in tell(.job($0)) }
            return .success(job)
        } catch {
            return .failure(JobFailed((error as? Failure)?.message ?? "\(error)"))
        }
    }

    func cancel(_ job: JobID) async { _ = try? directory.attempt(.command(.cancel, job.text), of: id) }

    func leave() async { if let tables { unlink(tables) } }
}
