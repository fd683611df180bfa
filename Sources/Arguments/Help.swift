/// The help of a program or of a command, made from its declarations.
public struct Help: Sendable {
    private enum Part: Sendable {
        case text(String)
        case rows([(String, String)])
    }

    private let parts: [Part]

    /// The help of the program, with all its commands.
    init(_ program: Program) {
        let commands = program.commands.filter { !$0.isHidden }
        parts = [
            .text("\(program.name): \(program.summary)"),
            .text("Usage: \(program.name) COMMAND [OPTIONS]"),
            .rows(commands.map { ($0.name, $0.summary) }),
            .text("\(program.name) COMMAND --help explains a command; \(program.name) --version prints the version."),
        ]
    }

    /// The help of one command.
    init(_ program: Program, _ command: Command) {
        let options = command.options.filter { !$0.isHidden }.map { (Self.spelled($0), Self.explained($0)) }
        var parts: [Part] = [
            .text("\(program.name) \(command.name): \(command.summary)"),
            .text("Usage: \(program.name) \(Self.usage(command))"),
        ]
        if !command.positionals.isEmpty { parts.append(.rows(command.positionals.map { ($0.name, $0.help) })) }
        parts.append(.rows(options + [("--help, -h", "show this help")]))
        self.parts = parts + command.details.map(Part.text)
    }

    /// Returns the lines for a terminal with this many columns, at most `widest`.
    public func lines(columns: Int = widest) -> [String] {
        let width = max(10, min(columns, Self.widest))
        return Array(
            parts.map { part in
                switch part {
                case .text(let text): Self.wrap(text, to: width)
                case .rows(let rows): Self.table(rows, width)
                }
            }.joined(separator: [""]))
    }

    /// Longer lines are hard to read.
    public static let widest = 80

    /// Returns the usage, such as `run NAME [OPTIONS]`.
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

    /// Formats two columns and wraps the second. If there is no room for two, the second goes below the first.
    private static func table(_ rows: [(String, String)], _ width: Int) -> [String] {
        let left = rows.map(\.0.count).max() ?? 0
        guard width - left - 4 >= 20 else {
            return rows.flatMap { ["  " + $0.0] + wrap($0.1, to: width - 4).map { "    " + $0 } }
        }
        return rows.flatMap { row in
            wrap(row.1, to: width - left - 4).enumerated().map { index, line in
                let head = index == 0 ? row.0 : ""
                return "  " + head + String(repeating: " ", count: left + 2 - head.count) + line
            }
        }
    }

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
