import Potluck
import PotluckCore
import PotluckRanks
import PotluckSystem

/// A command's way into a session: through a node of it on this machine, or as a guest that computes nothing.
protocol SessionClient: Sendable {
    /// Submits a job. An order that comes again with the same ticket, because its answer was lost, is the same job.
    func submit(_ order: JobOrder, _ ticket: JobTicket) async throws(JobError) -> JobID
    /// Pauses, resumes or cancels the job that was ordered with this ticket.
    func command(_ command: JobCommand, _ job: JobID, _ ticket: JobTicket?) async throws(JobError)
    /// The output of a job that was submitted here and has ended with this result.
    func output(of job: JobID, _ result: JobResult) async throws(JobError) -> JobOutput
    func leave() async
}

extension SessionClient {
    /// Cancels a job, or says why it was not cancelled. `name` is how the user knows it.
    func cancel(_ job: JobID, _ ticket: JobTicket, named name: String) async {
        do throws(JobError) {
            try await command(.cancel, job, ticket)
        } catch {
            Output.complain("\(name) was not cancelled: \(error.description)")
        }
    }
}

/// What a `SessionClient` tells its command.
enum ClientEvent: Sendable {
    case job(JobEvent)
    /// A better solution of a search.
    case solution(FoundSolution)
    case program(FeedProgram)
    /// Another event of the session that the command has joined.
    case session(Session.Event)
    /// Orders can be given from now on, or no more.
    case link(Bool)
    /// Whether the node on this machine answers no more, because it is suspended. Said anew every few seconds.
    case silent(Bool)
    /// The node that told of this job, or of all jobs, has ended.
    case cut(JobID?)
    /// The session has ended for this command.
    case ended(why: String)
}

/// A node of the session that runs on this machine. Each job has a connection to it.
final class NeighbourClient: SessionClient {
    private struct State: Sendable {
        var isOver = false
        /// The connections over which events come.
        var calls: [ObjectIdentifier: LocalCall] = [:]
        var outputs: [JobID: Result<JobOutput, JobError>] = [:]
    }

    private let guest: GuestSession
    private let cargo: JobCargo
    private let tell: @Sendable (ClientEvent) -> Void
    private let state = Guarded(State())

    /// Returns nil if no node of the session runs on this machine.
    init?(_ guest: GuestSession, _ cargo: JobCargo, _ tell: @escaping @Sendable (ClientEvent) -> Void) throws {
        guard try guest.directory.attempt(.name, of: guest.id) != nil else { return nil }
        (self.guest, self.cargo, self.tell) = (guest, cargo, tell)
        tell(.link(true))
    }

    private var hasEnded: JobError { JobError("the node of \(guest.id.name) on this machine has ended") }

    /// Tells of all jobs from now on.
    func watch() throws {
        guard let (_, call) = try guest.directory.call(LocalRequest(.watch), of: guest.id) else { throw hasEnded }
        SystemThread(for: "the events of a node on this machine") { [self] in follow(call, nil, nil) }.detach()
    }

    func submit(_ order: JobOrder, _ ticket: JobTicket) async throws(JobError) -> JobID {
        let output = order.collects ? try JobOutput(in: guest.directory.spool) : nil
        let answer: Result<JobID, JobError> = await withCheckedContinuation { told in
            // The answer may take half a minute, and the events longer.
            SystemThread(for: "an order, and the events of its job") { [self] in
                do {
                    guard let (answer, call) = try give(order, ticket), case .events(let job?) = answer else {
                        return told.resume(returning: .failure(hasEnded))
                    }
                    told.resume(returning: .success(job))
                    follow(call, job, output)
                } catch {
                    told.resume(returning: .failure(JobError(error)))
                }
            }.detach()
        }
        return try answer.get()
    }

    /// Makes an order of a node here, which asks the coordinator. It gives up some seconds before this.
    private func give(_ order: JobOrder, _ ticket: JobTicket) throws(Failure) -> (
        answer: LocalMessage, call: LocalCall
    )? {
        let clock = BootClock()
        let end = clock.now + Session.patience(forTables: cargo.payload.count) + .seconds(10)
        var isAwaited = false
        return try guest.directory.call(LocalRequest(order, ticket, cargo), of: guest.id) {
            if !isAwaited { Output.complain(GuestSession.preparing(in: guest.id)) }
            isAwaited = true
            return clock.now < end
        }
    }

