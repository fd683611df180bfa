import PotluckCore

/// Translates messages of the compiler and the linker for the author: with the file names that the author typed, and
/// without messages about other files.
struct Diagnostics {
    /// The names of the author's files in the scratch folder, each with the path that the author typed.
    let files: [(name: String, label: String)]
    /// The path of the main one.
    let label: String
    /// What a program may include; nil where the language has nothing like it.
    let allowance: String?

    init(files: [(name: String, label: String)], label: String, allowance: String? = nil) {
        (self.files, self.label, self.allowance) = (files, label, allowance)
    }

    init(file: String, label: String) { self.init(files: [(file, label)], label: label) }

    /// Returns the compiler's messages about the author's file. The text is escaped because it quotes the file, which
    /// may be a stranger's.
    func compiler(_ said: String) -> String {
        var kept: [String] = []
        var isTheirs = false
        // Of the message whose lines follow.
        var isMisleading = false
        // Whether its notes are about a warning that is left out.
        var isCommon = false
        var others: [String] = []
        for line in said.split(separator: "\n", omittingEmptySubsequences: false).map(Self.shown) {
            if let place = place(of: line) {
                isTheirs = files.contains { $0.name == place }
                if !isTheirs { others.append(line) }
            } else if line.hasPrefix("error: ") || line.hasPrefix("<unknown>:0: ") {
                isTheirs = false
                others.append(line)
            }
            if line.contains(": note: ") || line.contains(": error: ") || line.contains(": warning: ") {
                if !line.contains(": note: ") { isCommon = LongWidth.isCommon(line) }
                isMisleading = isCommon || Self.isMisleading(line)
            }
            guard isTheirs, !line.isEmpty, !line.hasSuffix(" generated."), !isMisleading else { continue }
            kept.append(typed(Self.plain(line)))
        }
        if !kept.isEmpty {
            // The first hint that fits a line explains it.
            let fitting = Set(
                kept.compactMap { line in Self.hints.firstIndex { $0.signs.contains(where: line.contains) } })
            let hints = fitting.sorted().map { Self.hints[$0].sentence }
            let missing = kept.contains { $0.contains("' file not found") } ? allowance : nil
            let width = kept.contains(where: LongWidth.isTold) ? LongWidth.fact : nil
            let sentences = [missing, width].compactMap { $0 } + hints
            return (kept + sentences.map { "\(label): \($0)" }).joined(separator: "\n")
        }
        // All messages are about other files, so report the first error.
        let error = others.first { $0.contains("error: ") } ?? others.first
        return error.map { "\(label): \(message(of: $0))" } ?? ""
    }

    /// The line with the path that the author typed in place of the file's name in the scratch folder.
    private func typed(_ line: String) -> String {
        for lead in ["", "In file included from "] {
            for file in files where line.hasPrefix("\(lead)\(file.name):") {
                return lead + file.label + line.dropFirst(lead.count + file.name.count)
            }
        }
        return line
    }

