import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckNet
import PotluckScreen

/// `potluck doctor`: checks whether nodes can find each other from this machine, and prints problems with their fixes.
enum DoctorCommand {
    private static let json = CommonOptions.json

    static let verb = Verb(
        declaration: Command(
            "doctor", "check whether nodes can find each other from here",
            options: [json.declaration] + DiscoveryArguments.options,
            details: [
                "The check listens for a few seconds and asks nearby nodes to answer. It prints each problem and how to "
                    + "fix it, what limits the number of cores that compute by default, and whether simulations use vectors. The "
                    + "exit code is 0 if there is no problem and 1 otherwise."
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let options = try DiscoveryArguments.read(arguments)
        if !arguments[json], isatty(STDERR_FILENO) == 1 {
            try Output.write(
                "Listening for \(Int(Doctor.listening.seconds.rounded(.up))) seconds …\n", to: STDERR_FILENO)
        }
        let report = DoctorReport(await Doctor.examine(options))
        let findings = report.findings + [cores, lanes]
        if arguments[json] {
            try Output.write(value(findings, isHealthy: report.isHealthy).text + "\n")
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(findings.flatMap { lines($0, on: canvas) }))
        }
        return report.isHealthy ? .success : .failure
    }

    /// How many cores compute by default, and what limits them.
    private static var cores: DoctorReport.Finding {
        let granted = Machine.granted
        let words = granted.words.prefix(1).uppercased() + granted.words.dropFirst()
        let setting = Machine.cores < granted.count ? ", and the setting 'cores' is \(Machine.cores)" : ""
        return DoctorReport.Finding(
            topic: "cores", level: granted.source == .machine && setting.isEmpty ? .good : .note,
            text: "\(words)\(setting).", advice: nil)
    }

    /// How built-in simulations with lanes run.
    private static var lanes: DoctorReport.Finding {
        let kind = Vectors.chosen
        let (text, advice): (String, String?) =
            if lanesLibrary != nil {
                ("Simulations with lanes use this CPU's vectors (\(kind)).", nil)
            } else if Vectors.available == [.plain] {
                ("Simulations with lanes run without vectors, because this CPU has none that they use.", nil)
            } else if kind == .plain {
                ("Simulations with lanes run without vectors, because POTLUCK_KERNEL is plain.", nil)
            } else {
                (
                    "Simulations with lanes run without vectors, because a library for this CPU (\(kind)) is missing.",
                    "Run 'make build', or install potluck together with its folder lib/potluck."
                )
            }
        return DoctorReport.Finding(
            topic: "lanes", level: lanesLibrary == nil ? .note : .good, text: text, advice: advice)
    }

    private static func value(_ findings: [DoctorReport.Finding], isHealthy: Bool) -> JSON {
        [
            "healthy": JSON(isHealthy),
            "findings": JSON(
                findings.map { finding in
                    [
                        "topic": .string(finding.topic), "level": .string(finding.level.rawValue),
                        "text": .string(finding.text), "advice": JSON(finding.advice),
                    ]
                }),
        ]
    }

    private static func lines(_ finding: DoctorReport.Finding, on canvas: Canvas) -> [StyledLine] {
        let (mark, ink): (String, Ink) =
            switch finding.level {
            case .good: ("good", .good)
            case .note: ("note", .plain)
            case .problem: ("PROBLEM", .bad)
            }
        return NoteView.lines(mark: mark, ink, text: finding.text, advice: finding.advice, on: canvas)
    }
}
