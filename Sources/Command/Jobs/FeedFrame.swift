import Potluck
import PotluckModel
import PotluckWire

/// What goes from a node to those who look on: each a number of four octets, the least significant first, with the content's
/// length, and in its three highest bits what that is.
enum FeedFrame: UInt32 {
    case message = 0
    /// Why there is nothing of what the job wrote.
    case trouble = 1
    /// A piece of what the job wrote.
    case output = 2
    /// News are no message of the network's.
    case news = 4

    private static let header = 4
    private static let lengthBits: UInt32 = 29

    func octets(_ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: Self.header + content.count)
        writer.fixed(UInt32(content.count) | rawValue << Self.lengthBits)
        writer.raw(content)
        return writer.bytes
    }

    /// What has come of frames.
    enum Next {
        case frame(FeedFrame, ArraySlice<UInt8>)
        case incomplete
        case wrong
    }

    /// The first one.
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
    /// What a node says of its jobs to others. A snapshot is all of it every time.
    var feedOctets: [UInt8] {
        let messages: [JobMessage] =
            switch self {
            case .snapshot(let snapshot):
                [.job(snapshot.id, snapshot.spec)]
                    + snapshot.course.enumerated().map { .course(snapshot.id, index: $0, $1) }
                    + [.picture(JobPicture(snapshot))]
            case .finished(let id, let result, _): [.result(id, result)]
            case .lost(let id): [.over(id)]
            // The picture says it.
            case .failed, .news: []
            }
        if case .news(let news) = self { return FeedFrame.news.octets(news.octets) }
        return messages.flatMap { FeedFrame.message.octets(Message.job($0).encoded()) }
    }
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
        var start = 0
        // Once for all: much may have come together.
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
                    if let event = take(job) { events.append(event) }
                case .news:
                    guard let news = JobNews(content) else { return nil }
                    events.append(.news(news))
                case .output: takePiece(Array(content))
                case .trouble: takeTrouble(String(decoding: content, as: UTF8.self))
                }
                start = content.endIndex
            }
        }
    }

    private mutating func take(_ message: JobMessage) -> JobEvent? {
        switch message {
        case .job(let id, let spec, _, _):
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