    /// Sentences that explain messages in which the compiler assumes another kind of program. Each has the signs of the
    /// messages that it explains.
    private static let hints: [(signs: [String], sentence: String)] = [
        (["error: no such module"], "a plugin can import only PotluckKit, which has log, sqrt, sin and their like"),
        (["error: GNU-style inline assembly is disabled"], "a program in C cannot contain assembly"),
        (
            ["error: cannot use a value of protocol type 'any Error'"],
            "a plugin throws only typed errors; declare the type: throws(MyError), do throws(MyError) { … }"
        ),
        (
            ["error: cannot use a value of protocol type 'any "],
            "a plugin has no values of a protocol type; use a generic function, 'some P', or an enum with a case for each type"
        ),
        (
            [
                "error: missing reinitialization of inout parameter",
                "error: missing reinitialization of closure capture",
                "noncopyable type 'RandomStream'", "non-Copyable type 'RandomStream'",
                "'RandomStream' conform to 'Copyable'", "is borrowed and cannot be consumed",
                "used after consume", "consumed more than once",
            ],
            "a random stream cannot be copied, because the next trial would draw the same numbers again; draw from 'random' "
                + "itself, and pass it on as '&random' to a parameter of the type 'inout RandomStream'"
        ),
        (
            ["overflows when stored into 'Int'"],
            "Int has 32 bits in a plugin, whose numbers must be the same on every machine; declare larger ones as Int64"
        ),
        (
            ["is not concurrency-safe because"],
            "a trial keeps nothing for the next one, so that every laptop gets the same; count in the tally, and make what all "
                + "trials share a 'let' ('nonisolated(unsafe)' would hide the mistake, and the result would be wrong)"
        ),
        (
            ["of 'Sendable'-conforming struct", "of 'Sendable'-conforming class"],
            "a simulation is shared by all cores, so its properties are values that no trial changes: numbers, arrays and structs "
                + "('@unchecked Sendable' would hide the mistake, and the result would be wrong)"
        ),
        (
            ["cannot find 'Task", "that does not support concurrency", "cannot find 'withTaskGroup'"],
            "a plugin has no tasks and no async functions: a trial runs on one core from its beginning to its end, while other "
                + "cores run other trials"
        ),
        (
            [
                "Clock' in scope", "'Date' in scope", "'DispatchTime' in scope", "'clock_gettime' in scope",
                "'time' in scope",
            ],
            "a plugin has no clock: its results depend on the seed alone, and Potluck measures how long it takes"
        ),
        (["to expected argument type 'NoteText'"], "a note is a literal; put the text into one: note(\"\\(text)\")"),
        (["cannot use key path"], "a plugin has no key paths; use a closure, for example { $0.name }"),
    ]

    /// Whether a note recommends what makes a plugin compile and its results wrong, or shows the standard library.
    private static func isMisleading(_ line: String) -> Bool {
        line.hasPrefix("Swift.") && line.contains(": note: ")
            || ["note: disable concurrency-safety checks", "note: add 'async' to function", "global actor"].contains {
                line.contains($0)
            }
    }

    /// Turns the message of a declaration that the kit forbids, which the compiler calls deprecated or unavailable, into a
    /// sentence: `'random(in:)' is deprecated: gives … [#DeprecatedDeclaration]`.
    private static func plain(_ line: String) -> String {
        if let name = line.firstRange(of: "'appendInterpolation' is unavailable: ") {
            return String(line[..<name.lowerBound] + line[name.upperBound...])
        }
        let group = " [#DeprecatedDeclaration]"
        guard line.hasSuffix(group), let marker = line.firstRange(of: " is deprecated: ") else { return line }
        let said = line[marker.upperBound...].dropLast(group.count)
        let subject = line[..<marker.lowerBound]
        // An interpolation has a name that nobody typed.
        let typed = subject.firstRange(of: "'appendInterpolation'").map { subject[..<$0.lowerBound] }
        return String(typed ?? subject + " ") + said
    }

    /// Escapes a line and keeps its tabs.
    private static func shown(_ line: Substring) -> String {
        String(line).escapedForScreen(keeping: ["\t"])
    }

    /// Returns what the module cannot use, from the linker's messages.
    func linker(_ said: String) -> String {
        let missing = said.split(separator: "\n").compactMap { line in
            line.firstRange(of: "undefined symbol: ").map { Self.shown(line[$0.upperBound...]) }
        }
        guard let first = missing.first else {
            return "\(label): linker error: \(Self.shown(said.prefix(200)))"
        }
        if first == "putchar" {
            return "\(label): a plugin cannot print; use note(…) and 'potluck replay'"
        }
        return "\(label): \(first) is not available in plugins; they have PotluckKit and Swift without Foundation"
    }

    /// The file of a line like `Mine.swift:3:5: error: …`; nil for other lines.
    private func place(of line: String) -> String? {
        for ending in [".swift", ".c", ".h", ".inc"] {
            guard let end = line.firstRange(of: ending + ":") else { continue }
            let after = line[end.upperBound...].prefix { $0.isNumber || $0 == ":" }
            guard after.filter({ $0 == ":" }).count == 2 else { continue }
            return String(line[..<end.lowerBound]) + ending
        }
        return nil
    }

    private func message(of line: String) -> Substring {
        line.firstRange(of: "error: ").map { line[$0.upperBound...] } ?? line[...]
    }
}