    /// Passes events on until the job is over, the node ends, or this client leaves. Blocks.
    private func follow(_ call: LocalCall, _ job: JobID?, _ output: JobOutput?) {
        state.with { state in
            state.calls[ObjectIdentifier(call)] = call
            if state.isOver { call.giveUp() }
            if let job, let output { state.outputs[job] = .success(output) }
        }
        defer { state.with { _ = $0.calls.removeValue(forKey: ObjectIdentifier(call)) } }
        var jobs = JobsOnWire()
        while let message = call.next(isQuiet: look) {
            switch message {
            case .output(let piece):
                do throws(JobError) { try output?.append(piece) } catch { lose(job, error) }
            case .trouble(let why): lose(job, JobError(why))
            default:
                guard let event = jobs.event(of: message) else { continue }
                tell(event)
                if let job, case .job(let told) = event, told.isEnd(of: job) { return }
            }
        }
        tell(.cut(job))
    }

    /// Asks the node for a sign of life. Nothing may have happened for a while, but a suspended one does not answer.
    private func look() {
        SystemThread(for: "a sign of life of the node") { [self] in
            do throws(Failure) {
                _ = try guest.directory.attempt(.name, of: guest.id)
                tell(.silent(false))
            } catch {
                tell(.silent(true))
            }
        }.detach()
    }

    private func lose(_ job: JobID?, _ why: JobError) { if let job { state.with { $0.outputs[job] = .failure(why) } } }

    func command(_ command: JobCommand, _ job: JobID, _ ticket: JobTicket?) async throws(JobError) {
        let answer: String?
        do throws(Failure) {
            answer = try guest.directory.attempt(.command(command, job.text), of: guest.id)
        } catch {
            throw JobError(error)
        }
        if answer == nil { throw hasEnded }
    }

    func output(of job: JobID, _ result: JobResult) async throws(JobError) -> JobOutput {
        // All of it came before the result.
        guard let output = state.with({ $0.outputs[job] }) else { throw hasEnded }
        return try output.get()
    }

    /// Ends all events.
    func leave() {
        state.with { state in
            state.isOver = true
            for call in state.calls.values { call.giveUp() }
        }
    }
}

extension JobError {
    fileprivate init(_ error: any Error) { self.init((error as? Failure)?.message ?? "\(error)") }
}

/// Makes events of what a node tells of jobs.
struct JobsOnWire {
    private var spec: [JobID: JobSpec] = [:]
    private var course: [CoursePoint] = []

    /// Returns nil if the message is only a part of an event.
    mutating func event(of message: LocalMessage) -> ClientEvent? {
        switch message {
        case .link(.job(let message)): event(of: message).map { .job($0) }
        case .news(let news): .job(.news(news))
        case .solution(let job, let best, let octets): .solution(FoundSolution(job: job, best: best, octets: octets))
        case .program(let frame, let age): FeedProgram(frame, age: age).map { .program($0) }
        default: nil
        }
    }

    private mutating func event(of message: JobMessage) -> JobEvent? {
        switch message {
        case .job(let id, let spec, _, _):
            self.spec[id] = spec
            course = []
        case .course(_, _, let point): course.append(point)
        case .picture(let picture):
            return spec[picture.id].map { .snapshot(JobSnapshot($0, course: course, picture)) }
        case .result(let id, let result): return .finished(id, result, isOurs: false)
        case .over(let id): return .lost(id)
        default: break
        }
        return nil
    }
}

/// A guest of the session that computes nothing.
final class GuestClient: SessionClient {
    private let session: Session
    private let cargo: JobCargo

    init(_ guest: GuestSession, _ cargo: JobCargo, _ tell: @escaping @Sendable (ClientEvent) -> Void) async throws {
        session = try await guest.start()
        self.cargo = cargo
        // Stdout is for results.
        guest.follow(session, say: { GuestSession.say($0) }, tell)
    }

    func submit(_ order: JobOrder, _ ticket: JobTicket) async throws(JobError) -> JobID {
        try await session.submit(order, ticket: ticket, module: cargo.module, tables: cargo.tables)
    }

    func command(_ command: JobCommand, _ job: JobID, _ ticket: JobTicket?) async throws(JobError) {
        try await session.command(command, job, ticket: ticket)
    }

    func output(of job: JobID, _ result: JobResult) async throws(JobError) -> JobOutput {
        try await session.output(of: job, result)
    }

    func leave() async { await session.leave() }
}
