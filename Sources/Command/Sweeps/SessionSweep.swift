import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// Computes points of a sweep as jobs of a session, a few at a time. A point whose job is lost is computed again.
struct SessionSweep {
    /// The jobs in hand: enough for the session's nodes while short ones begin and end, and half of what one submitter
    /// may have. The user may want to start another one.
    private static let window = 8
    /// After a refusal, how long to wait until the next order, and how many refusals in a row end the sweep if no job
    /// is in hand. A coordinator may have lost its link without anybody having noticed.
    private static let pause: Duration = .milliseconds(500)
    private static let mostRefusals = 3
    /// How long the answer to an order may take when the sweep ends, and then the cancelling of the jobs in hand. A laptop
    /// that has a tenth of its time needs some seconds. A second Ctrl-C ends the program at once.
    private static let patience: Duration = .seconds(10)

    /// The jobs that compute the points, by the points' numbers.
    struct Jobs: Sendable {
        /// The points to compute, in order.
        let todo: [Int]
        /// Whether each job is computed while no other one is in hand, because its time counts. A refusal then ends the
        /// sweep, and the same order may come again as another job.
        var isAlone = false
        /// How the user knows a point.
        let name: @Sendable (Int) -> String
        let order: @Sendable (Int) throws -> JobOrder
    }

    private enum Input: Sendable {
        case place(ClientEvent)
        case taken(Int, JobID)
        case refused(Int, why: String)
        /// `pause` is over.
        case again
        case stop
        /// The sweep has ended, and `patience` is over.
        case late
    }

    private let points: Jobs
    private let session: SessionID
    private let place: any SessionClient
    /// That of the orders: no two points have the same one, unless each is alone.
    private var ticket = JobTicket.random()
    private let queue: AsyncStream<Input>.Continuation
    private let tell: AsyncStream<SweepWork.News>.Continuation
    /// The points that no job is known to compute, the next one last.
    private var todo: [Int]
    /// The points among these whose order was not confirmed. Its answer may be lost, so a job may compute them.
    private var unconfirmed: [Int: JobOrder] = [:]
    /// The point whose order is not confirmed yet. One at a time, so that the session has the points in their order: a
    /// long one that overtakes the others would keep them waiting.
    private var asked: (index: Int, order: JobOrder)?
    /// The points in hand.
    private var jobs: [JobID: Int] = [:]
    private var hasLink = false
    private var isPausing = false
    private var refusals = 0
    private var isOver = false
    /// Whether `late` will come.
    private var isEnding = false

    /// Starts computing these points.
    static func start(
        _ points: Jobs, in typed: SessionID, _ cargo: JobCargo, _ arguments: Arguments
    ) async throws -> SweepWork {
        if let obstacle = cargo.tables.obstacle { throw Failure(message: obstacle) }
        let guest = try await GuestSession(typed, arguments)
        return try await start(points, in: guest.id, ended: { guest.end() }) { tell in
            try await guest.client(cargo, tell)
        }
    }

    /// Starts computing these points at a place that tells its news to the given function. Calls `ended` at the end.
    static func start(
        _ points: Jobs, in session: SessionID, ended: @escaping @Sendable () -> Void,
        at place: (@escaping @Sendable (ClientEvent) -> Void) async throws -> any SessionClient
    ) async rethrows -> SweepWork {
        let (inputs, queue) = AsyncStream.makeStream(of: Input.self)
        let (news, tell) = AsyncStream.makeStream(of: SweepWork.News.self)
        let place = try await place { queue.yield(.place($0)) }
        let work = SessionSweep(points, session, place, queue, tell)
        Task { [work] in
            var work = work
            await work.run(inputs)
            await place.leave()
            ended()
            tell.finish()
        }
        return SweepWork(news: news) { queue.yield(.stop) }
    }

    private init(
        _ points: Jobs, _ session: SessionID, _ place: any SessionClient,
        _ queue: AsyncStream<Input>.Continuation, _ tell: AsyncStream<SweepWork.News>.Continuation
    ) {
        (self.points, todo, self.session, self.place) = (points, points.todo.reversed(), session, place)
        (self.queue, self.tell) = (queue, tell)
    }

    private mutating func run(_ inputs: AsyncStream<Input>) async {
        for await input in inputs {
            switch input {
            case .place(.link(let hasLink)): self.hasLink = hasLink
            case .place(.job(let event)): took(event)
            case .place(.cut(let job)): if let job { took(.lost(job)) }
            case .place(.ended(let why)): fail(nil, .other(why))
            case .place(.solution), .place(.program), .place(.session), .place(.silent): break
            case .taken(let index, let job):
                refusals = 0
                // The result may have come before.
                if asked?.index == index {
                    asked = nil
                    jobs[job] = index
                }
            case .refused(let index, let why): refused(index, why)
            case .again: isPausing = false
            case .stop: isOver = true
            case .late:
                if let asked { mayGoOn(points.name(asked.index), "", Self.noAnswer) }
                asked = nil
            }
            await refill()
            // A job whose order is not confirmed yet could not be cancelled.
            if isOver, asked == nil { break }
            if isOver { endSoon() }
        }
        await cancel()
    }

    private mutating func endSoon() {
        guard !isEnding else { return }
        isEnding = true
        Task { [queue] in
            try? await Task.sleep(for: Self.patience)
            queue.yield(.late)
        }
    }

