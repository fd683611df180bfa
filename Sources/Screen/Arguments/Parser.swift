import PotluckCore

/// Parses the words after a command's name, in one pass.
struct Parser {
    let program: Program
    let command: Command
    let line: [String]
    private var words: ArraySlice<String>
    private var given: [String: [String]] = [:]
    /// How each value was given: the option as it was typed, or the variable.
    private var sources: [String: [String]] = [:]
    private var positionals: [String] = []
    /// How many of them came before a `--`; nil if there was none.
    private var plain: Int?

    /// `line` holds the words after the command's name.
    init(program: Program, command: Command, line: [String]) {
        (self.program, self.command, self.line) = (program, command, line)
        words = line[...]
    }

    mutating func parse(environment: [String: String]) throws(UsageError) -> Program.Request {
        // A request for help comes first, whatever else is wrong.
        for word in words.prefix(while: { $0 != "--" }) {
            if word == "--help" || word == "-h" { return .help(Help(program, command)) }
            if word == "--version" || word == "-V" { return .version }
        }
        while let word = words.popFirst() {
            if word == "--" {
                plain = positionals.count
                for rest in words { try parse(positional: rest) }
                break
            } else if word.hasPrefix("--") {
                try parse(long: word.dropFirst(2))
            } else if word.hasPrefix("-"), word != "-" {
                try parse(short: word)
            } else {
                try parse(positional: word)
            }
        }
        if let missing = command.positionals.dropFirst(positionals.count).first(where: \.isRequired) {
            throw UsageError("missing argument \(missing.name); \(usage)")
        }
        return .run(command, arguments(environment, for: command.options))
    }

    /// Parses the words before the one that is being typed. Leaves out what it does not understand. `open` is an option
    /// whose value comes next; `endsOptions` says that a `--` came.
    mutating func parseBeginning(
        environment: [String: String]
    ) -> (arguments: Arguments, open: OptionDeclaration?, endsOptions: Bool) {
        var (open, endsOptions): (OptionDeclaration?, Bool) = (nil, false)
        while let word = words.popFirst() {
            if endsOptions || !word.hasPrefix("-") || word == "-" {
                positionals.append(word)
            } else if word == "--" {
                endsOptions = true
            } else if words.isEmpty, let option = command.options.first(where: { $0.takesValue && $0.isWritten(word) })
            {
                open = option
            } else {
                try? word.hasPrefix("--") ? parse(long: word.dropFirst(2)) : parse(short: word)
            }
        }
        // What completes the line may need options that other commands have, such as the port of the beacon.
        return (arguments(environment, for: program.commands.flatMap(\.options)), open, endsOptions)
    }

    /// What was parsed, and the values of variables for options that were not given.
    private mutating func arguments(_ environment: [String: String], for options: [OptionDeclaration]) -> Arguments {
        for option in options where given[option.name] == nil {
            guard let variable = option.environment, let value = environment[variable], !value.isEmpty else { continue }
            // A flag's variable may also turn it off.
            if option.takesValue || !["0", "no", "false"].contains(value.lowercased()) {
                given[option.name] = [value]
                sources[option.name] = [variable]
            }
        }
        return Arguments(
            options: given, sources: sources, positionals: positionals, plain: plain ?? positionals.count)
    }

    private var usage: String { "usage: \(program.name) \(Help.usage(command))" }

    private mutating func parse(positional word: String) throws(UsageError) {
        guard positionals.count < command.positionals.count || command.positionals.last?.repeats == true else {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            throw UsageError(
                "unexpected argument \(Spelling.quoted(word)); \(usage)",
                stray: parts.count == 2 ? stray(parts[0], parts[1]) : nil)
        }
        positionals.append(word)
    }

    private mutating func parse(long word: Substring) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = command.options.first(where: { $0.name == parts[0] }) else {
            throw unknown("--" + parts[0], attached: parts.count > 1 ? parts[1] : nil)
        }
        try parse(option, attached: parts.count > 1 ? parts[1] : nil, as: "--" + option.name)
    }

    private mutating func parse(short word: String) throws(UsageError) {
        let letter = word[word.index(after: word.startIndex)]
        guard let option = command.options.first(where: { $0.short == letter }) else { throw unknown(word) }
        var attached: String? = String(word.dropFirst(2))
        if attached?.isEmpty == true { attached = nil }
        try parse(option, attached: attached, as: "-\(letter)")
    }

    private mutating func parse(
        _ option: OptionDeclaration, attached: String?, as name: String
    ) throws(UsageError) {
        var value = ""
        if let placeholder = option.placeholder {
            guard let found = attached ?? takeValue() else {
                throw UsageError("\(name) needs a value; usage: \(name) \(placeholder)")
            }
            value = found
        } else if attached != nil {
            throw UsageError("\(name) takes no value")
        }
        if given[option.name] != nil, !option.repeats { throw UsageError("\(name) is given twice") }
        given[option.name, default: []].append(value)
        sources[option.name, default: []].append(name)
    }

    /// Takes the next word, unless it is another option: in `--trials --json` the number is missing.
    private mutating func takeValue() -> String? {
        guard let next = words.first else { return nil }
        if next.hasPrefix("--") { return nil }
        // A negative number is a value. A dash and a letter mean that the value is
        // missing only if the letter is an option of the command.
        if next.hasPrefix("-"), let letter = next.dropFirst().first,
            command.options.contains(where: { $0.short == letter })
        {
            return nil
        }
        return words.popFirst()
    }

    private func stray(_ name: String, _ value: String?) -> UsageError.Stray {
        UsageError.Stray(command: command, name: name, value: value, line: line)
    }

    /// Returns the error for an unknown option. Call it right after taking the word,
    /// because the next one may be its value.
    private func unknown(_ word: String, attached: String? = nil) -> UsageError {
        let name = String(word.drop { $0 == "-" })
        let stray = stray(name, attached ?? words.first.flatMap { $0.hasPrefix("-") ? nil : $0 })
        let own = command.options.filter { !$0.isHidden }.map(\.name) + ["help", "version"]
        if let other = program.commands.first(where: { other in
            !other.isHidden && other.options.contains { $0.isCalled(name) && !$0.isHidden }
        }) {
            return UsageError(
                "unknown option \(Spelling.quoted(word)) for \(program.name) \(command.name); \(program.name) "
                    + "\(other.name) has it",
                stray: stray)
        }
        let hint = Spelling.hint(for: name, among: own, prefix: "--")
        return UsageError(
            "unknown option \(Spelling.quoted(word))"
                + (hint.isEmpty ? "; see '\(program.name) \(command.name) --help'" : hint), stray: stray)
    }
}
