/// Something a command takes by name: `--trials N`, `--json`.
///
/// Declare it once as a constant with the type of its value, list it in its command, and ask the arguments for it:
///
///     static let trials = Option("trials", "N", "compute N trials", Quantities.trials)
///     let wanted = try arguments[trials]      // UInt64?
public struct Option<Value: Sendable>: Sendable {
    public let declaration: OptionDeclaration
    let read: @Sendable (String) throws(ValueError) -> Value

    /// `placeholder` stands for the value in the help, `environment` names a variable that gives it where nobody types it.
    public init(
        _ name: String, short: Character? = nil, _ placeholder: String, _ help: String, repeats: Bool = false,
        environment: String? = nil, hidden: Bool = false,
        _ read: @escaping @Sendable (String) throws(ValueError) -> Value
    ) {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: placeholder, help: help, repeats: repeats, environment: environment,
            isHidden: hidden)
        self.read = read
    }
}

/// An option without a value: it is there or it is not.
public struct Flag: Sendable {
    public let declaration: OptionDeclaration

    public init(
        _ name: String, short: Character? = nil, _ help: String, environment: String? = nil, hidden: Bool = false
    ) {
        declaration = OptionDeclaration(
            name: name, short: short, placeholder: nil, help: help, repeats: false, environment: environment,
            isHidden: hidden)
    }
}

/// An option or a flag, as the parser and the help see it.
public struct OptionDeclaration: Sendable, Equatable {
    /// Without the dashes.
    public let name: String
    public let short: Character?
    /// What stands for its value in the help; nil where it takes none.
    public let placeholder: String?
    public let help: String
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
    public let isHidden: Bool

    public init(
        _ name: String, _ summary: String, positionals: [Positional] = [], options: [OptionDeclaration] = [],
        details: [String] = [], hidden: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.positionals = positionals
        self.options = options
        self.details = details
        isHidden = hidden
    }
}

/// Why a value is not one; completes the sentence "--trials 1x: …".
public struct ValueError: Error, Equatable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
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
