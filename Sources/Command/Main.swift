import PotluckArguments

/// The program: finds the command that was asked for and runs it.
@main
enum Main {
    static let verbs: [Verb] = [SimulationsCommand.verb, RunCommand.verb]

    static let program = Program(
        "potluck", version: Version.current, summary: "bring a laptop, get a cluster",
        commands: verbs.map(\.declaration))

    static func main() async {
        // Before any thread is made, because threads inherit which signals they leave to others.
        Interrupts.begin()
        leave(await result())
    }

    private static func result() async -> ExitCode {
        do {
            switch try program.parse(Array(CommandLine.arguments.dropFirst()), environment: Environment.all) {
            case .help(let help): try Output.write(help.text)
            case .version: try Output.write("\(program.name) \(program.version)\n")
            case .run(let command, let arguments):
                guard let verb = verbs.first(where: { $0.declaration == command }) else { return .failure }
                return try await verb.run(arguments)
            }
            return .success
        } catch let error as UsageError {
            Output.complain(error.message)
            return .usage
        } catch let error as Failure {
            Output.complain(error.message)
            return .failure
        } catch let error as OutputError {
            return Output.end(after: error)
        } catch {
            Output.complain("\(error)")
            return .failure
        }
    }
}
