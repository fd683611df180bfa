import PotluckCore
import PotluckKit

/// Writes a trace: the events of a node, line by line, so that they can be replayed. `--record` of `serve`, `join` and
/// `peer` appends these lines to a file. The first lines describe the node. Each further line is the time of an
/// event, the event, and the fingerprint of the engine's effects.
///
///     potluck trace 3
///     setup 1000 0707…
///     23423 08 9f0c…
public struct TraceWriter: Sendable {
    static let title = "potluck trace 3"

    /// The first two lines of the file.
    public let header: String
    private var tickets: [JobTicket: JobTicket] = [:]

    public init(_ setup: EngineSetup, now: Instant) {
        header = "\(Self.title)\nsetup \(now.nanoseconds) \(setup.fields.hexadecimal)\n"
    }

    /// Returns the line for an event and the engine's effects.
    public mutating func line(_ event: Event, at now: Instant, effects: [Effect]) -> String {
        let octets = redacted(event).encodedCase()
        return "\(now.nanoseconds) \(octets.hexadecimal) \(Trace.fingerprint(effects).octets.hexadecimal)\n"
    }

    private mutating func redacted(_ event: Event) -> Event {
        switch event {
        case .session(.received(let link, let message)):
            return .session(.received(link, Redaction.message(message) { numbered($0) }))
        case .session(.wanted(.send(let octets, let form, let recipients, let reliably))):
            return .session(
                .wanted(.send(Redaction.blank(octets), as: form, to: recipients, reliably: reliably)))
        case .session(.wanted(.say(let text, let recipients))):
            return .session(.wanted(.say(Redaction.blank(text), to: recipients)))
        case .wanted(.order(let order, let ticket), let token):
            return .wanted(.order(order, numbered(ticket)), token: token)
        case .wanted(.command(let command, let id, let ticket), let token):
            return .wanted(.command(command, id, ticket: ticket.map { numbered($0) }), token: token)
        case .found(let jobs):
            var kept = KeptJobs()
            for change in jobs.flatMap(\.changes) { kept.apply(Redaction.change(change) { numbered($0) }) }
            return .found(kept.unfinished)
        case .partRead(let hash, let offset, let octets, let node):
            return .partRead(hash, offset: offset, Redaction.blank(octets), for: node)
        default: return event
        }
    }

    /// Replaces a ticket by a numbered one. The engine only checks whether two tickets are equal.
    private mutating func numbered(_ ticket: JobTicket) -> JobTicket {
        if let known = tickets[ticket] { return known }
        let ours = Redaction.ticket(UInt64(tickets.count + 1))
        tickets[ticket] = ours
        return ours
    }
}

/// A recorded trace of a node.
public struct Trace: Sendable {
    public struct Step: Sendable {
        public let at: Instant
        public let event: Event
        /// The fingerprint of the effects that the event had.
        let fingerprint: UInt64
    }

    /// The first step of a replay with different effects.
    public struct Divergence: Sendable {
        /// The number of the step, counted from 1.
        public let step: Int
        public let event: Event
        public let effects: [Effect]
    }

    /// Why a file is not a trace: the line, counted from 1, and a sentence.
    public struct ReadError: Error, Hashable, Sendable {
        public let line: Int
        public let why: String
    }

    public let setup: EngineSetup
    let begun: Instant
    public let steps: [Step]

    /// Parses a trace. An incomplete last line is ignored: the node died while writing it.
    public init(_ text: String) throws(ReadError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first.map({ $0 == TraceWriter.title }) ?? false else {
            throw ReadError(line: 1, why: "not a trace, or a trace of another version")
        }
        guard lines.count > 2 else { throw ReadError(line: 2, why: "the trace is empty") }
        let first = lines[1].split(separator: " ")
        guard first.count == 3, first[0] == "setup", let begun = UInt64(first[1]),
            let octets = [UInt8](hexadecimal: first[2])
        else { throw ReadError(line: 2, why: "expected a description of the node") }
        self.begun = Instant(nanoseconds: begun)
        do {
            guard let setup = try EngineSetup.read(octets[...], isStrict: true) else {
                throw WireError.malformed("a node of a later version")
            }
            self.setup = setup
        } catch { throw ReadError(line: 2, why: "\(error)") }
        var steps: [Step] = []
        for (index, line) in lines.dropFirst(2).dropLast().enumerated() {
            let words = line.split(separator: " ")
            guard words.count == 3, let at = UInt64(words[0]), let octets = [UInt8](hexadecimal: words[1]),
                let fingerprint = UInt64(words[2], radix: 16)
            else { throw ReadError(line: index + 3, why: "expected a time, an event and a fingerprint") }
            do {
                let event = try Event(traced: octets[...])
                steps.append(Step(at: Instant(nanoseconds: at), event: event, fingerprint: fingerprint))
            } catch { throw ReadError(line: index + 3, why: "\(error)") }
        }
        self.steps = steps
    }

    /// Replays the trace. Returns nil if every step had the same effects as before. Calls `look` for every step.
    public func replay(_ look: (Step, [Effect]) -> Void = { _, _ in }) -> Divergence? {
        var engine = Engine(setup, now: begun)
        for (index, step) in steps.enumerated() {
            let effects = engine.handle(step.event, at: step.at)
            look(step, effects)
            if Self.fingerprint(effects).value != step.fingerprint {
                return Divergence(step: index + 1, event: step.event, effects: effects)
            }
        }
        return nil
    }

    static func fingerprint(_ effects: [Effect]) -> TraceHash {
        var hash = TraceHash()
        for effect in effects { hash.mix(effect) }
        return hash
    }
}

extension TraceHash {
    /// The fingerprint as eight bytes, most significant first.
    var octets: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) } }
}

extension EngineSetup: WireRecord {
    package static let blank = EngineSetup(node: .nobody, name: "", cores: 0, seed: 0)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.id(1, &node)
        try v.text(2, &name, atMost: .max)
        try v.number(3, &cores)
        try v.number(4, &seed)
        try v.flag(5, &keepsJournal)
        try v.optional(6, &session)
    }
}

extension SessionSetup: WireRecord {
    package static let blank = SessionSetup(node: .nobody, name: "", cores: 0, session: .blank, mode: .peer, seed: 0)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.id(1, &node)
        var (low, high) = (versions.lowerBound, versions.upperBound)
        try v.number(2, &low)
        try v.number(3, &high)
        try v.check(low <= high, "an invalid range of versions")
        versions = min(low, high)...high
        try v.text(4, &name, atMost: .max)
        try v.number(5, &cores)
        try v.id(6, &session)
        try v.one(7, &mode)
        try v.flag(8, &isOpen)
        try v.id(9, &founding)
        try v.check((mode == .server) == (founding != nil), "a founding that does not fit the mode")
        try v.flag(10, &asks)
        try v.one(11, &guests)
        try v.number(12, &seed)
        try v.nodes(13, &approved, atMost: .max >> 8)
        var address: [UInt8] = if case .browser(let address) = kind { address } else { [] }
        try v.octets(14, &address, atMost: 16)
        try v.check(address.isEmpty || mode == .client, "a browser that is no client")
        kind = address.isEmpty ? .program : .browser(at: address)
    }
}
