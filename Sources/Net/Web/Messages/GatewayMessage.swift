import PotluckCore
import PotluckSystem

/// A message of a gateway to a page; see "Pages" in docs/PROTOCOL.md. Pictures of jobs are encoded once for all pages, so
/// messages with pictures contain them as text.
public enum GatewayMessage: Sendable, Equatable {
    case welcome(
        session: String, gateway: String, you: String, mayLend: Bool, isHost: Bool = false,
        mayWrite: Bool = false, version: String)
    case ping
    /// `you` is the index of the member that gets the message; nil if it is not listed.
    case session(members: [PageMember], waiting: [String], you: Int?)
    /// A message of a user, or an event if there is no user. `ago` is how long ago it was.
    case news(String, by: String?, ago: Duration = .zero)
    case job(PageJob)
    case course(JobID, from: Int, points: [PagePoint])
    case over(JobID)
    /// The programs with ranks that are in sight, the latest first.
    case programs([PageProgram])
    case results([PageJob], isLast: Bool)
    /// The outcome of the page's offer to lend cores.
    case lending(PageStanding)
    case prepare(PagePreparation)
    case part(BlobHash, from: Int, octets: [UInt8])
    case lacking(BlobHash, why: String)
    case chunks(JobID, [PageLoan])
    case drop([String])
    case interrupt(JobID)
    case forget(JobID)
    /// A simulation that the host's page can start, by its key, as `potluck simulations --json` describes it.
    case simulation(key: String, JSON)
    /// The nodes that wait for the host's approval.
    case newcomers([PageNewcomer])
    /// What came of a request of the host's page.
    case answer(String, isRefused: Bool)
    /// What came of a request about a simulation that the host writes.
    case script(ScriptAnswer)
    /// Whether the host takes what guests write.
    case writing(isOpen: Bool)
    /// The scripts of guests that the host has not judged yet.
    case proposals([PageProposal])
    /// What became of a guest's script, by its name.
    case proposed(String, ProposalState)

    var json: JSON {
        switch self {
        case .welcome(let session, let gateway, let you, let mayLend, let isHost, let mayWrite, let version):
            .object(
                [
                    ("is", "welcome"), ("session", .string(session)), ("gateway", .string(gateway)),
                    ("you", .string(you)), ("mayLend", JSON(mayLend)), ("version", .string(version)),
                ] + [("isHost", isHost), ("mayWrite", mayWrite)].filter(\.1).map { ($0.0, JSON(true)) })
        case .ping: ["is": "ping"]
        case .session(let members, let waiting, let you):
            [
                "is": "session",
                "members": JSON(members.enumerated().map { index, member in member.json(isYou: index == you) }),
                "waiting": JSON(waiting.map(JSON.string)),
            ]
        case .news(let text, let by, let ago):
            ["is": "news", "text": .string(text), "by": JSON(by), "ago": JSON(max(0, Int(ago.components.seconds)))]
        case .job(let job): job.json
        case .course(let job, let from, let points):
            ["is": "course", "job": .string(job.text), "from": JSON(from), "points": JSON(points.map(\.json))]
        case .over(let job): about("over", job)
        case .programs(let programs): ["is": "programs", "programs": JSON(programs.map(\.json))]
        case .results(let runs, let isLast):
            ["is": "results", "runs": JSON(runs.map(\.json)), "last": JSON(isLast)]
        case .lending(let standing): ["is": "lending", "state": .string(standing.rawValue)]
        case .prepare(let preparation): preparation.json
        case .part(let hash, let from, let octets):
            [
                "is": "part", "hash": .string("\(hash)"), "from": JSON(from), "octets": .string(Base64.text(octets)),
            ]
        case .lacking(let hash, let why): ["is": "lacking", "hash": .string("\(hash)"), "why": .string(why)]
        case .chunks(let job, let loans):
            [
                "is": "chunks", "job": .string(job.text),
                "chunks": JSON(
                    loans.map { .array([.string($0.attempt), .big($0.blocks.lowerBound), JSON($0.blocks.count)]) }),
            ]
        case .drop(let attempts): ["is": "drop", "attempts": JSON(attempts.map(JSON.string))]
        case .interrupt(let job): about("interrupt", job)
        case .forget(let job): about("forget", job)
        case .simulation(let key, let simulation):
            ["is": "simulation", "key": .string(key), "simulation": simulation]
        case .newcomers(let nodes): ["is": "newcomers", "nodes": JSON(nodes.map(\.json))]
        case .answer(let text, let isRefused):
            ["is": "answer", "text": .string(text), "refused": JSON(isRefused)]
        case .script(let answer): answer.json
        case .writing(let isOpen): ["is": "writing", "isOpen": JSON(isOpen)]
        case .proposals(let scripts): ["is": "proposals", "files": JSON(scripts.map(\.json))]
        case .proposed(let name, let state):
            ["is": "proposed", "name": .string(name), "state": .string(state.rawValue)]
        }
    }

    public var octets: [UInt8] { Array(json.text.utf8) }

    private func about(_ kind: String, _ job: JobID) -> JSON { ["is": .string(kind), "job": .string(job.text)] }
}

extension PageMember {
    /// The last member, so that the message for one page differs from that for others in one word.
    func json(isYou: Bool) -> JSON {
        [
            "name": .string(name), "cores": JSON(cores), "kind": .string(kind.rawValue),
            "state": isHere ? "here" : "lost", "isYou": JSON(isYou),
        ]
    }
}

/// A guest's script that the host has not judged: its number, its author's name, and the name of its file.
public struct PageProposal: Sendable, Equatable {
    public let number: Int
    let by: String
    let name: String

