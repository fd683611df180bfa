import PotluckCore

/// Finds what may come next in a line that is being typed.
package struct Completer: Sendable {
    /// What is known of the line besides the word that is being typed.
    package struct Asked: Sendable {
        /// The beginning of the value.
        package let typed: String
        package let arguments: Arguments
    }

    private let program: Program
    private let environment: [String: String]
    private let find: @Sendable (Values.Noun, Asked) async -> Offer

    /// `find` looks up what the declarations cannot know. It need not leave out what does not begin as the value does.
    package init(
        _ program: Program, environment: [String: String] = [:],
        find: @escaping @Sendable (Values.Noun, Asked) async -> Offer
    ) {
        self.program = program
        self.environment = environment
        self.find = find
    }

    /// Returns what may stand for the last word of the line, which ends at the cursor.
    package func offer(_ line: String) async -> Offer {
        var words = ShellWord.words(typed: line)
        let typed = words.removeLast()
        // Before the program's name there may be variables, or another program that starts it.
        guard let start = words.firstIndex(where: { $0.split(separator: "/").last.map(String.init) == program.name })
        else { return Offer() }
        var offer = await offer(Array(words[(start + 1)...]), typed)
        offer.words = offer.words.filter { $0.text.hasPrefix(typed) && $0.text.isFitForScreen }
        return offer
    }

    private func offer(_ words: [String], _ typed: String) async -> Offer {
        let commands = program.commands.filter { !$0.isHidden }.map { Offer.Word($0.name, $0.summary) }
        guard let first = words.first else {
            let others = [Offer.Word("help", "show the help"), .init("version", "show the version")]
            return Offer(commands + others + [.init("--help"), .init("--version")])
        }
        if first == "help" { return Offer(words.count == 1 ? commands : []) }
        guard let command = program.commands.first(where: { $0.name == first }) else { return Offer() }
        var parser = Parser(program: program, command: command, line: Array(words.dropFirst()))
        let beginning = parser.parseBeginning(environment: environment)
        let arguments = beginning.arguments
        if let option = beginning.open { return await offer(option.values, typed, arguments) }
        if !beginning.endsOptions, typed.hasPrefix("-") {
            if let (option, name) = attached(typed, command) {
                return await offer(option.values, typed, after: name, arguments)
            }
            return options(command, arguments)
        }
        let left = command.positionals.dropFirst(arguments.positionals.count).first
        if let positional = left ?? command.positionals.last(where: \.repeats) {
            return await offer(positional.values, typed, arguments)
        }
        return beginning.endsOptions ? Offer() : options(command, arguments)
    }

    /// The option whose value follows it in the same word: `--priority=lo`, `-pd`.
    private func attached(_ typed: String, _ command: Command) -> (OptionDeclaration, name: String)? {
        for option in command.options where option.takesValue {
            let names = ["--\(option.name)="] + (option.short.map { ["-\($0)"] } ?? [])
            if let name = names.first(where: { typed.hasPrefix($0) }) { return (option, name) }
        }
        return nil
    }

    /// The options that may still be given.
    private func options(_ command: Command, _ arguments: Arguments) -> Offer {
        let left = command.options.filter {
            !$0.isHidden && ($0.repeats || !arguments.has($0) || $0.environment != nil)
        }
        return Offer(left.map { .init("--\($0.name)", $0.help) } + [.init("--help", "show this help")])
    }

    /// `before` is the part of the word that the value follows.
    private func offer(
        _ values: Values, _ word: String, after before: String = "", _ arguments: Arguments
    ) async -> Offer {
        let typed = String(word.dropFirst(before.count))
        switch values {
        case .any: return Offer()
        case .words(let words): return Offer(words.map { .init(before + $0) })
        case .files(let endings): return Offer(files: .ending(endings))
        case .folders: return Offer(files: .folders)
        case .after(let choices):
            return await offer(choices[arguments[0] ?? ""] ?? .any, word, after: before, arguments)
        case .list(let each):
            let parts = typed.split(separator: ",", omittingEmptySubsequences: false).dropLast()
            var offer = await offer(each, word, after: before + parts.map { $0 + "," }.joined(), arguments)
            offer.words.removeAll { word in parts.contains { word.text.hasSuffix("," + $0) } }
            return offer
        case .found(let noun):
            var offer = await find(noun, Asked(typed: typed, arguments: arguments))
            // A name from outside that begins with a dash would be taken for an option.
            offer.words = offer.words.filter { !$0.text.hasPrefix("-") }.map { .init(before + $0.text, $0.help) }
            return offer
        }
    }
}
