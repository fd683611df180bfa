/// The help of a program or of a command, made from its declarations.
package struct Help: Sendable {
    private enum Part: Sendable {
        case text(String)
        /// A heading and lines that are not wrapped, because they are there to be copied.
        case lines(heading: String, [String])
        /// A heading, if there is one, and two columns.
        case rows(heading: String?, [(String, String)])
    }

    private let parts: [Part]

    /// The help of the program, with all its commands.
    init(_ program: Program) {
        let commands = program.commands.filter { !$0.isHidden }
        parts = [
            .text("Usage: \(program.name) COMMAND [OPTIONS]"),
            .text(Self.sentence(program.summary)),
            .rows(heading: "Commands:", commands.map { ($0.name, $0.summary) }),
            .text(
                "See '\(program.name) COMMAND --help' for a command and '\(program.name) --version' for the version."),
        ]
    }

    /// The help of one command.
    init(_ program: Program, _ command: Command) {
        let options = command.options.filter { !$0.isHidden }
        var parts: [Part] = [
            .text("Usage: \(program.name) \(Self.usage(command))"), .text(Self.sentence(command.summary)),
        ]
        if !command.positionals.isEmpty {
            parts.append(.rows(heading: nil, command.positionals.map { ($0.name, $0.help) }))
        }
        for group in Self.groups(options) {
            let rows = options.filter { $0.group == group }.map { (Self.spelled($0), Self.explained($0)) }
            parts.append(.rows(heading: group.title + ":", rows))
        }
        parts.append(.rows(heading: nil, [("-h, --help", "show this help")]))
        parts += command.details.map(Part.text)
        if !command.examples.isEmpty {
            parts.append(.lines(heading: "Examples:", command.examples.map { "\(program.name) \($0)" }))
        }
        self.parts = parts
    }

    /// Returns the groups of these options, in the order of their first options.
    static func groups(_ options: [OptionDeclaration]) -> [OptionGroup] {
        var seen: Set<OptionGroup> = []
        return options.map(\.group).filter { seen.insert($0).inserted }
    }

    /// `run a program` as `Run a program.`
    static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }

    /// Returns the lines for a terminal with this many columns, at most `widest`.
    package func lines(columns: Int = widest) -> [String] {
        let width = max(10, min(columns, Self.widest))
        // One column of names for the whole help.
        let left =
            parts.map { if case .rows(_, let rows) = $0 { rows.map(\.0.count).max() ?? 0 } else { 0 } }.max() ?? 0
        return Array(
            parts.map { part in
                switch part {
                case .text(let text): Self.wrap(text, to: width)
                case .lines(let heading, let lines): [heading] + lines.map { "  " + $0 }
                case .rows(let heading, let rows): (heading.map { [$0] } ?? []) + Self.table(rows, left, width)
                }
            }.joined(separator: [""]))
    }

    /// Longer lines are hard to read.
    package static let widest = 80

    /// Returns the usage, such as `run NAME [OPTIONS]`.
    static func usage(_ command: Command) -> String {
        var words = [command.name]
        words += command.positionals.map { positional in
            let name = positional.name + (positional.repeats ? "..." : "")
            return positional.isRequired ? name : "[\(name)]"
        }
        if command.options.contains(where: { !$0.isHidden }) { words.append("[OPTIONS]") }
        return words.joined(separator: " ")
    }

    private static func spelled(_ option: OptionDeclaration) -> String {
        let value = option.placeholder.map { " " + $0 } ?? ""
        return (option.short.map { "-\($0), " } ?? "") + "--\(option.name)" + value
    }

    /// Notes up to this length are not broken over two lines.
    private static let longestWhole = 20
    /// Stands for a space at which a line must not end.
    private static let unbroken = "\u{a0}"

    static func explained(_ option: OptionDeclaration) -> String {
        let notes =
            (option.standard.map { ["default: \($0)"] } ?? []) + (option.repeats ? ["repeatable"] : [])
            + (option.environment.map { ["env: \($0)"] } ?? [])
        guard !notes.isEmpty else { return option.help }
        let text = "(\(notes.joined(separator: "; ")))"
        return option.help + " " + (text.count <= longestWhole ? text.replacing(" ", with: unbroken) : text)
    }

    /// Formats two columns and wraps the second. If there is no room for two, the second goes below the first.
    private static func table(_ rows: [(String, String)], _ left: Int, _ width: Int) -> [String] {
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

    /// Breaks a text into lines between words. A word that is wider than a line stays whole.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        // Two blanks in a row may belong to a file's name.
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [""] : lines.map { $0.replacing(unbroken, with: " ") }
    }
}
