/// The facts about an author's file that the workshop needs before it compiles the file.
struct AuthorsSource {
    /// The kind of a file.
    enum Kind {
        /// A simulation, gathering or search.
        case simulation
        /// A program with ranks.
        case ranks
    }

    /// The name of the type that is the simulation or the program.
    let type: String
    let kind: Kind
    /// Whether the simulation has lanes.
    let hasLanes: Bool
    /// Whether it computes with Swift's vectors.
    let hasVectors: Bool
    /// Whether it runs the trials of a lane itself.
    let hasLane: Bool

    init(_ text: String, label: String) throws(WorkshopError) {
        let words = Self.words(text)
        var found: [(type: String, kind: Kind, hasLanes: Bool)] = []
        for (index, word) in words.enumerated() where Self.kinds.contains(word) && index + 2 < words.count {
            guard words[index + 2] == ":" else { continue }
            let inherited = words[(index + 3)...].prefix { $0 != "{" && $0 != "where" }
            guard let kind = inherited.lazy.compactMap({ Self.protocols[$0] }).first else { continue }
            if index > 0, ["private", "fileprivate"].contains(words[index - 1]) {
                throw .refused("\(label): \(words[index + 1]) must not be \(words[index - 1])")
            }
            let hasLanes = inherited.contains(Self.lanes)
            // Lanes may be declared in an extension of their own.
            if let known = found.firstIndex(where: { $0.type == words[index + 1] && $0.hasLanes != hasLanes }) {
                found[known].hasLanes = true
            } else {
                found.append((words[index + 1], kind, hasLanes))
            }
        }
        guard let first = found.first else {
            throw .refused("\(label) declares no simulation; declare one with: struct Name: Simulation { … }")
        }
        guard found.count == 1 else {
            throw .refused(
                "\(label) declares \(found.map(\.type).joined(separator: " and ")), but a file must declare one simulation"
            )
        }
        guard zip(words, words.dropFirst()).contains(where: { $0 == "import" && $1 == "PotluckKit" }) else {
            throw .refused("\(label) does not import PotluckKit; add the line: import PotluckKit")
        }
        (type, kind, hasLanes) = first
        hasVectors = kind == .simulation && words.contains { Self.vectors.contains($0) }
        hasLane = kind == .simulation && zip(words, words.dropFirst()).contains { $0 == "func" && $1 == "lane" }
    }

    /// The kit's protocols for authors.
    private static let protocols: [String: Kind] = [
        "Simulation": .simulation, lanes: .simulation, "Gathering": .simulation, "Search": .simulation,
        "RankProgram": .ranks,
    ]
    private static let lanes = "LaneSimulation"
    private static let vectors: Set<String> = ["SIMD2", "SIMD3", "SIMD4", "SIMD8", "SIMD16", "SIMD32", "SIMD64"]
    private static let kinds: Set<String> = ["struct", "enum", "class", "extension"]

    /// Splits the source into names and punctuation, without comments and string literals.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var name = ""
        var rest = Array(text.unicodeScalars)[...]
        func starts(_ sign: String) -> Bool { rest.starts(with: sign.unicodeScalars) }
        func skip(to end: String) {
            while !rest.isEmpty, !starts(end) { rest = rest.dropFirst() }
            rest = rest.dropFirst(end.unicodeScalars.count)
        }
        while let scalar = rest.first {
            if scalar.properties.isXIDContinue {
                name.unicodeScalars.append(scalar)
                rest = rest.dropFirst()
                continue
            }
            if !name.isEmpty { words.append(name) }
            name = ""
            if starts("//") {
                skip(to: "\n")
            } else if starts("/*") {
                skip(to: "*/")
            } else if starts("\"\"\"") {
                rest = rest.dropFirst(3)
                skip(to: "\"\"\"")
            } else if scalar == "\"" {
                rest = rest.dropFirst()
                while let inside = rest.first, inside != "\"", inside != "\n" {
                    rest = rest.dropFirst(inside == "\\" ? 2 : 1)
                }
                rest = rest.dropFirst()
            } else {
                if !scalar.properties.isWhitespace { words.append(String(scalar)) }
                rest = rest.dropFirst()
            }
        }
        return name.isEmpty ? words : words + [name]
    }
}
