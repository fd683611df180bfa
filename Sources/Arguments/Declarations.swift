import PotluckModel

/// Something a command takes by name: `--trials N`, `--json`.
///
/// Declare it once as a constant with the type of its value, list it in its command, and ask the arguments for it:
///
///     static let trials = Option("trials", "N", "stop after N trials", in: .limits, Quantities.trials)
///     let wanted = try arguments[trials]      // UInt64?
public struct Option<Value: Sendable>: Sendable {
    public let declaration: OptionDeclaration
    let read: @Sendable (String) throws(ValueError) -> Value

    /// `placeholder` stands for the value in the help, `standard` says in words what holds where the option is not given, and
    /// `environment` names a variable that gives the value where nobody types it.
    public init(
        _ name: String, short: Character? = nil, _ placeholder: String, _ help: String, in group: OptionGroup,
        default standard: String? = nil, repeats: Bool = false, environment: String? = nil, hidden: Bool = false,
        _ read: @escaping @Sendable (String) throws(ValueError) -> Value
    ) {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: placeholder, help: help, group: group, standard: standard,
            repeats: repeats, environment: environment, isHidden: hidden)
        self.read = read
    }
}

/// An option without a value: it is there or it is not.
public struct Flag: Sendable {
    public let declaration: OptionDeclaration

    public init(
        _ name: String, short: Character? = nil, _ help: String, in group: OptionGroup, environment: String? = nil,
        hidden: Bool = false
    ) {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: nil, help: help, group: group, standard: nil, repeats: false,
            environment: environment, isHidden: hidden)
    }
}

/// A heading in a command's help, over the options that belong together.
public struct OptionGroup: Sendable, Hashable {
    public let title: String
    public init(_ title: String) { self.title = title }
}

/// An option or a flag, as the parser and the help see it.
public struct OptionDeclaration: Sendable, Equatable {
    /// Without the dashes.
    public let name: String
    public let short: Character?
    /// What stands for its value in the help; nil where it takes none.
    public let placeholder: String?
    public let help: String
    public let group: OptionGroup
    /// What holds where it is not given, in words; nil where nothing does.
    public let standard: String?
    public let repeats: Bool
    public let environment: String?
    public let isHidden: Bool

    var takesValue: Bool { placeholder != nil }
}

/// Something a command takes by its place. Optional ones come last.
public struct Positional: Sendable, Equatable {
    /// In capitals, as the help shows it.
    public let name: String
    public let help: String
    public let isRequired: Bool

    public init(_ name: String, _ help: String, required: Bool = true) {
        self.name = name
        self.help = help
        isRequired = required
    }
}

/// One of the program's commands.
public struct Command: Sendable, Equatable {
    public let name: String
    /// One line.
    public let summary: String
    public let positionals: [Positional]
    public let options: [OptionDeclaration]
    /// What else there is to know, after the options: paragraphs.
    public let details: [String]
    /// Whole command lines, shown last.
    public let examples: [String]
    public let isHidden: Bool

    public init(
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

/// Why a value is not one; completes the sentence "invalid value '1x' for --trials: …".
public struct ValueError: Error, Equatable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }

    /// The whole sentence. `name` is the option, the variable or the setting that has the value.
    public func message(value: String, of name: String) -> String {
        "invalid value \(Spelling.quoted(value)) for \(name): \(reason)"
    }
}

/// What was wrong with a command line: one line for stderr, without the program's name.
public struct UsageError: Error, Equatable {
    public let message: String
    /// The word that is none of the command's, where that is what is wrong: others may know what it was meant for.
    public let stray: Stray?

    public init(_ message: String, stray: Stray? = nil) {
        self.message = message
        self.stray = stray
    }

    /// `--name value`, `--name=value` or `name=value`, as typed.
    public struct Stray: Equatable, Sendable {
        public let command: Command
        public let name: String
        public let value: String?
        /// All words after the command's name.
        public let line: [String]
    }
}
