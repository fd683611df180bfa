import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// Hints for a parameter that was written as an option or an argument, such as `--limit 1000` or `limit=1000`.
enum ParameterHint {
    /// Returns the correct spelling, or nil if no simulation on the command line has such a parameter.
    static func text(_ stray: UsageError.Stray) -> String? {
        let options = stray.command.options
        guard options.contains(RunPlan.parameter.declaration) else { return nil }
        // A name that resembles an option is a misspelt option. Then only a parameter of exactly this name counts.
        let isSlip = Spelling.nearest(to: stray.name, among: options.map(\.name)) != nil
        for word in stray.line {
            let subject = word.hasPrefix("--run=") ? String(word.dropFirst("--run=".count)) : word
            let names = names(of: subject)
            let near = isSlip ? nil : Spelling.nearest(to: stray.name, among: names)
            guard let name = names.first(where: { $0 == stray.name }) ?? near else { continue }
            // In `run --list primes` the word after the option is the simulation, not a value.
            let value = stray.value.flatMap { $0 != word && $0.isFitForScreen ? $0 : nil } ?? "VALUE"
            return
                "'\(name)' is a parameter of \(Spelling.path(subject)); use -p \(ShellWord.quoted("\(name)=\(value)"))"
        }
        return nil
    }

    /// The parameters of a simulation, or of the simulation in a file.
    static func names(of subject: String) -> [String] {
        if subject.hasSuffix(".swift") { return names(inSource: subject) }
        if subject.hasSuffix(".py") { return names(inPython: subject) }
        return simulation(subject)?.parameters.map(\.label) ?? []
    }

    /// A built-in simulation, or the one in a module. Nil for a source file: to compile it would take too long.
    static func simulation(_ subject: String) -> AnySimulation? {
        guard PluginFiles.isFile(subject) else { return catalogue.first { $0.name == subject } }
        guard subject.hasSuffix(".wasm") else { return nil }
        let limits = PluginLimits(memory: PluginLimits.standardMemory, time: PluginLimits.standardTime)
        return try? PluginFiles.plugin(subject, limits).simulation
    }

    /// Searches the source text for declared parameters. Compiling the file for a hint would take too long.
    private static func names(inSource path: String) -> [String] {
        let source = source(path)
        return source.ranges(of: "@Parameter(\"").map { String(source[$0.upperBound...].prefix { $0 != "\"" }) }
            .filter(\.isFitForScreen)
    }

    /// The same in Python: `stop_early = Parameter(…)` declares `stop-early`.
    private static func names(inPython path: String) -> [String] {
        let lines: [Substring] = source(path).split(separator: "\n")
        return lines.compactMap { line -> String? in
            let words: [Substring] = line.split(separator: " ")
            let isDeclared = ["Parameter(", "potluck.Parameter("].contains {
                words.dropFirst(2).first?.hasPrefix($0) ?? false
            }
            return isDeclared && words[1] == "=" ? String(words[0]).replacing("_", with: "-") : nil
        }.filter(\.isFitForScreen)
    }

    /// The beginning of a file; empty if it cannot be read.
    private static func source(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var octets = [UInt8](repeating: 0, count: largestSource)
        let count = fread(&octets, 1, octets.count, file)
        return String(decoding: octets.prefix(count), as: UTF8.self)
    }

    /// How many bytes of a source file are searched. Parameters are declared near the top, so 256 KiB are plenty.
    private static let largestSource = 1 << 18
}
