import Dispatch
import Potluck
import PotluckModel
import PotluckSystem

/// Those on this machine who look on at a node's jobs, each over a socket: `potluck run --session` and `potluck watch` where a
/// node of the session runs here already.
final class JobFeeds: Sendable {
    /// What waits for one who does not read: a second's worth. Of what is more only the pictures are left out.
    private static let mostWaiting = 10

    private final class Feed: Sendable {
        let only: JobID?
        /// Whether what that job writes is wanted; then its result comes after it.
        let collects: Bool
        /// Writing may take long: a viewer may be stopped.
        let queue = DispatchQueue(label: "potluck-feed")
        let waiting = Guarded(0)
        /// Nil once it is closed: its number may be another's in a moment, and something may still wait to be written.
        private let socket: Guarded<LocalSocket?>

        init(_ socket: LocalSocket, _ only: JobID?, collects: Bool) {
            self.socket = Guarded(socket)
            (self.only, self.collects) = (only, collects)
        }

        /// On the queue. False where nobody takes them any more: nothing may follow what was cut off in the middle.
        func send(_ octets: [UInt8]) -> Bool {
            if socket.with({ $0 })?.send(octets) == true { return true }
            end()
            return false
        }

        /// On the queue.
        func end() {
            socket.with { socket in
                socket?.end()
                socket = nil
            }
        }
    }

    private let feeds = Guarded<[Feed]>([])

    /// Somebody looks on from now on: at one job, or at all. `board` has taken what `take` was given until now, and nothing else.
    func add(_ socket: LocalSocket, _ job: JobID?, collects: Bool = false, _ board: JobBoard) {
        let feed = Feed(socket, job, collects: collects)
        write(Array("streams\n\(job?.text ?? "")\n".utf8), to: feed, always: true)
        for event in board.story(of: job) where !(collects && event.isFinish) {
            write(event.feedOctets, to: feed, always: true)
        }
        feeds.with { $0.append(feed) }
    }

    func take(_ event: JobEvent) {
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

    /// Whether somebody wants what a job wrote.
    func wantsOutput(of job: JobID) -> Bool { feeds.with { $0.contains { $0.only == job && $0.collects } } }

    /// The last of a job whose output somebody wants.
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

extension JobEvent {
    var job: JobID? {
        switch self {
        case .snapshot(let snapshot): snapshot.id
        case .finished(let id, _, _), .failed(let id, _), .lost(let id): id
        case .news(let news): news.job
        }
    }

    var isFinish: Bool { if case .finished = self { true } else { false } }

    /// Whether it only says how far a job is.
    var isProgress: Bool { if case .snapshot = self { !isFailure(of: job) } else { false } }

    /// Whether it says that this job failed.
    func isFailure(of job: JobID?) -> Bool {
        switch self {
        case .failed(let id, _): id == job
        case .snapshot(let snapshot): if case .failed = snapshot.state { snapshot.id == job } else { false }
        case .finished, .lost, .news: false
        }
    }
}
