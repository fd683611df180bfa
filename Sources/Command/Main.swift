import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// The program `potluck`: finds the command and runs it.
@main
enum Main {
    static let verbs: [Verb] =
        [
            SimulationsCommand.verb, RunCommand.verb, MergeCommand.verb, CampaignCommand.verb, ScaleCommand.verb,
            DifferenceCommand.verb, SensitivityCommand.verb, LaunchCommand.verb, NewCommand.verb, BuildCommand.verb,
            CheckCommand.verb,
            ReplayCommand.verb, TrialCommand.verb, ServeCommand.verb, JoinCommand.verb, PeerCommand.verb,
            WatchCommand.verb,
        ] + JobCommands.verbs + [
            TakeOverCommand.verb, SayCommand.verb, KickCommand.verb, WebCommand.verb, HistoryCommand.verb,
            ReportCommand.verb, BenchCommand.verb,
            ConfigCommand.verb,
            BrowseCommand.verb, DoctorCommand.verb, CompletionsCommand.verb, CompleteCommand.verb, ManualCommand.verb,
        ]

    static let program = Program(
        "potluck", version: potluckVersion, summary: "run simulations on one machine or on all laptops in a room",
        commands: verbs.map(\.declaration),
        synonyms: [
            "list": ["simulations", "history"], "ls": ["simulations", "history"], "runs": ["history"],
            "status": ["watch", "browse"], "ps": ["watch"], "top": ["watch"], "stop": ["cancel"], "kill": ["cancel"],
            "start": ["run", "serve"], "host": ["serve"], "connect": ["join"], "continue": ["resume"],
            "plot": ["history"], "export": ["history"], "compare": ["history"], "settings": ["config"], "page": ["web"],
            "browser": ["web"], "qr": ["web"], "mpirun": ["launch"], "mpiexec": ["launch"],
        ])

    static func main() {
        // Copy the arguments, then hide the join code before doing anything that takes time.
        let words = Array(CommandLine.arguments.dropFirst())
        CommandLineText.hideCode()
        // Before the first thread: threads inherit the signal mask.
        Interrupts.begin()
        TerminalMode.watchForCrashes()
        Descriptors.raiseLimit()
        // Detached, because the main thread waits for signals.
        Task.detached { leave(await result(words)) }
        Interrupts.wait()
    }

    private static func result(_ words: [String]) async -> ExitCode {
        do {
            switch try program.parse(words, environment: Environment.all) {
            case .help(let help):
                let canvas = Terminal.canvas(of: STDOUT_FILENO)
                // Examples are there to be copied, so the terminal breaks them and nothing is cut.
                let wide = Canvas(columns: .max, unicode: canvas.unicode, colour: false)
                try Output.write(wide.text(help.lines(columns: canvas.columns).map { StyledLine($0) }))
            case .version: try Output.write("\(program.name) \(program.version)\n")
            case .run(let command, let arguments):
                guard let verb = verbs.first(where: { $0.declaration == command }) else { return .failure }
                // `potluck config` must work with invalid settings, to repair them.
                if command != ConfigCommand.verb.declaration { try Settings.check() }
                try LogArguments.apply(arguments)
                return try await verb.run(arguments)
            }
            return .success
        } catch let error as UsageError {
            Output.complain(error.stray.flatMap(ParameterHint.text) ?? error.message)
            return .usage
        } catch let error as Failure {
            Output.complain(error.message)
            return error.code.map { ExitCode(rawValue: $0) } ?? .failure
        } catch let error as OutputError {
            return Output.end(after: error)
        } catch {
            Output.complain("\(error)")
            return .failure
        }
    }
}
