/// Manual pages, made from a program's declarations, in the language of `man`.
package struct ManualPage: Sendable {
    /// The name of the file: `potluck-run.1`.
    public let name: String
    public let text: String

    /// One page for the program and one for each of its commands.
    public static func all(of program: Program) -> [ManualPage] {
        let commands = program.commands.filter { !$0.isHidden }
        return [ManualPage(name: "\(program.name).1", text: whole(program, commands))]
            + commands.map { ManualPage(name: "\(program.name)-\($0.name).1", text: page(program, $0)) }
    }

    private static func whole(_ program: Program, _ commands: [Command]) -> String {
        var lines = head(program.name, program.version, program.summary)
        lines += [".B \(escaped(program.name))", ".I COMMAND", "[\\fIOPTIONS\\fR]", ".SH COMMANDS"]
        for command in commands {
            lines += [".TP", ".BR \(escaped("\(program.name)-\(command.name)")) (1)", escaped(command.summary)]
        }
        lines += [
            ".SH OPTIONS", ".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "show the help, also of a command", ".TP",
            "\\fB\\-V\\fR, \\fB\\-\\-version\\fR", "show the version",
        ]
        return (lines + exits).joined(separator: "\n") + "\n"
    }

    private static func page(_ program: Program, _ command: Command) -> String {
        var lines = head("\(program.name)-\(command.name)", program.version, command.summary)
        lines += ["\\fB\(escaped(program.name))\\fR \(escaped(Help.usage(command)))"]
        lines += [".SH DESCRIPTION"] + command.details.flatMap { [escaped($0), ".PP"] }
        if command.details.isEmpty { lines.append(escaped(Help.sentence(command.summary))) }
        for positional in command.positionals {
            lines += [".TP", "\\fI\(escaped(positional.name))\\fR", escaped(positional.help)]
        }
        lines.append(".SH OPTIONS")
        let options = command.options.filter { !$0.isHidden }
        for group in Help.groups(options) {
            lines.append(".SS \(escaped(group.title))")
            for option in options where option.group == group {
                let value = option.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
                let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
                lines += [
                    ".TP", "\(short)\\fB\\-\\-\(escaped(option.name))\\fR\(value)", escaped(Help.explained(option)),
                ]
            }
        }
        lines += [".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "show this help"]
        if !command.examples.isEmpty {
            lines += [".SH EXAMPLES", ".nf"] + command.examples.map { escaped("\(program.name) \($0)") } + [".fi"]
        }
        return (lines + exits + [".SH SEE ALSO", ".BR \(escaped(program.name)) (1)"]).joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ version: String, _ summary: String) -> [String] {
        [
            // For versions of man that do not expect UTF-8.
            ".\\\" -*- coding: utf-8 -*-",
            ".TH \(escaped(name.uppercased())) 1 \"\" \"\(escaped(version))\"", ".SH NAME",
            "\(escaped(name)) \\- \(escaped(summary))", ".SH SYNOPSIS",
        ]
    }

    private static let exits = [
        ".SH EXIT STATUS", "0 on success, 1 for a failure, 2 for wrong usage, 130 after Ctrl\\-C, 143 after SIGTERM.",
    ]

    /// Dashes are those that users type, and no text begins a request.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\u{a0}", with: " ")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
