import PotluckCore
import PotluckSystem

/// What the host's page asks for about simulations in Python that its user writes. The node keeps them as files.
public enum ScriptRequest: Sendable, Equatable {
    /// The names of the files.
    case list
    /// A text to begin with, of a kind that `potluck new` has, for a file of this name.
    case new(kind: String, name: String)
    case open(name: String)
    /// Say what is wrong with a text. The page draws the number.
    case check(String, number: Int)
    /// Keep a text in the file of this name. `print` is the SHA-256 of what the page knows of that file; nil if it is new.
    case save(String, name: String, print: [UInt8]?)

    /// The length of a SHA-256 in bytes.
    private static let print = 32

    /// Returns the request; nil for another kind of message.
    static func decode(_ kind: String, _ json: JSON) throws(PageError) -> ScriptRequest? {
        func line(_ key: String) throws(PageError) -> String { try need(json[key]?.asLine(PageLimits.line), kind) }
        func text() throws(PageError) -> String { try need(json["text"]?.asString, kind) }
        switch kind {
        case "scripts": return .list
        case "new": return .new(kind: try line("kind"), name: try line("name"))
        case "open": return .open(name: try line("name"))
        case "check": return .check(try text(), number: try need(json["number"]?.asCount, kind))
        case "save":
            guard let print = json["print"] else { return .save(try text(), name: try line("name"), print: nil) }
            return .save(
                try text(), name: try line("name"), print: try need(print.asHexadecimal(Self.print), kind))
        default: return nil
        }
    }

    var json: JSON {
        switch self {
        case .list: ["do": "scripts"]
        case .new(let kind, let name): ["do": "new", "kind": .string(kind), "name": .string(name)]
        case .open(let name): ["do": "open", "name": .string(name)]
        case .check(let text, let number): ["do": "check", "text": .string(text), "number": JSON(number)]
        case .save(let text, let name, let print):
            ["do": "save", "text": .string(text), "name": .string(name), "print": JSON(print?.hexadecimal)]
        }
    }
}

/// What a node answers to a `ScriptRequest`.
public enum ScriptAnswer: Sendable, Equatable {
    /// What is wrong with a text, or why nothing came of a request.
    public struct Problem: Sendable, Equatable {
        /// From 1; nil if it is about no line.
        public let line: Int?
        public let text: String

        public init(_ line: Int?, _ text: String) { (self.line, self.text) = (line, text) }
    }

    case list([String])
    /// The text of a file, with its SHA-256; nil for one that is not kept yet.
    case text(String, name: String, print: [UInt8]?)
    /// What is wrong with the text of a check.
    case checked([Problem], number: Int)
    /// The file is kept. `simulation` is its description, as `potluck simulations --json` has it; nil if it cannot run.
    case saved(name: String, print: [UInt8], [Problem], simulation: JSON?)
    case refused(String)

    var json: JSON {
        switch self {
        case .list(let names): ["is": "scripts", "names": JSON(names.map(JSON.string))]
        case .text(let text, let name, let print):
            ["is": "script", "name": .string(name), "text": .string(text), "print": JSON(print?.hexadecimal)]
        case .checked(let problems, let number):
            ["is": "checked", "number": JSON(number), "problems": Self.json(problems)]
        case .saved(let name, let print, let problems, let simulation):
            [
                "is": "saved", "name": .string(name), "print": .string(print.hexadecimal),
                "problems": Self.json(problems), "simulation": simulation ?? .null,
            ]
        case .refused(let text): ["is": "unwritten", "text": .string(text)]
        }
    }

    private static func json(_ problems: [Problem]) -> JSON {
        JSON(problems.map { .array([$0.line.map { JSON($0) } ?? .null, .string($0.text)]) })
    }
}
