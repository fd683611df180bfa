import PotluckKit

/// A message between a command and a node of the same user on the same machine, over a Unix socket.
///
/// A command makes one request on a connection and gets one answer. If it orders or watches jobs, their events follow.
/// Whatever links carry as well, such as an order or the picture of a job, is a message of a link here, too.
package enum LocalMessage: Hashable, Sendable, WireUnion {
    /// A message that links carry as well.
    case link(Message)

    // Requests, besides an order.

    /// Show a text on the screens of all nodes, or on that of one.
    case say(String, to: String?)
    case kick(String)
    /// Command a job, given by the beginning of its number or its simulation; nil means the only job.
    case command(JobCommand, String?)
    /// Watch all jobs.
    case watch
    /// Continue the jobs of lost coordinators.
    case takeOver
    /// Tell the session's name.
    case name
    /// Tell how another command of this user gets into the session.
    case access
    /// Let this guest start programs and jobs.
    case allow(NodeID)
    /// Tell the address of the page, after making new tickets if `isNew`.
    case page(isNew: Bool, isForViewing: Bool)
    /// Tell the address of the host's page, after making a new ticket if `isNew`; or make its ticket worth nothing.
    case hostPage(isNew: Bool, isRevoked: Bool)
    /// A part of the module or the tables of the order that follows.
    case cargo([UInt8], isModule: Bool)

    // Answers.

    case done(String)
    case refused(String)
    /// The way into the session through a node. The code is empty if the session is open.
    case way(NodeID, isHost: Bool, port: UInt16, code: String)
    /// Events follow, of this job or of all jobs.
    case events(JobID?)

    // Events, besides those that links carry.

    case news(JobNews)
    /// The best solution of a search so far, as its author shows it.
    case solution(JobID, Best, [UInt8])
    /// A picture of a program with ranks, and how long ago the node got it.
    case program(RankFrame, age: Duration)
    /// A part of a job's output. The result follows after the last one.
    case output([UInt8])
    /// Why a job's output is not available.
    case trouble(String)

    /// The most bytes of a message: as many as one of a link has.
    package static let longest = Message.maximumLength
    /// The most bytes of a module, of tables or of an output in one message.
    package static let longestPart = Parcel.maximumContent

    /// Append-only, and not the numbers of `Message.Kind`, which are below 100.
    fileprivate enum Kind: UInt64 {
        case say = 100
        case kick, command, watch, takeOver, name, access, allow, page, cargo
        case done, refused, way, events
        case news, solution, program, output, trouble
        case hostPage
    }

    package static let cases = WireCases<LocalMessage>(
        [
            .say("", to: nil), .kick(""), .command(.pause, nil), .watch, .takeOver, .name, .access, .allow(.blank),
            .page(isNew: false, isForViewing: false), .hostPage(isNew: false, isRevoked: false),
            .cargo([], isModule: false), .done(""), .refused(""),
            .way(.blank, isHost: false, port: 0, code: ""), .events(nil), .news(.journalWell),
            .solution(JobID(0), Best(), []), .program(.blank, age: .zero), .output([]), .trouble(""),
        ] + JobMessage.blanks.map { .link(.job($0)) })

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .link(var message):
            try message.visitCase(&v)
            self = .link(message)
        case .say(var text, var name):
            try v.kind(Kind.say.rawValue)
            try v.text(1, &text, atMost: Self.longest)
            try v.text(2, &name)
            self = .say(text, to: name)
        case .kick(var name):
            try v.words(.kick, &name)
            self = .kick(name)
        case .command(var command, var job):
            try v.kind(Kind.command.rawValue)
            try v.one(1, &command)
            try v.text(2, &job)
            self = .command(command, job)
        case .watch: try v.kind(Kind.watch.rawValue)
        case .takeOver: try v.kind(Kind.takeOver.rawValue)
        case .name: try v.kind(Kind.name.rawValue)
        case .access: try v.kind(Kind.access.rawValue)
        case .allow(var node):
            try v.kind(Kind.allow.rawValue)
            try v.id(1, &node)
            self = .allow(node)
        case .page(var isNew, var isForViewing):
            try v.kind(Kind.page.rawValue)
            try v.flag(1, &isNew)
            try v.flag(2, &isForViewing)
            self = .page(isNew: isNew, isForViewing: isForViewing)
        case .hostPage(var isNew, var isRevoked):
            try v.kind(Kind.hostPage.rawValue)
            try v.flag(1, &isNew)
            try v.flag(2, &isRevoked)
            self = .hostPage(isNew: isNew, isRevoked: isRevoked)
        case .cargo(var octets, var isModule):
            try v.kind(Kind.cargo.rawValue)
            try v.octets(1, &octets, atMost: Self.longestPart)
            try v.flag(2, &isModule)
            self = .cargo(octets, isModule: isModule)
        case .done(var text):
            try v.words(.done, &text)
            self = .done(text)
        case .refused(var text):
            try v.words(.refused, &text)
            self = .refused(text)
        case .way(var node, var isHost, var port, var code):
            try v.kind(Kind.way.rawValue)
            try v.id(1, &node)
            try v.flag(2, &isHost)
            try v.number(3, &port)
            try v.text(4, &code, atMost: Self.longest)
            self = .way(node, isHost: isHost, port: port, code: code)
        case .events(var job):
            try v.kind(Kind.events.rawValue)
            try v.job(1, &job)
            self = .events(job)
        case .news(var news):
            try v.kind(Kind.news.rawValue)
            try v.union(1, &news)
            self = .news(news)
        case .solution(var job, var best, var octets):
            try v.kind(Kind.solution.rawValue)
            try v.job(1, &job)
            try v.best(2, &best)
            try v.octets(3, &octets, atMost: Self.longest)
            self = .solution(job, best, octets)
        case .program(var frame, var age):
            try v.kind(Kind.program.rawValue)
            try v.record(1, &frame)
            try v.duration(2, &age)
            self = .program(frame, age: age)
        case .output(var octets):
            try v.kind(Kind.output.rawValue)
            try v.octets(1, &octets, atMost: Self.longestPart)
            self = .output(octets)
        case .trouble(var why):
            try v.words(.trouble, &why)
            self = .trouble(why)
        }
    }

    /// The number of bytes of the message as four bytes, the lowest first, and then the message.
    package var frame: [UInt8] {
        let content = if case .link(let message) = self { message.encoded() } else { encodedCase() }
        var writer = ByteWriter(reserving: LocalFrames.header + content.count)
        writer.fixed(UInt32(content.count))
        writer.raw(content)
        return writer.bytes
    }
}

