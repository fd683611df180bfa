import PotluckCore

/// A property of a run that conditions and sorting can use: a field, a parameter, a reading or the share of a node.
public struct Term: Sendable, Hashable {
    /// A property that every run has.
    enum Field: String, CaseIterable, Sendable {
        case id, simulation, started, trials, elapsed, rate, cores, nodes, seed, digest, ended, session, submitter,
            sweep, node, note
    }

    /// A part of a reading.
    enum Part: String, CaseIterable, Sendable {
        case value, low, high, exact
        /// Half the width of the interval.
        case width
        /// The absolute difference from the exact answer.
        case error
    }

    /// What the term refers to.
    enum Kind: Sendable, Hashable {
        case field(Field)
        case parameter(String)
        case reading(String, Part)
        /// The part of a run's work that the node of this name did, from 0 to 1.
        case share(String)
    }

    let kind: Kind

    /// Whether it is about the nodes that computed a run.
    var isAboutNodes: Bool {
        switch kind {
        case .field(.node), .share: true
        case .field, .parameter, .reading: false
        }
    }

    /// The names of parameters, readings and nodes that occur in a store.
    public struct Names: Sendable {
        public let parameters: [String]
        public let readings: [String]
        public let nodes: [String]

        /// All that a name alone can mean.
        func kinds(of name: String) -> [Kind] {
            (Field(rawValue: name.lowercased()).map { [.field($0)] } ?? [])
                + (parameters.contains(name) ? [.parameter(name)] : [])
                + (readings.contains(name) ? [.reading(name, .value)] : [])
        }

        /// Whether `reading.NAME.PART` names a reading.
        func isReading(_ prefix: String, _ pieces: [String]) -> Bool {
            prefix == "reading" && readings.contains(pieces[1])
        }
    }

    init(_ kind: Kind) { self.kind = kind }

    /// The names that mean more than one thing, because runs, parameters or readings share them.
    static func shared(_ names: Names) -> [String] {
        Set(names.parameters + names.readings).filter { names.kinds(of: $0).count > 1 }.sorted()
    }

    /// Parses `trials`, `doors`, `stay` or `stay.low`, or `run.rate`, `parameter.stay` or `reading.stay` if several share the
    /// name. The error is the end of a sentence.
    public init(_ text: String, among names: Names) throws(TermError) {
        let found = names.kinds(of: text)
        guard found.count < 2 else {
            let ways = found.map { "\($0.prefix).\(text)" }
            throw TermError(
                "\(Spelling.quoted(text)) is \(found.map(\.article).joined(separator: " and ")); write "
                    + ways.joined(separator: " or "))
        }
        if let only = found.first {
            kind = only
            return
        }
        if let node = Self.node(in: text, names) {
            kind = .share(try Self.known(node, names.nodes))
            return
        }
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch (pieces.count, pieces[0]) {
        case (2, "run") where Field(rawValue: pieces[1].lowercased()) != nil:
            kind = .field(Field(rawValue: pieces[1].lowercased()) ?? .id)
        case (2, "parameter") where names.parameters.contains(pieces[1]): kind = .parameter(pieces[1])
        case (2, "reading") where names.readings.contains(pieces[1]): kind = .reading(pieces[1], .value)
        case (2, let name) where names.readings.contains(name), (3, let name) where names.isReading(name, pieces):
            let name = pieces.count == 3 ? pieces[1] : name
            guard let part = Part(rawValue: pieces[pieces.count - 1]) else {
                throw TermError(
                    "unknown field \(Spelling.quoted(text)); a reading has "
                        + Part.allCases.map(\.rawValue).joined(separator: ", "))
            }
            kind = .reading(name, part)
        default:
            let known = Field.allCases.map(\.rawValue) + names.parameters + names.readings
            let hint = Spelling.hint(for: pieces[0] == "parameter" ? pieces.last ?? "" : pieces[0], among: known)
            throw TermError(
                "unknown field \(Spelling.quoted(text))" + (hint.isEmpty ? "; fields: \(Self.few(known))" : hint))
        }
    }

