import PotluckCore
import PotluckSystem

/// A message of a page to its gateway; see "Pages" in docs/PROTOCOL.md.
public enum PageMessage: Sendable, Equatable {
    /// The page's tab, and the name that its user typed. `device` is for the host's ticket.
    case join(client: [UInt8], name: String, device: DeviceProof? = nil)
    case name(String)
    case pong
    /// Asks for the finished runs.
    case results
    /// How many cores the page lends from now on; 0 ends it.
    case lend(cores: Int)
    /// A guess of a job's first reading; see `Guess`.
    case guess(JobID, Double)
    case work(PageWork)
    /// Sends the host a simulation that a guest wrote.
    case propose(PageScript)
    case host(HostRequest)
    /// What the host's page does with the script of this number: opens it, or declines it.
    case judge(Int, isOpened: Bool)

    /// The length of a tab's own number in bytes.
    public static let clientLength = 16

    /// Returns the message; nil for a kind of a later version. Throws if the message breaks a rule.
    public static func decode(_ octets: [UInt8]) throws(PageError) -> PageMessage? {
        guard let json = JSONReader.value(octets), let kind = json["do"]?.asString else {
            throw PageError(what: "a message that is no JSON with a 'do'")
        }
        switch kind {
        case "join":
            return .join(
                client: try need(json["client"]?.asHexadecimal(clientLength), kind), name: try name(json, kind),
                device: try DeviceProof(json))
        case "name": return .name(try name(json, kind))
        case "pong": return .pong
        case "results": return .results
        case "lend":
            return .lend(cores: try need(json["cores"]?.asCount.flatMap { $0 <= PageLimits.cores ? $0 : nil }, kind))
        case "guess":
            return .guess(
                try need(json["job"]?.asJob, kind),
                try need(json["value"]?.asReal.flatMap { $0.isFinite ? $0 : nil }, kind))
        case "propose":
            let text = json["text"]?.asString
            return .propose(
                PageScript(
                    name: try need(json["name"]?.asLine(PageLimits.line), kind),
                    text: try need(text.flatMap { $0.utf8.count <= PageLimits.script ? $0 : nil }, kind)))
        case "take", "reject": return .judge(try need(json["number"]?.asCount, kind), isOpened: kind == "take")
        default:
            if let request = try HostRequest.decode(kind, json) { return .host(request) }
            return try PageWork.decode(kind, json).map { .work($0) }
        }
    }

    private static func name(_ json: JSON, _ kind: String) throws(PageError) -> String {
        try need(json["name"]?.asLine(PageLimits.name), kind)
    }

    /// The message as a page sends it.
    public var json: JSON {
        switch self {
        case .join(let client, let name, let device):
            .object(
                [("do", "join"), ("client", .string(client.hexadecimal)), ("name", .string(name))]
                    + (device?.members ?? []))
        case .name(let name): ["do": "name", "name": .string(name)]
        case .pong: ["do": "pong"]
        case .results: ["do": "results"]
        case .lend(let cores): ["do": "lend", "cores": JSON(cores)]
        case .guess(let job, let value): ["do": "guess", "job": .string(job.text), "value": .number(value)]
        case .work(let work): work.json
        case .propose(let script): ["do": "propose", "name": .string(script.name), "text": .string(script.text)]
        case .host(let request): request.json
        case .judge(let number, let isOpened): ["do": isOpened ? "take" : "reject", "number": JSON(number)]
        }
    }
}

/// A simulation in Python that a guest wrote: the name of its file, and its text.
public struct PageScript: Sendable, Equatable {
    public let name: String
    public let text: String

    public init(name: String, text: String) { (self.name, self.text) = (name, text) }
}

/// A message about work that a page lends its cores for.
public enum PageWork: Sendable, Equatable {
    /// Asks for a part of a module or of tables.
    case fetch(BlobHash, from: Int)
    /// The page is prepared for the job.
    case ready(JobID)
    case unable(JobID, why: String)
    case done(PageChunk)
    /// A piece of a chunk's output. All pieces precede the chunk's `done`.
    case output(attempt: String, octets: [UInt8])
    /// The module failed at this block.
    case failed(attempt: String, block: UInt64, why: String)