extension FieldVisitor {
    fileprivate mutating func words(_ kind: LocalMessage.Kind, _ text: inout String) throws(WireError) {
        try self.kind(kind.rawValue)
        try self.text(1, &text, atMost: LocalMessage.longest)
    }

    /// Visits a text that is never empty, or nil.
    fileprivate mutating func text(_ tag: UInt64, _ value: inout String?) throws(WireError) {
        var text = value ?? ""
        try self.text(tag, &text, atMost: LocalMessage.longest)
        value = text.isEmpty ? nil : text
    }
}

/// Nodes do not send news to each other, because every node makes its own.
extension JobNews: WireUnion {
    /// The longest name or reason in bytes: each is shown on a line of a screen.
    private static let longest = 4096

    package static let cases = WireCases<JobNews>([
        .liar(JobID(0), .blank, name: ""), .setAside(JobID(0), .blank, name: "", why: ""),
        .unable(JobID(0), .blank, name: "", why: ""), .orphaned(JobID(0), .blank, name: ""),
        .continues(JobID(0), .blank, name: ""), .stranded(JobID(0), why: ""), .journalStuck(""), .journalWell,
        .forgotten(JobID(0), .blank, name: ""),
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        func visit(
            _ kind: UInt64, _ job: inout JobID, _ node: inout NodeID, _ name: inout String
        ) throws(WireError) {
            try v.kind(kind)
            try v.job(2, &job)
            try v.id(3, &node)
            try v.line(4, &name, atMost: Self.longest)
        }
        switch self {
        case .liar(var job, var node, var name):
            try visit(1, &job, &node, &name)
            self = .liar(job, node, name: name)
        case .setAside(var job, var node, var name, var why):
            try visit(2, &job, &node, &name)
            try v.line(5, &why, atMost: Self.longest)
            self = .setAside(job, node, name: name, why: why)
        case .unable(var job, var node, var name, var why):
            try visit(3, &job, &node, &name)
            try v.line(5, &why, atMost: Self.longest)
            self = .unable(job, node, name: name, why: why)
        case .orphaned(var job, var node, var name):
            try visit(4, &job, &node, &name)
            self = .orphaned(job, node, name: name)
        case .continues(var job, var node, var name):
            try visit(5, &job, &node, &name)
            self = .continues(job, node, name: name)
        case .stranded(var job, var why):
            try v.kind(6)
            try v.job(2, &job)
            try v.line(5, &why, atMost: Self.longest)
            self = .stranded(job, why: why)
        case .journalStuck(var why):
            try v.kind(7)
            try v.line(5, &why, atMost: Self.longest)
            self = .journalStuck(why)
        case .journalWell: try v.kind(8)
        case .forgotten(var job, var node, var name):
            try visit(9, &job, &node, &name)
            self = .forgotten(job, node, name: name)
        }
    }
}

/// Cuts the bytes that come over a local socket into messages.
package struct LocalFrames: Sendable {
    /// The bytes of a message's length.
    static let header = 4

    private var octets: [UInt8] = []
    /// Where the first message that was not returned yet begins.
    private var start = 0

    package init() {}

    package mutating func add(_ new: [UInt8]) {
        // Remove all messages that were returned at once: doing it for each would be slow if many came together.
        octets.removeFirst(start)
        start = 0
        octets += new
    }

    /// Returns the next message; nil until more bytes come. Skips those that only a later version knows.
    package mutating func next() throws(WireError) -> LocalMessage? {
        while true {
            var reader = ByteReader(octets[start...])
            guard reader.remaining >= Self.header else { return nil }
            let length: UInt32 = try reader.fixed()
            guard length <= UInt32(LocalMessage.longest) else { throw .tooLong(limit: LocalMessage.longest) }
            guard reader.remaining >= Int(length) else { return nil }
            let content = try reader.raw(Int(length))
            start = content.endIndex
            if let message = try LocalMessage.read(content) { return message }
        }
    }
}
