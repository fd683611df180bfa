import Potluck
import PotluckCore

/// The frames that a node sends to viewers on the same machine. Each begins with four bytes, least significant first:
/// the lowest 29 bits are the content's length, the highest three the kind of frame.
enum FeedFrame: UInt32 {
    case message = 0
    /// Text that says why a job's output is not available.
    case trouble = 1
    /// A piece of a job's output.
    case output = 2
    /// A `JobNews`, which network messages do not include.
    case news = 4
    /// The best solution of a search so far, which network messages do not include either.
    case solution = 5
    /// A picture of a program with ranks, with its age.
    case program = 6

    private static let header = 4
    private static let lengthBits: UInt32 = 29

    func octets(_ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: Self.header + content.count)
        writer.fixed(UInt32(content.count) | rawValue << Self.lengthBits)
        writer.raw(content)
        return writer.bytes
    }

    /// The result of looking for a frame in a buffer.
    enum Next {
        case frame(FeedFrame, ArraySlice<UInt8>)
        case incomplete
        case wrong
    }

    /// Returns the first frame in the buffer.
    static func next(in octets: ArraySlice<UInt8>) -> Next {
        var reader = ByteReader(octets)
        guard let head = try? reader.fixed(UInt32.self) else { return .incomplete }
        let length = Int(head & (1 << lengthBits - 1))
        guard let frame = FeedFrame(rawValue: head >> lengthBits), length <= Message.maximumLength else {
            return .wrong
        }
        let content = octets.dropFirst(header)
        return content.count < length ? .incomplete : .frame(frame, content.prefix(length))
    }
}

extension JobEvent {
    /// The frames for this event. A snapshot is sent whole every time: the job, its course and the picture.
    var feedOctets: [UInt8] {
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
        if case .news(let news) = self { return FeedFrame.news.octets(news.octets) }
        return messages.flatMap { FeedFrame.message.octets(Message.job($0).encoded()) }
    }
}

/// Decodes the frames of a feed to events. Used by viewers.
struct JobFeedReader {
    /// Called with each piece of the job's output.
    var takePiece: ([UInt8]) -> Void = { _ in }
    /// Called with each better solution of a search.
    var takeSolution: (FoundSolution) -> Void = { _ in }
    /// Called with each picture of a program with ranks.
    var takeProgram: (FeedProgram) -> Void = { _ in }
    /// Called with the reason if the output is not available.
    var takeTrouble: (String) -> Void = { _ in }
    private var octets: [UInt8] = []
    private var spec: [JobID: JobSpec] = [:]
    private var course: [CoursePoint] = []

    /// Takes more bytes and returns the events that are complete. Returns nil if the bytes are not a valid feed.
    mutating func read(_ new: [UInt8]) -> [JobEvent]? {
        octets += new
        var start = 0
        // Remove all decoded frames at once: doing it for each would be slow if many came together.
        defer { octets.removeFirst(start) }
        var events: [JobEvent] = []
        while true {
            switch FeedFrame.next(in: octets[start...]) {
            case .incomplete: return events
            case .wrong: return nil
            case .frame(let frame, let content):
                switch frame {
                case .message:
                    guard let message = try? Message.decode(content), case .job(let job) = message else { return nil }
                    if let event = event(of: job) { events.append(event) }
                case .news:
                    guard let news = JobNews(content) else { return nil }
                    events.append(.news(news))
                case .solution:
                    guard let solution = FoundSolution(content) else { return nil }
                    takeSolution(solution)
                case .program:
                    guard let program = FeedProgram(content) else { return nil }
                    takeProgram(program)
                case .output: takePiece(Array(content))
                case .trouble: takeTrouble(String(decoding: content, as: UTF8.self))
                }
                start = content.endIndex
            }
        }
    }

    private mutating func event(of message: JobMessage) -> JobEvent? {
        switch message {
        case .job(let id, let spec, _, _):
            self.spec[id] = spec
            course = []
        case .course(_, _, let point): course.append(point)
        case .picture(let picture):
            guard let spec = spec[picture.id] else { return nil }
            return .snapshot(JobSnapshot(spec, course: course, picture))
        case .result(let id, let result): return .finished(id, result, isOurs: false)
        case .over(let id): return .lost(id)
        default: break
        }
        return nil
    }
}
