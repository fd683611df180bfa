import Dispatch
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// Sends events of a node's jobs to the viewers on the same machine: `potluck run --session` and `potluck watch`. Each
/// viewer has a socket.
final class JobFeeds: Sendable {
    /// How many events may wait for a slow viewer, about a second's worth. Beyond that, snapshots are dropped, nothing
    /// else.
    private static let mostWaiting = 10

    private final class Feed: Sendable {
        /// The job that the viewer watches; nil means all jobs.
        let only: JobID?
        /// Whether the viewer wants the job's output. The result is then sent after the output.
        let collects: Bool
        /// Writing may block for long, because a viewer may be suspended.
        let queue = DispatchQueue(label: "potluck-feed")
        /// How many events are queued but not yet written.
        let waiting = Guarded(0)
        /// Nil once closed: the system may reuse the descriptor's number while writes are still queued.
        private let socket: Guarded<LocalSocket?>

        init(_ socket: LocalSocket, _ only: JobID?, collects: Bool) {
            self.socket = Guarded(socket)
            (self.only, self.collects) = (only, collects)
        }

        /// Runs on `queue`. Returns false if the viewer no longer reads. The feed then ends, because a frame may have
        /// been cut off.
        func send(_ octets: [UInt8]) -> Bool {
            if socket.with({ $0 })?.send(octets) == true { return true }
            end()
            return false
        }

        /// Runs on `queue`. Closes the socket.
        func end() {
            socket.with { socket in
                socket?.end()
                socket = nil
            }
        }
    }

    private let feeds = Guarded<[Feed]>([])

    /// Adds a viewer of one job, or of all if `job` is nil. `board` must have got exactly the events that `send` was
    /// given so far.
    func add(_ socket: LocalSocket, _ job: JobID?, collects: Bool = false, _ board: JobBoard) {
        let feed = Feed(socket, job, collects: collects)
        write(Array("streams\n\(job?.text ?? "")\n".utf8), to: feed, always: true)
        for event in board.story(of: job) where !(collects && event.isFinish) {
            write(event.feedOctets, to: feed, always: true)
        }
        feeds.with { $0.append(feed) }
    }

    /// Sends an event to the viewers that it concerns.
    func send(_ event: JobEvent) {
        let feeds = feeds.with { $0 }
        guard !feeds.isEmpty else { return }
        let job = event.job
        let octets = event.feedOctets
        var isPicture = false
        if case .snapshot(let snapshot) = event { isPicture = !snapshot.state.isOver }
        for feed in feeds where job == nil || feed.only == nil || feed.only == job {
            if event.isFinish, feed.collects { continue }
            write(octets, to: feed, always: !isPicture)
        }
    }

    var isEmpty: Bool { feeds.with(\.isEmpty) }

    /// Sends the best solution of a search so far to the viewers that it concerns. One that is too long is left out.
    func send(_ solution: FoundSolution) {
        let content = solution.content
        guard content.count <= Message.maximumLength else { return }
        let octets = FeedFrame.solution.octets(content)
        for feed in feeds.with({ $0 }) where feed.only == nil || feed.only == solution.job {
            write(octets, to: feed, always: true)
        }
    }

    /// Sends a picture of a program with ranks to the viewers of all jobs.
    func send(_ program: FeedProgram) {
        let feeds = feeds.with { $0.filter { $0.only == nil } }
        guard !feeds.isEmpty else { return }
        let octets = FeedFrame.program.octets(program.content)
        for feed in feeds { write(octets, to: feed, always: program.show.state != .running) }
    }

    /// Whether a viewer wants the job's output.
    func wantsOutput(of job: JobID) -> Bool { feeds.with { $0.contains { $0.only == job && $0.collects } } }

    /// Sends the output and then the result to the viewers that want the job's output, and closes their feeds.
    func finish(_ job: JobID, _ result: JobResult, _ output: Result<JobOutput, JobFailed>) {
        let taken = feeds.with { feeds in
            let taken = feeds.filter { $0.only == job && $0.collects }
            feeds.removeAll { $0.only == job && $0.collects }
            return taken
        }
        for feed in taken {
            feed.queue.async {
                do {
                    try output.get().pieces { piece in
                        guard feed.send(FeedFrame.output.octets(piece)) else { throw JobFailed("") }
                    }
                } catch {
                    _ = feed.send(FeedFrame.trouble.octets(Array("\(error)".utf8)))
                }
                _ = feed.send(JobEvent.finished(job, result, isOurs: false).feedOctets)
                feed.end()
            }
        }
    }

    /// Closes all feeds when their queues are written.
    func end() {
        let feeds = feeds.with { feeds in
            defer { feeds = [] }
            return feeds
        }
        for feed in feeds { feed.queue.async { feed.end() } }
    }

    private func write(_ octets: [UInt8], to feed: Feed, always: Bool) {
        let isFull = feed.waiting.with { waiting in
            if waiting >= Self.mostWaiting, !always { return true }
            waiting += 1
            return false
        }
        guard !isFull else { return }
        feed.queue.async { [self] in
            let isTaken = feed.send(octets)
            feed.waiting.with { $0 -= 1 }
            if !isTaken { feeds.with { $0.removeAll { $0 === feed } } }
        }
    }
}

extension Session.Event {
    /// The event without the answers that the host hides.
    var shown: Session.Event { if case .job(let event) = self { .job(event.shown) } else { self } }
}

extension JobEvent {
    /// The event without the answers that the host hides.
    var shown: JobEvent {
        switch self {
        case .snapshot(let snapshot): .snapshot(snapshot.shown)
        case .finished(let id, let result, let isOurs): .finished(id, result.shown, isOurs: isOurs)
        case .failed, .lost, .news: self
        }
    }

    var job: JobID? {
        switch self {
        case .snapshot(let snapshot): snapshot.id
        case .finished(let id, _, _), .failed(let id, _), .lost(let id): id
        case .news(let news): news.job
        }
    }

    var isFinish: Bool { if case .finished = self { true } else { false } }

    /// Whether it only reports the progress of a job.
    var isProgress: Bool { if case .snapshot = self { !isFailure(of: job) } else { false } }

    /// Whether it reports that this job failed.
    func isFailure(of job: JobID?) -> Bool {
        switch self {
        case .failed(let id, _): id == job
        case .snapshot(let snapshot): if case .failed = snapshot.state { snapshot.id == job } else { false }
        case .finished, .lost, .news: false
        }
    }

    /// Whether it reports that nobody here knows how this job ended.
    func isLoss(of job: JobID?) -> Bool {
        switch self {
        case .lost(let id), .news(.forgotten(let id, _, _)): id == job
        case .snapshot, .finished, .failed, .news: false
        }
    }
}
