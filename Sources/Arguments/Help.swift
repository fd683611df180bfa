/// The help of a program or of one command, made from what is declared.
public struct Help: Sendable, Equatable {
    public let lines: [String]

    /// The program with all its commands.
    init(_ program: Program) {
        let commands = program.commands.filter { !$0.isHidden }
        lines =
            ["\(program.name): \(program.summary)", "", "Usage: \(program.name) COMMAND [OPTIONS]", ""]
            + Self.columns(commands.map { ($0.name, $0.summary) })
            + [
                "", "\(program.name) COMMAND --help explains a command; \(program.name) --version prints the version.",
            ]
    }

    /// One command.
    init(_ program: Program, _ command: Command) {
        var lines = ["\(program.name) \(command.name): \(command.summary)", ""]
        lines += ["Usage: \(program.name) \(Self.usage(command))", ""]
        if !command.positionals.isEmpty {
            lines += Self.columns(command.positionals.map { ($0.name, $0.help) }) + [""]
        }
        let shown = command.options.filter { !$0.isHidden }
        lines += Self.columns(shown.map { (Self.spelled($0), Self.explained($0)) } + [("--help, -h", "show this help")])
        if !command.details.isEmpty { lines += [""] + command.details }
        self.lines = lines
    }

    public var text: String { lines.map { $0 + "\n" }.joined() }

    /// `run SIMULATION [OPTIONS]`
    static func usage(_ command: Command) -> String {
        var words = [command.name]
        words += command.positionals.map { $0.isRequired ? $0.name : "[\($0.name)]" }
        if command.options.contains(where: { !$0.isHidden }) { words.append("[OPTIONS]") }
        return words.joined(separator: " ")
    }

    private static func spelled(_ option: OptionDeclaration) -> String {
        let value = option.placeholder.map { " " + $0 } ?? ""
        return "--\(option.name)" + (option.short.map { ", -\($0)" } ?? "") + value
    }

    private static func explained(_ option: OptionDeclaration) -> String {
        option.help + (option.repeats ? "; may be repeated" : "") + (option.environment.map { " (or \($0)=…)" } ?? "")
    }

    /// Two columns; what is too long for the second goes on under it.
    private static func columns(_ rows: [(String, String)]) -> [String] {
        let left = rows.map(\.0.count).max() ?? 0
        return rows.flatMap { row in
            wrap(row.1, to: max(20, width - left - 4)).enumerated().map { index, line in
                let head = index == 0 ? row.0 : ""
                return "  " + head + String(repeating: " ", count: left + 2 - head.count) + line
            }
        }
    }

    /// What every terminal has.
    private static let width = 80

    private static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [""] : lines
    }
}