    static func decode(_ kind: String, _ json: JSON) throws(PageError) -> PageWork? {
        switch kind {
        case "fetch":
            let hash = json["hash"]?.asHexadecimal(BlobHash.length).flatMap { BlobHash($0) }
            return .fetch(try need(hash, kind), from: try need(json["from"]?.asCount, kind))
        case "ready": return .ready(try job(json, kind))
        case "unable": return .unable(try job(json, kind), why: try line(json, kind))
        case "done": return .done(try PageChunk(json))
        case "output":
            let octets = try need(json["octets"]?.asOctets, kind)
            guard octets.count <= PageLimits.part else { throw PageError(what: "an 'output' that is too long") }
            return .output(attempt: try attempt(json, kind), octets: octets)
        case "failed":
            return .failed(
                attempt: try attempt(json, kind), block: try need(json["block"]?.asBig, kind),
                why: try line(json, kind))
        default: return nil
        }
    }

    static func attempt(_ json: JSON, _ kind: String) throws(PageError) -> String {
        try need(json["attempt"]?.asLine(PageLimits.attempt), kind)
    }

    private static func job(_ json: JSON, _ kind: String) throws(PageError) -> JobID {
        try need(json["job"]?.asJob, kind)
    }

    private static func line(_ json: JSON, _ kind: String) throws(PageError) -> String {
        try need(json["why"]?.asLine(PageLimits.line), kind)
    }

    var json: JSON {
        switch self {
        case .fetch(let hash, let from):
            ["do": "fetch", "hash": .string("\(hash)"), "from": JSON(from)]
        case .ready(let job): ["do": "ready", "job": .string(job.text)]
        case .unable(let job, let why): ["do": "unable", "job": .string(job.text), "why": .string(why)]
        case .done(let chunk): chunk.json
        case .output(let attempt, let octets):
            ["do": "output", "attempt": .string(attempt), "octets": .string(Base64.text(octets))]
        case .failed(let attempt, let block, let why):
            ["do": "failed", "attempt": .string(attempt), "block": .big(block), "why": .string(why)]
        }
    }
}

/// The outcome of a chunk.
public struct PageChunk: Sendable, Equatable {
    public let attempt: String
    /// The block after the last one computed.
    public let end: UInt64
    /// Seconds.
    public let busy: Double
    public let tally: [UInt64]
    /// The number of bytes written; nil if the job writes none.
    public let output: Int?

    public init(attempt: String, end: UInt64, busy: Double, tally: [UInt64], output: Int?) {
        (self.attempt, self.end, self.busy, self.tally, self.output) = (attempt, end, busy, tally, output)
    }

    fileprivate init(_ json: JSON) throws(PageError) {
        attempt = try PageWork.attempt(json, "done")
        end = try need(json["end"]?.asBig, "done")
        busy = try need(json["busy"]?.asReal.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }, "done")
        tally = try need(json["tally"]?.asSlots, "done")
        guard let length = json["output"] else {
            output = nil
            return
        }
        output = try need(length.asCount.flatMap { $0 <= BlobReference.largestOutput ? $0 : nil }, "done")
    }

    fileprivate var json: JSON {
        [
            "do": "done", "attempt": .string(attempt), "end": .big(end), "busy": .number(busy), "tally": .slots(tally),
            "output": output.map { JSON($0) } ?? .null,
        ]
    }
}

/// A page broke a rule.
public struct PageError: Error, Equatable, CustomStringConvertible {
    public let what: String
    public var description: String { what }
}

/// Throws if a field of a message is missing or invalid.
func need<Value>(_ value: Value?, _ kind: String) throws(PageError) -> Value {
    guard let value else { throw PageError(what: "a '\(kind)' with a missing or invalid field") }
    return value
}

extension JSON {
    /// The sixteen digits of a job.
    var asJob: JobID? {
        guard let octets = asHexadecimal(8) else { return nil }
        let number = octets.reduce(0) { $0 << 8 | UInt64($1) }
        return number == 0 ? nil : JobID(number)
    }
}

extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
