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
        write(LocalMessage.events(job).frame, to: feed, always: true)
        for event in board.story(of: job) where !(collects && event.isFinish) {
            write(event.frames, to: feed, always: true)
        }
        feeds.with { $0.append(feed) }
    }

    /// Sends an event to the viewers that it concerns.
    func send(_ event: JobEvent) {
        let feeds = feeds.with { $0 }
        guard !feeds.isEmpty else { return }
        let job = event.job
        let octets = event.frames
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
        let octets = solution.message.frame
        guard octets.count <= LocalMessage.longest else { return }
        for feed in feeds.with({ $0 }) where feed.only == nil || feed.only == solution.job {
            write(octets, to: feed, always: true)
        }
    }

    /// Sends a picture of a program with ranks to the viewers of all jobs.
    func send(_ program: FeedProgram) {
        let feeds = feeds.with { $0.filter { $0.only == nil } }
        guard !feeds.isEmpty else { return }
        let octets = program.message.frame
        for feed in feeds { write(octets, to: feed, always: program.show.state != .running) }
    }

    /// Whether a viewer wants the job's output.
    func wantsOutput(of job: JobID) -> Bool { feeds.with { $0.contains { $0.only == job && $0.collects } } }

    /// Sends the output and then the result to the viewers that want the job's output, and closes their feeds.
    func finish(_ job: JobID, _ result: JobResult, _ output: Result<JobOutput, JobError>) {
        let taken = feeds.with { feeds in
            let taken = feeds.filter { $0.only == job && $0.collects }
            feeds.removeAll { $0.only == job && $0.collects }
            return taken
        }
        for feed in taken {
            feed.queue.async {
                do {
                    try output.get().pieces { piece in
                        guard feed.send(LocalMessage.output(piece).frame) else { throw JobError("") }
                    }
                } catch {
                    _ = feed.send(LocalMessage.trouble("\(error)").frame)
                }
                _ = feed.send(JobEvent.finished(job, result, isOurs: false).frames)
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

    /// The messages for this event, as bytes. A snapshot is sent whole every time: the job, its course and the picture.
    var frames: [UInt8] {
        let messages: [JobMessage] =
            switch self {
            case .snapshot(let snapshot):
                [.job(snapshot.id, snapshot.spec)]
                    + snapshot.course.enumerated().map { .course(snapshot.id, index: $0, $1) }
                    + [.picture(snapshot.picture)]
            case .finished(let id, let result, _): [.result(id, result)]
            case .lost(let id): [.over(id)]
            // A snapshot reports the failure.
            case .failed, .news: []
            }
        if case .news(let news) = self { return LocalMessage.news(news).frame }
        return messages.flatMap { LocalMessage.link(.job($0)).frame }
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

    /// Whether no event of this job follows.
    func isEnd(of job: JobID) -> Bool {
        switch self {
        case .finished(let id, _, _), .failed(let id, _), .lost(let id): id == job
        case .snapshot, .news: isFailure(of: job)
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

extension JobNews {
    /// The job; nil if the news concerns all jobs.
    var job: JobID? {
        switch self {
        case .liar(let id, _, _), .setAside(let id, _, _, _), .unable(let id, _, _, _), .orphaned(let id, _, _),
            .continues(let id, _, _), .forgotten(let id, _, _), .stranded(let id, _):
            id
        case .journalStuck, .journalWell: nil
        }
    }
}