    /// Whether a text may be about the share of a node, so that the names of nodes are needed.
    public static func mayNameNode(_ text: String) -> Bool { text.contains(Kind.sharePrefix) }

    /// The name of the node in `share.NAME`. A reading that is called so comes first.
    private static func node(in text: String, _ names: Names) -> String? {
        let prefix = Kind.sharePrefix
        guard text.hasPrefix(prefix), !names.readings.contains(String(prefix.dropLast())) else { return nil }
        return String(text.dropFirst(prefix.count))
    }

    private static func known(_ node: String, _ nodes: [String]) throws(TermError) -> String {
        if let found = nodes.first(where: { $0.lowercased() == node.lowercased() }) { return found }
        let hint = Spelling.hint(for: node, among: nodes)
        throw TermError(
            "no run was computed by a node called \(Spelling.quoted(node))"
                + (hint.isEmpty && !nodes.isEmpty ? "; nodes: \(few(nodes))" : hint))
    }

    /// As many names as fit on a line.
    private static func few(_ names: [String]) -> String {
        let most = 20
        return names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    }

    /// An SQL expression for the term's value in a row of `run`. The plus sign keeps SQLite from using the index of
    /// names, which would go through all runs, rather than the few rows of this run.
    var value: SQL {
        switch kind {
        case .field(let field): field.value
        case .parameter(let name):
            SQL("(SELECT number FROM parameter WHERE run = run.id AND +name = ? LIMIT 1)", .text(name))
        case .reading(let name, let part):
            "(SELECT " + part.value + SQL(" FROM reading WHERE run = run.id AND +name = ? LIMIT 1)", .text(name))
        case .share(let name): "(SELECT sum(part.value)" + SQL.nodes + SQL(" AND part.key = ?)", .text(name))
        }
    }
}

extension SQL {
    /// Where the nodes of a run are.
    static let nodes: SQL = " FROM share, json_each(share.nodes) AS part WHERE share.run = run.id"
}

extension Term.Kind {
    fileprivate static let sharePrefix = "share."

    /// The word that says which of several things of one name is meant.
    fileprivate var prefix: String {
        switch self {
        case .field: "run"
        case .parameter: "parameter"
        case .reading: "reading"
        case .share: "share"
        }
    }

    fileprivate var article: String {
        switch self {
        case .field: "a property of every run"
        case .parameter: "a parameter"
        case .reading: "a reading"
        case .share: "a node's share"
        }
    }
}

/// Why a word is not a term.
public struct TermError: Error, Hashable {
    public let reason: String
    init(_ reason: String) { self.reason = reason }
}

extension Term.Field {
    /// Whether a run is a search. All other runs that took time have a rate.
    private static let isSearch: SQL = "(run.rate IS NULL AND run.elapsed > 0)"

    var value: SQL {
        switch self {
        case .id: "run.id"
        case .simulation: "run.simulation"
        case .started: "run.started_at"
        case .trials: "iif(" + Self.isSearch + ", NULL, run.trials)"
        case .elapsed: "run.elapsed"
        case .rate: "run.rate"
        case .cores: "run.cores"
        case .nodes: "run.nodes"
        case .seed: "run.seed"
        case .digest: "run.digest"
        // A search that was finished is proven, which is the ending after the four that are stored.
        case .ended: "iif(run.completion = 1 AND " + Self.isSearch + ", 5, run.completion)"
        case .session: "run.session"
        case .submitter: "run.submitter"
        case .sweep: SweepPoints.number
        case .node: "(SELECT group_concat(part.key, ', ')" + SQL.nodes + ")"
        case .note: "(SELECT text FROM note WHERE run = run.id ORDER BY id DESC LIMIT 1)"
        }
    }
}

extension Term.Part {
    var value: SQL {
        switch self {
        case .value: "value"
        case .low: "low"
        case .high: "high"
        case .exact: "exact"
        case .width: "(high - low) / 2"
        case .error: "abs(value - exact)"
        }
    }
}
