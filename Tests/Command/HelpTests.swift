import Testing

@testable import Potluck
@testable import PotluckCommand
@testable import PotluckScreen

/// Tests of the help of every command.
@Suite struct HelpTests {
    private static let commands = Main.verbs.map(\.declaration)

    private func help(_ command: Command) throws -> [String] {
        guard case .help(let help) = try Main.program.parse([command.name, "--help"]) else { return [] }
        return help.lines()
    }

    @Test(arguments: commands)
    func helpFitsATerminalAndBeginsWithTheUsage(_ command: Command) throws {
        let lines = try help(command)
        #expect(lines.first?.hasPrefix("Usage: potluck \(command.name)") == true)
        for line in lines { #expect(line.count <= Help.widest, "\(line)") }
    }

    /// An option that is listed twice would be parsed by its first declaration only.
    @Test(arguments: commands)
    func everyOptionIsListedOnceUnderItsGroup(_ command: Command) throws {
        let lines = try help(command)
        let shown = command.options.filter { !$0.isHidden }
        #expect(Set(command.options.map(\.name)).count == command.options.count)
        #expect(Set(shown.map(\.group)).allSatisfy { lines.contains($0.title + ":") })
        for option in shown {
            // The lines after the group's heading, up to the next blank line.
            let group = lines.drop { $0 != option.group.title + ":" }.dropFirst().prefix { !$0.isEmpty }
            let names = group.compactMap { $0.split(separator: " ").first { $0.hasPrefix("--") } }
            #expect(names.contains("--\(option.name)"), "\(option.name)")
        }
    }

    @Test func theMainCommandsHaveExamplesThatAreValid() throws {
        for name in ["run", "serve", "join", "peer", "watch", "history", "report", "config", "say"] {
            let command = try #require(Self.commands.first { $0.name == name })
            #expect(!command.examples.isEmpty && command.examples.allSatisfy { $0.hasPrefix(name) })
            #expect(try help(command).last == "  potluck \(command.examples.last ?? "")")
            for example in command.examples where !example.contains(where: { "[|'\"".contains($0) }) {
                let words = example.split(separator: " ").map(String.init)
                #expect(throws: Never.self, "\(example)") { try Main.program.parse(words) }
            }
        }
    }
}
