import Glibc
import Potluck
import PotluckCore
import PotluckRanks
import PotluckScreen

/// Runs a program with ranks, shows it, and writes its output.
struct LaunchController {
    private let plan: LaunchPlan
    private let arguments: Arguments
    private let output: OutputFile?
    private let trace: OutputFile?
    let printer: LaunchPrinter

    init(_ plan: LaunchPlan, _ arguments: Arguments) throws {
        (self.plan, self.arguments) = (plan, arguments)
        let paths = (try arguments[LaunchCommand.output], try arguments[LaunchCommand.trace])
        if let path = paths.0, path == paths.1 {
            throw UsageError("--output and --trace need different files")
        }
        output = try paths.0.map { try OutputFile($0, arguments) }
        trace = try paths.1.map { try OutputFile($0, arguments) }
        let (isJSON, isQuiet) = (arguments[CommonOptions.jsonLines], arguments[LogArguments.quiet])
        printer = LaunchPrinter(
            descriptor: output?.isStdout == true ? STDERR_FILENO : STDOUT_FILENO,
            style: isJSON ? .json : arguments[LaunchCommand.plain] ? .plain : .ranked, isQuiet: isQuiet,
            screen: isQuiet || isJSON ? nil : Screen.find(orStdout: false))
    }

    func run(_ launch: some RunningLaunch) async throws -> ExitCode {
        printer.onFailure { launch.stop() }
        Interrupts.stop { launch.stop() }
        if Interrupts.asked != nil { launch.stop() }
        printer.follow(launch)
        let outcome: Result<[UInt8], RankError>
        do throws(RankError) { outcome = .success(try await launch.run()) } catch { outcome = .failure(error) }
        await printer.end()
        if let error = printer.failure { throw error }
        let conclusion = Result { try conclude(outcome, launch) }
        // The output first: it is what the program was run for.
        try trace?.write {
            try Output.write(TraceText.text(launch.traces, laptops: launch.picture?.laptops ?? []), to: $0)
        }
        return try conclusion.get()
    }

    /// Writes the output and the summary.
    private func conclude(_ outcome: Result<[UInt8], RankError>, _ launch: some RunningLaunch) throws -> ExitCode {
        let picture = launch.picture
        let isJSON = arguments[CommonOptions.jsonLines]
        switch outcome {
        case .success(let octets):
            // A result that is announced must have been written.
            defer { if let picture { remark(launch, picture) } }
            if output != nil || !isJSON { try write(octets) }
            if isJSON, let picture {
                try Output.write(LaunchJSON.result(octets, picture).text + "\n", to: printer.descriptor)
            }
            return .success
        case .failure(let fault):
            var why = fault.description
            if case .crashed(_, _, let places) = fault {
                why = CrashReport.located(why, places: places, in: plan.octets)
            }
            if isJSON { try Output.write(LaunchJSON.failed(why, picture).text + "\n", to: printer.descriptor) }
            // The last line says how it ended.
            if let picture { remark(launch, picture) }
            guard fault != .stopped else {
                Output.complain("\(plan.module.label): stopped")
                return Interrupts.asked ?? .interrupted
            }
            throw Failure(message: "\(plan.module.label): \(why)", code: fault.code.map { Int32($0) })
        }
    }

    /// The longest output that is shown on a terminal without being asked for.
    private static let mostShown = 1 << 16

    private func write(_ octets: [UInt8]) throws {
        guard let output else {
            guard isatty(STDOUT_FILENO) == 1 else { return try Output.write(octets, to: STDOUT_FILENO) }
            guard !Self.isPicture(octets) else {
                return Output.complain("rank 0 wrote a picture; write it to a file with --output FILE")
            }
            guard octets.count <= Self.mostShown, let text = String(validating: octets, as: UTF8.self) else {
                return Output.complain(
                    "rank 0 wrote \(Figures.size(octets.count)); write them to a file with --output FILE")
            }
            let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
            return try Output.write(text.escapedForScreen(keeping: ["\n", "\t"]) + end)
        }
        try output.write { descriptor in
            var shown = ShownOctets()
            // On a terminal, escape control characters. A file or a pipe gets the bytes unchanged.
            if isatty(descriptor) == 1 {
                try Output.write(shown.show(octets), to: descriptor)
            } else {
                try Output.write(octets, to: descriptor)
            }
        }
    }

    /// Whether it is a PBM, PGM or PPM picture, whose numbers mean nothing on a terminal.
    private static func isPicture(_ octets: [UInt8]) -> Bool {
        octets.count > 2 && octets[0] == UInt8(ascii: "P")
            && (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(octets[1])
            && octets[2] == UInt8(ascii: "\n")
    }

    private func remark(_ launch: some RunningLaunch, _ picture: RankPicture) {
        let dropped = launch.traces.reduce(0) { $0 + $1.dropped }
        if dropped > 0 { Output.complain("the timeline lacks the last \(dropped) events; trace a shorter run") }
        if arguments[LaunchCommand.summary] {
            let canvas = Terminal.canvas(of: STDERR_FILENO)
            try? Output.write(canvas.text(RanksView.table(picture, on: canvas)), to: STDERR_FILENO)
        }
        // A program that has never begun has done nothing.
        guard picture.elapsed > .zero, !arguments[LogArguments.quiet], !arguments[CommonOptions.jsonLines] else {
            return
        }
        try? Output.write(RanksView.summary(picture) + "\n", to: STDERR_FILENO)
    }
}