    public init(_ number: Int, by: String, name: String) { (self.number, self.by, self.name) = (number, by, name) }

    var json: JSON { ["number": JSON(number), "by": .string(by), "name": .string(name)] }
}

/// What became of a guest's script.
public enum ProposalState: String, Sendable, CaseIterable {
    /// The host's page lists it.
    case waits
    /// The host opened it in the editor, and may change, keep and start it.
    case opened
    case declined
    /// There is no host's page, or too many scripts wait there.
    case refused
}

/// Where a page that lends its cores stands.
public enum PageStanding: String, Sendable, CaseIterable {
    /// Its node connects to the session.
    case joining
    /// The host has to approve its node.
    case asking
    /// Its node is in the session.
    case member
    /// The host declined its node. It lends nothing any more.
    case declined
    /// Other pages have all the cores that a gateway represents. It lends once some are free.
    case full
}

/// A chunk for a page to compute. Its attempt is unique for the socket.
public struct PageLoan: Sendable, Equatable {
    public let attempt: String
    public let blocks: Range<UInt64>

    public init(attempt: String, blocks: Range<UInt64>) { (self.attempt, self.blocks) = (attempt, blocks) }
}

/// The things that a page needs to compute chunks of a job.
public struct PagePreparation: Sendable, Equatable {
    public enum Shape: Int, Sendable {
        case tally = 1
        case collect = 2
    }

    /// A field of the tally.
    public struct Field: Sendable, Equatable {
        public let kind: Int
        let bins: Int

        public init(kind: Int, bins: Int) { (self.kind, self.bins) = (kind, bins) }
    }

    /// The module with its limits.
    public struct Module: Sendable, Equatable {
        public let blob: BlobReference
        /// Bytes.
        public let memory: Int
        /// The limit of one call in seconds.
        let seconds: Double

        public init(blob: BlobReference, memory: Int, seconds: Double) {
            (self.blob, self.memory, self.seconds) = (blob, memory, seconds)
        }
    }

    /// The tables that a simulation reads.
    public struct Tables: Sendable, Equatable {
        public let blob: BlobReference?
        public let count: Int

        public init(blob: BlobReference?, count: Int) { (self.blob, self.count) = (blob, count) }
    }

    public let job: JobID
    public let name: String
    public let shape: Shape
    public let module: Module
    public let tables: Tables
    public let experiment: Experiment
    public let trials: UInt64?
    let writes: Bool
    public let layout: [Field]
    public let slots: Int

    public init(
        job: JobID, name: String, shape: Shape, module: Module, tables: Tables, experiment: Experiment,
        trials: UInt64?, writes: Bool, layout: [Field], slots: Int
    ) {
        (self.job, self.name, self.shape, self.module, self.tables) = (job, name, shape, module, tables)
        (self.experiment, self.trials, self.writes, self.layout, self.slots) = (
            experiment, trials, writes, layout, slots
        )
    }

    fileprivate var json: JSON {
        func blob(_ blob: BlobReference) -> JSON { ["hash": .string("\(blob.hash)"), "size": JSON(blob.size)] }
        return [
            "is": "prepare", "job": .string(job.text), "name": .string(name), "shape": JSON(shape.rawValue),
            "module": blob(module.blob), "tables": tables.blob.map(blob) ?? .null, "inputs": JSON(tables.count),
            "parameters": JSON(experiment.parameters.map(JSON.big)), "seed": .big(experiment.seed),
            "block": JSON(experiment.blockSize), "trials": trials.map(JSON.big) ?? .null, "writes": JSON(writes),
            "layout": JSON(layout.map { ["kind": JSON($0.kind), "bins": JSON($0.bins)] }), "slots": JSON(slots),
            "memory": JSON(module.memory), "seconds": .number(module.seconds),
        ]
    }
}

extension Guess {
    /// Returns the number of the page of a tab. The tab finds its own guess by it, and nobody finds the tab's number.
    public static func page(of client: [UInt8]) -> UInt64 {
        HMAC(key: client).tag(of: Array("potluck/1 guess".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The guess in a list of guesses, encoded.
    public var octets: [UInt8] {
        Array(JSON.array([.number(value), .string(by), .string(JobID(page).text)]).text.utf8)
    }
}

extension GatewayMessage {
    /// A member as it is in the message for others.
    public static func octets(of member: PageMember) -> [UInt8] { Array(member.json(isYou: false).text.utf8) }

    /// A message that contains finished pictures of jobs.
    public static func results(_ runs: some Sequence<[UInt8]>, isLast: Bool) -> [UInt8] {
        let list = runs.joined(separator: [UInt8(ascii: ",")])
        return Array("{\"is\":\"results\",\"runs\":[".utf8) + list + Array("],\"last\":\(isLast)}".utf8)
    }

    /// A message that contains encoded guesses.
    public static func guesses(_ job: JobID, from: Int, guesses: some Sequence<[UInt8]>) -> [UInt8] {
        list("guesses", of: job, from, "guesses", guesses)
    }

    /// A message that contains encoded points of a chart.
    public static func course(_ job: JobID, from: Int, points: some Sequence<[UInt8]>) -> [UInt8] {
        list("course", of: job, from, "points", points)
    }

    private static func list(
        _ kind: String, of job: JobID, _ from: Int, _ name: String, _ items: some Sequence<[UInt8]>
    ) -> [UInt8] {
        Array("{\"is\":\"\(kind)\",\"job\":\"\(job.text)\",\"from\":\(from),\"\(name)\":[".utf8)
            + items.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
    }
}
