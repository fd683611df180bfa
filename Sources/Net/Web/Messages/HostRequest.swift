import PotluckCore
import PotluckSystem

/// What the host's page asks for. Commands of the terminal do the same.
public enum HostRequest: Sendable, Equatable {
    case start(HostStart)
    case command(JobCommand, JobID)
    /// Show a text on every screen.
    case say(String)
    /// Admit a node that waits for approval.
    case accept(NodeID)
    case decline(NodeID)
    /// Remove a node or a page, by its display name.
    case remove(String)
    case script(ScriptRequest)

    /// The commands that the page has buttons for, by their words in messages.
    static let commands: [(word: String, command: JobCommand)] = [
        ("pause", .pause), ("resume", .resume), ("cancel", .cancel), ("reveal", .reveal), ("hide", .hide),
    ]

    /// Returns the request; nil for another kind of message.
    static func decode(_ kind: String, _ json: JSON) throws(PageError) -> HostRequest? {
        if let (_, command) = commands.first(where: { $0.word == kind }) {
            return .command(command, try need(json["job"]?.asJob, kind))
        }
        switch kind {
        case "start": return .start(try HostStart(json))
        case "say": return .say(try need(json["text"]?.asLine(Parcel.maximumText), kind))
        case "accept": return .accept(try node(json, kind))
        case "decline": return .decline(try node(json, kind))
        case "remove": return .remove(try need(json["name"]?.asLine(PageLimits.line), kind))
        default: return try ScriptRequest.decode(kind, json).map { .script($0) }
        }
    }

    private static func node(_ json: JSON, _ kind: String) throws(PageError) -> NodeID {
        try need(json["node"]?.asHexadecimal(NodeID.length).flatMap { NodeID($0) }, kind)
    }

    var json: JSON {
        switch self {
        case .start(let start): return start.json
        case .command(let command, let job):
            let word = Self.commands.first { $0.command == command }?.word ?? ""
            return ["do": .string(word), "job": .string(job.text)]
        case .say(let text): return ["do": "say", "text": .string(text)]
        case .accept(let node): return ["do": "accept", "node": .string(node.octets.hexadecimal)]
        case .decline(let node): return ["do": "decline", "node": .string(node.octets.hexadecimal)]
        case .remove(let name): return ["do": "remove", "name": .string(name)]
        case .script(let request): return request.json
        }
    }
}

/// A job that the host's page orders. Its values are texts, as users of the terminal type them.
public struct HostStart: Sendable, Equatable {
    public struct Parameter: Sendable, Equatable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// Its key in the gallery.
    public let simulation: String
    public let parameters: [Parameter]
    /// Its limits; each may be missing.
    public let trials: String?
    public let until: String?
    public let time: String?
    /// Whether it waits, paused and with hidden answers, so that the room can guess.
    public let asks: Bool
    /// Whether it begins with 1 trial, 2, 5, 10 and so on, each shown for a while.
    public let isSlow: Bool

    public init(
        _ simulation: String, parameters: [Parameter] = [], trials: String? = nil, until: String? = nil,
        time: String? = nil, asks: Bool = false, isSlow: Bool = false
    ) {
        (self.simulation, self.parameters, self.asks, self.isSlow) = (simulation, parameters, asks, isSlow)
        (self.trials, self.until, self.time) = (trials, until, time)
    }

    fileprivate init(_ json: JSON) throws(PageError) {
        func line(_ key: String) throws(PageError) -> String? {
            guard let value = json[key] else { return nil }
            return try need(value.asLine(PageLimits.line), "start")
        }
        simulation = try need(json["simulation"]?.asLine(PageLimits.line), "start")
        let pairs = try need(json["parameters"]?.asArray, "start")
        try need(pairs.count <= JobMessage.mostParameters ? () : nil, "start")
        var parameters: [Parameter] = []
        for pair in pairs {
            let texts = pair.asArray?.compactMap { $0.asLine(PageLimits.line) } ?? []
            try need(texts.count == 2 ? () : nil, "start")
            parameters.append(Parameter(texts[0], texts[1]))
        }
        self.parameters = parameters
        (trials, until, time) = (try line("trials"), try line("until"), try line("time"))
        (asks, isSlow) = (json["asks"] == .bool(true), json["isSlow"] == .bool(true))
    }

    fileprivate var json: JSON {
        [
            "do": "start", "simulation": .string(simulation),
            "parameters": JSON(parameters.map { .array([.string($0.name), .string($0.value)]) }),
            "trials": JSON(trials), "until": JSON(until), "time": JSON(time), "asks": JSON(asks),
            "isSlow": JSON(isSlow),
        ]
    }
}

/// A node that waits for the host's approval.
public struct PageNewcomer: Sendable, Equatable {
    public let node: NodeID
    public let name: String

    public init(_ node: NodeID, name: String) { (self.node, self.name) = (node, name) }

    var json: JSON { ["node": .string(node.octets.hexadecimal), "name": .string(name)] }
}
