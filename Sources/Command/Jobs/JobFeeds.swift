import Dispatch
import Potluck
import PotluckModel
import PotluckSystem
import PotluckWire

/// Those on this machine who look on at a node's jobs, each over a socket: `potluck run --session` and `potluck watch` where a
/// node of the session runs here already.
final class JobFeeds: Sendable {
    /// What waits for one who does not read: a second's worth. Of what is more only the pictures are left out.
    private static let mostWaiting = 10

    private struct Feed: Sendable {
        let socket: LocalSocket
        let only: JobID?
        /// Whether what that job writes is wanted; then its result comes after it.
        let collects: Bool
        /// Writing may take long: a viewer may be stopped.
        let queue = DispatchQueue(label: "potluck-feed")
        let waiting = Guarded(0)
    }

    private let feeds = Guarded<[Feed]>([])

    /// Somebody looks on from now on: at one job, or at all. `board` has taken what `take` was given until now, and nothing else.
    func add(_ socket: LocalSocket, _ job: JobID?, collects: Bool = false, _ board: JobBoard) {
        let feed = Feed(socket: socket, only: job, collects: collects)
        write(Array("streams\n\(job?.text ?? "")\n".utf8), to: feed, always: true)
        for event in board.story(of: job) where !(collects && event.isFinish) {
            write(Self.octets(event), to: feed, always: true)
        }
        feeds.with { $0.append(feed) }
    }

    func take(_ event: JobEvent) {
        let feeds = feeds.with { $0 }
        guard !feeds.isEmpty else { return }
        let job = event.job
        let octets = Self.octets(event)
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
                        guard feed.socket.send(Self.framed(piece, Self.outputBit)) else { throw JobFailed("") }
                    }
                } catch {
                    _ = feed.socket.send(Self.framed(Array("\(error)".utf8), Self.troubleBit))
                }
                _ = feed.socket.send(Self.octets(.finished(job, result, isOurs: false)))
                feed.socket.end()
            }
        }
    }

    func end() {
        let feeds = feeds.with { feeds in
            defer { feeds = [] }
            return feeds
        }
        for feed in feeds { feed.queue.async { feed.socket.end() } }
    }

    private func write(_ octets: [UInt8], to feed: Feed, always: Bool) {
        let isFull = feed.waiting.with { waiting in
            if waiting >= Self.mostWaiting, !always { return true }
            waiting += 1
            return false
        }
        guard !isFull else { return }
        feed.queue.async { [self] in
            let isTaken = feed.socket.send(octets)
            feed.waiting.with { $0 -= 1 }
            guard !isTaken else { return }
            let wasThere = feeds.with { feeds in
                let before = feeds.count
                feeds.removeAll { $0.socket.descriptor == feed.socket.descriptor }
                return feeds.count < before
            }
            if wasThere { feed.socket.end() }
        }
    }

    // MARK: Octets

    /// In front of news, beside their length: they are no message of the network's.
    static let newsBit: UInt32 = 1 << 31
    /// In front of a piece of what the job wrote, and of why there is none.
    static let outputBit: UInt32 = 1 << 30
    static let troubleBit: UInt32 = 1 << 29

    private static func framed(_ octets: [UInt8], _ bit: UInt32) -> [UInt8] {
        var writer = ByteWriter(reserving: octets.count + 4)
        writer.fixed(UInt32(octets.count) | bit)
        writer.raw(octets)
        return writer.bytes
    }

    /// What a node says of its jobs to others, each message with its length in front. A snapshot is all of it every time.
    static func octets(_ event: JobEvent) -> [UInt8] {
        var writer = ByteWriter()
        let messages: [JobMessage] =
            switch event {
            case .snapshot(let snapshot):
                [.job(snapshot.id, snapshot.spec)]
                    + snapshot.course.enumerated().map { .course(snapshot.id, index: $0, $1) }
                    + [.picture(JobPicture(snapshot))]
            case .finished(let id, let result, _): [.result(id, result)]
            case .lost(let id): [.over(id)]
            // The picture says it.
            case .failed, .news: []
            }
        if case .news(let news) = event {
            let octets = news.octets
            writer.fixed(UInt32(octets.count) | newsBit)
            writer.raw(octets)
        }
        for message in messages {
            let octets = Message.job(message).encoded()
            writer.fixed(UInt32(octets.count))
            writer.raw(octets)
        }
        return writer.bytes
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
}

/// Makes events of those octets again.
struct JobFeedReader {
    /// What becomes of the pieces of what the job wrote, and of why there are none.
    var takePiece: ([UInt8]) -> Void = { _ in }
    var takeTrouble: (String) -> Void = { _ in }
    private var octets: [UInt8] = []
    private var spec: [JobID: JobSpec] = [:]
    private var course: [CoursePoint] = []

    /// Nil where they are not what a node says.
    mutating func take(_ new: [UInt8]) -> [JobEvent]? {
        octets += new
        var events: [JobEvent] = []
        while octets.count >= 4 {
            let head = octets[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let length = Int(head & ~(JobFeeds.newsBit | JobFeeds.outputBit | JobFeeds.troubleBit))
            guard length <= Message.maximumLength else { return nil }
            guard octets.count >= 4 + length else { break }
            if head & JobFeeds.newsBit != 0 {
                guard let news = JobNews(octets[4..<4 + length]) else { return nil }
                octets.removeFirst(4 + length)
                events.append(.news(news))
                continue
            }
            if head & (JobFeeds.outputBit | JobFeeds.troubleBit) != 0 {
                let piece = Array(octets[4..<4 + length])
                octets.removeFirst(4 + length)
                if head & JobFeeds.outputBit != 0 {
                    takePiece(piece)
                } else {
                    takeTrouble(String(decoding: piece, as: UTF8.self))
                }
                continue
            }
            guard let message = try? Message.decode(octets[4..<4 + length]), case .job(let job) = message else {
                return nil
            }
            octets.removeFirst(4 + length)
            if let event = take(job) { events.append(event) }
        }
        return events
    }

    private mutating func take(_ message: JobMessage) -> JobEvent? {
        switch message {
        case .job(let id, let spec, _):
            self.spec[id] = spec
            course = []
        case .course(_, _, let point): course.append(point)
        case .picture(let picture):
            guard let spec = spec[picture.job] else { return nil }
            return .snapshot(picture.snapshot(spec, course))
        case .result(let id, let result): return .finished(id, result, isOurs: false)
        case .over(let id): return .lost(id)
        default: break
        }
        return nil
    }
}
