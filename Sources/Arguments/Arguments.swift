import PotluckModel

/// What a command was given, checked against its declaration.
public struct Arguments: Sendable {
    private let options: [String: [String]]
    public let positionals: [String]

    init(options: [String: [String]], positionals: [String]) {
        self.options = options
        self.positionals = positionals
    }

    /// The value of an option, nil where it was not given.
    public subscript<Value>(_ option: Option<Value>) -> Value? {
        get throws(UsageError) { try all(option).last }
    }

    /// The values of an option that may be repeated, in the order given.
    public func all<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
        var values: [Value] = []
        for text in options[option.declaration.name] ?? [] {
            do throws(ValueError) {
                values.append(try option.read(text))
            } catch {
                let name = option.declaration.name
                throw UsageError("--\(name) \(Spelling.quoted(text)): \(error.reason)")
            }
        }
        return values
    }

    /// Whether an option was given, whatever it says.
    public func has(_ option: OptionDeclaration) -> Bool { options[option.name] != nil }

    public subscript(_ flag: Flag) -> Bool { options[flag.declaration.name] != nil }

    /// The positional argument of that number, nil where it was left out.
    public subscript(_ position: Int) -> String? {
        positionals.indices.contains(position) ? positionals[position] : nil
    }
}
