import PotluckCore

/// An option with a value, such as `--trials N`.
///
/// Declare it once as a constant with the type of its value, list it in its command, and ask the arguments for it:
///
///     static let trials = Option("trials", "N", "stop after N trials", in: .limits, Quantities.trials)
///     let wanted = try arguments[trials]      // UInt64?
package struct Option<Value: Sendable>: Sendable {
    package let declaration: OptionDeclaration
    let read: @Sendable (String) throws(ValueError) -> Value

    /// `placeholder` stands for the value in the help. `standard` says in words what holds if the option is not
    /// given. `environment` names a variable that is used then. `values` is needed if the placeholder alone does not say
    /// what completes it.
    package init(
        _ name: String, short: Character? = nil, _ placeholder: String, _ help: String, in group: OptionGroup,
        default standard: String? = nil, repeats: Bool = false, environment: String? = nil, hidden: Bool = false,
        values: Values? = nil,
        _ read: @escaping @Sendable (String) throws(ValueError) -> Value
    ) {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: placeholder, help: help, group: group, standard: standard,
            repeats: repeats, environment: environment, isHidden: hidden,
            values: values ?? Values(meantBy: placeholder))
        self.read = read
    }
}

/// An option without a value.
package struct Flag: Sendable {
    package let declaration: OptionDeclaration

    package init(
        _ name: String, short: Character? = nil, _ help: String, in group: OptionGroup, environment: String? = nil,
        hidden: Bool = false
    ) {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: nil, help: help, group: group, standard: nil, repeats: false,
            environment: environment, isHidden: hidden, values: .any)
    }
}

/// A heading in a command's help, over the options that belong together.
package struct OptionGroup: Sendable, Hashable {
    public let title: String
    package init(_ title: String) { self.title = title }
}

/// An option or a flag, as the parser and the help see it.
package struct OptionDeclaration: Sendable, Equatable {
    /// The name without dashes.
    public let name: String
    let short: Character?
    /// Stands for the value in the help; nil for a flag.
    let placeholder: String?
    let help: String
    public let group: OptionGroup
    /// The default in words; nil if there is none.
    let standard: String?
    let repeats: Bool
    package let environment: String?
    let isHidden: Bool
    /// What may stand for its value.
    let values: Values

    var takesValue: Bool { placeholder != nil }
}

/// A positional argument. Optional ones come last.
package struct Positional: Sendable, Equatable {
    /// The name in capitals, as the help shows it.
    public let name: String
    let help: String
    let isRequired: Bool
    /// Whether it takes all remaining arguments. Only the last one may.
    let repeats: Bool
    let values: Values

    /// `values` is needed if the name alone does not say what completes it.
    package init(
        _ name: String, _ help: String, required: Bool = true, repeats: Bool = false, values: Values? = nil
    ) {
        self.name = name
        self.help = help
        isRequired = required
        self.repeats = repeats
        self.values = values ?? Values(meantBy: name)
    }
}

/// A command of the program.
package struct Command: Sendable, Equatable {
    public let name: String
    /// A description of one line.
    let summary: String
    let positionals: [Positional]
    package let options: [OptionDeclaration]
    /// Paragraphs that the help shows after the options.
    let details: [String]
    /// Whole command lines, shown last.
    let examples: [String]
    let isHidden: Bool

    package init(
        _ name: String, _ summary: String, positionals: [Positional] = [], options: [OptionDeclaration] = [],
        details: [String] = [], examples: [String] = [], hidden: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.positionals = positionals
        self.options = options
        self.details = details
        self.examples = examples
        isHidden = hidden
    }
}

/// Why a value is invalid. It completes the sentence "--trials 1x: …".
package struct ValueError: Error, Equatable {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }

    /// The whole sentence. `name` is the option, the variable or the setting that has the value.
    public func message(value: String, of name: String) -> String {
        "invalid value \(Spelling.quoted(value)) for \(name): \(reason)"
    }
}

/// An error in a command line: one line for stderr, without the program's name.
package struct UsageError: Error, Equatable {
    public let message: String
    /// The unknown word, if that is the error. The caller may know what it was meant for.
    package let stray: Stray?

    package init(_ message: String, stray: Stray? = nil) {
        self.message = message
        self.stray = stray
    }

    /// An unknown word: `--name value`, `--name=value` or `name=value`.
    package struct Stray: Equatable, Sendable {
        package let command: Command
        public let name: String
        public let value: String?
        /// All words after the command's name.
        public let line: [String]
    }
}
