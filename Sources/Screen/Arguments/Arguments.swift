import PotluckCore

/// The arguments of a command, checked against its declaration.
package struct Arguments: Sendable {
    private let options: [String: [String]]
    /// How each of those values was given: `--ranks`, `-n`, or the environment variable.
    private let sources: [String: [String]]
    package let positionals: [String]
    /// How many of those came before a `--`; all, if there was none.
    package let plain: Int

    init(options: [String: [String]], sources: [String: [String]], positionals: [String], plain: Int) {
        self.options = options
        self.sources = sources
        (self.positionals, self.plain) = (positionals, plain)
    }

    /// The value of an option; nil if it was not given.
    package subscript<Value>(_ option: Option<Value>) -> Value? {
        get throws(UsageError) { try all(option).last }
    }

    /// Returns the values of an option that may be repeated, in the order given.
    public func all<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
        var values: [Value] = []
        let name = option.declaration.name
        for (text, source) in zip(options[name] ?? [], sources[name] ?? []) {
            do throws(ValueError) {
                values.append(try option.read(text))
            } catch {
                throw UsageError(error.message(value: text, of: source))
            }
        }
        return values
    }

    /// Returns where an option was given last, for error messages: `--ranks`, `-n`, or the environment variable.
    package func source(of option: OptionDeclaration) -> String { sources[option.name]?.last ?? "--\(option.name)" }

    /// Returns the values of an option as they were typed, in the order given.
    package func texts(of option: OptionDeclaration) -> [String] { options[option.name] ?? [] }

    /// Returns the arguments as if an option had been given with these texts, and no others.
    package func replacing(_ option: OptionDeclaration, with texts: [String]) -> Arguments {
        var (options, sources) = (options, sources)
        options[option.name] = texts
        sources[option.name] = texts.map { _ in "--\(option.name)" }
        return Arguments(options: options, sources: sources, positionals: positionals, plain: plain)
    }

    /// Returns whether an option was given, with any value.
    package func has(_ option: OptionDeclaration) -> Bool { options[option.name] != nil }

    package subscript(_ flag: Flag) -> Bool { options[flag.declaration.name] != nil }

    /// The positional argument at this position, counted from 0; nil if it was not given.
    package subscript(_ position: Int) -> String? {
        positionals.indices.contains(position) ? positionals[position] : nil
    }

    /// The positional arguments after the first `count`.
    public func rest(after count: Int) -> [String] { Array(positionals.dropFirst(count)) }
}