    private mutating func refill() async {
        if todo.isEmpty, jobs.isEmpty, asked == nil { isOver = true }
        guard hasLink, !isPausing, !isOver, asked == nil, jobs.count < (points.isAlone ? 1 : Self.window),
            let index = todo.popLast()
        else { return }
        do {
            let order = try points.order(index)
            guard !points.isAlone else { return await submit(order, index) }
            asked = (index, order)
            unconfirmed[index] = nil
            Task { [place, queue, ticket] in
                do throws(JobError) {
                    queue.yield(.taken(index, try await place.submit(order, ticket)))
                } catch {
                    queue.yield(.refused(index, why: error.description))
                }
            }
        } catch {
            fail(index, .other((error as? Failure)?.message ?? "the parameters do not fit"))
        }
    }

    /// Submits a job that is computed alone. Its events come after the answer, so no other job is mistaken for it.
    private mutating func submit(_ order: JobOrder, _ index: Int) async {
        ticket = .random()
        do throws(JobError) {
            jobs[try await place.submit(order, ticket)] = index
        } catch {
            fail(index, error.failure)
        }
    }

    /// An order was refused, or its answer is lost. It is given again, because the session may be full for a moment.
    private mutating func refused(_ index: Int, _ why: String) {
        guard let asked, asked.index == index else { return }
        self.asked = nil
        todo.append(index)
        unconfirmed[index] = asked.order
        refusals += 1
        if hasLink, jobs.isEmpty, refusals >= Self.mostRefusals { return fail(index, .other(why)) }
        guard !isPausing else { return }
        isPausing = true
        Task { [queue] in
            try? await Task.sleep(for: Self.pause)
            queue.yield(.again)
        }
    }

    private mutating func took(_ event: JobEvent) {
        switch event {
        case .finished(let id, let result, _):
            guard let index = point(of: id, result.spec) else { return }
            forget(id, index)
            if result.completion == .stopped {
                Output.complain("\(points.name(index)) was cancelled in \(session.name)")
            } else {
                tell.yield(.ended(index, result.shown))
            }
        case .snapshot(let snapshot):
            guard let index = point(of: snapshot.id, snapshot.spec) else { return }
            if case .failed(let why) = snapshot.state {
                fail(index, why)
            } else {
                if unconfirmed[index] != nil {
                    forget(snapshot.id, index)
                    jobs[snapshot.id] = index
                }
                tell.yield(.progress(index, snapshot))
            }
        case .failed(let id, let why): if let index = jobs[id] { fail(index, why) }
        case .lost(let id):
            guard let index = jobs.removeValue(forKey: id) else { return }
            Output.complain("\(LostContact.givenUp(points.name(index))); it is computed again")
            todo.append(index)
        case .news: break
        }
    }

    /// The point that a job computes. While its order is not confirmed, its ID is unknown.
    private func point(of id: JobID, _ spec: JobSpec) -> Int? {
        if let index = jobs[id] { return index }
        let isOrder = { (order: JobOrder) in spec.experiment == order.experiment && spec.goal == order.goal }
        return unconfirmed.filter { isOrder($0.value) }.keys.min()
            ?? asked.flatMap { isOrder($0.order) ? $0.index : nil }
    }

    private mutating func forget(_ id: JobID, _ index: Int) {
        // The session took the order of this point.
        refusals = 0
        jobs[id] = nil
        if asked?.index == index { asked = nil }
        if unconfirmed.removeValue(forKey: index) != nil { todo.removeAll { $0 == index } }
    }

    private mutating func fail(_ index: Int?, _ failure: JobFailure) {
        guard !isOver else { return }
        isOver = true
        let failed = JobError(failure)
        if let index { tell.yield(.failed(index, failed)) } else { tell.yield(.broken(failed)) }
    }

    private static let outOfReach = "which cannot be reached"
    private static let noAnswer = "which did not answer within \(patience.components.seconds) s"

    /// `why` is a clause about the session.
    private func mayGoOn(_ what: String, _ job: String, _ why: String) {
        let name = ShellWord.quoted(session.name)
        Output.complain(
            "\(what) may go on in \(session.name), \(why); watch it: potluck watch \(name); "
                + "cancel it: potluck cancel \(name)\(job)")
    }

    /// Cancels the jobs in hand, and says which of them may continue.
    private func cancel() async {
        let jobs = jobs.mapValues(points.name)
        guard hasLink else {
            mayGoOn(jobs, Self.outOfReach)
            for index in unconfirmed.keys.sorted() { mayGoOn(points.name(index), "", Self.outOfReach) }
            return
        }
        guard !jobs.isEmpty else { return }
        let open = Guarded(jobs)
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        let timer = Task {
            try? await Task.sleep(for: Self.patience)
            end.finish()
        }
        Task { [place, ticket] in
            for (job, name) in Self.sorted(jobs) {
                await place.cancel(job, ticket, named: name)
                open.with { $0[job] = nil }
            }
            end.finish()
        }
        for await _ in done {}
        timer.cancel()
        mayGoOn(open.with { $0 }, Self.noAnswer)
    }

    private func mayGoOn(_ jobs: [JobID: String], _ why: String) {
        for (job, name) in Self.sorted(jobs) { mayGoOn(name, " \(job)", why) }
    }

    private static func sorted(_ jobs: [JobID: String]) -> [(key: JobID, value: String)] {
        jobs.sorted { $0.key < $1.key }
    }
}

extension SessionSweep.Jobs {
    /// These points of a sweep.
    init(_ sweep: Sweep, _ todo: [Int], _ arguments: Arguments) {
        self.init(
            todo: todo, name: { sweep.name(of: sweep.points[$0]) },
            order: {
                try JobArguments.order(sweep.plan(of: sweep.points[$0], arguments), collects: false, arguments)
            })
    }
}
