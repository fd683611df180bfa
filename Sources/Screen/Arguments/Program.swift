import PotluckCore

/// A program with several commands, as declared.
package struct Program: Sendable {
    public let name: String
    package let version: String
    /// A description of one line.
    let summary: String
    let commands: [Command]
    /// Words of other programs, with the commands that they may mean here.
    let synonyms: [String: [String]]

    package init(
        _ name: String, version: String, summary: String, commands: [Command], synonyms: [String: [String]] = [:]
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.commands = commands
        self.synonyms = synonyms
    }

    /// The request that a command line makes.
    package enum Request: Sendable {
        case help(Help)
        case version
        case run(Command, Arguments)
    }

    /// Parses a command line. `words` does not contain the program's name.
    package func parse(_ words: [String], environment: [String: String] = [:]) throws(UsageError) -> Request {
        guard let first = words.first else { return .help(Help(self)) }
        switch first {
        case "--help", "-h": return .help(Help(self))
        case "--version", "-V": return .version
        case "version" where words.count == 1: return .version
        case "help":
            guard words.count > 1, !words[1].hasPrefix("-") else { return .help(Help(self)) }
            return .help(Help(self, try command(named: words[1])))
        default: break
        }
        if first.hasPrefix("-") { throw misplaced(first) }
        let command = try command(named: first)
        var parser = Parser(program: self, command: command, line: Array(words.dropFirst()))
        return try parser.parse(environment: environment)
    }

    private func command(named name: String) throws(UsageError) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        if let meant = synonyms[name.lowercased()] {
            let words = meant.map { "'\(self.name) \($0)'" }.joined(separator: " or ")
            throw UsageError("unknown command \(Spelling.quoted(name)); did you mean \(words)?")
        }
        let known = commands.filter { !$0.isHidden }.map(\.name)
        let hint = Spelling.hint(for: name, among: known)
        throw UsageError(
            "unknown command \(Spelling.quoted(name))"
                + (hint.isEmpty ? "; commands: \(known.joined(separator: ", "))" : hint))
    }

    /// Returns the error for an option before the command.
    private func misplaced(_ word: String) -> UsageError {
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        let owner = commands.first { !$0.isHidden && $0.options.contains { $0.isCalled(name) } }
        guard let owner else {
            return UsageError("unknown option \(Spelling.quoted(word)); see '\(self.name) --help'")
        }
        return UsageError("options follow the command: \(self.name) \(owner.name) \(Spelling.quoted(word))")
    }
}

extension OptionDeclaration {
    func isCalled(_ word: String) -> Bool { name == word || short.map(String.init) == word }

    /// Whether a word of the command line is this option, without a value.
    func isWritten(_ word: String) -> Bool { word == "--\(name)" || short.map { "-\($0)" } == word }
}
