import PotluckKit
import PotluckMachine

/// Finds the line of a source file in which a module crashed. The module itself cannot tell: it stops with one
/// instruction, whatever was wrong. So the file is compiled again with the places of its source, and the failing block
/// runs once more.
package enum CrashReport {
    /// Returns the text with the facts about the crash in the place of its possible causes. `places` are those of the
    /// crash in the module, which was compiled with the places of its source.
    package static func located(_ text: String, places: [Int], in module: [UInt8]) -> String {
        guard !places.isEmpty, let place = try? PluginFiles.workshop().crashPlace(places, in: module) else {
            return text
        }
        if let vague = text.firstRange(of: SandboxError.crash) {
            return text[..<vague.lowerBound] + place.text + text[vague.upperBound...]
        }
        guard let line = place.words else { return text }
        // The part that stopped it knew why, and now the line is known.
        guard let known = text.firstRange(of: SandboxError.crashed) else { return text + " (\(line))" }
        return text[..<known.upperBound] + " in \(line)" + text[known.upperBound...]
    }

    /// Returns the message about a Swift file that crashed when it was asked for its description or its parameters.
    /// `failure` does the same with another build, whose lines are known.
    static func located(
        _ error: SandboxError, _ path: String, _ failure: ([UInt8]) -> SandboxError?
    ) -> String {
        guard path.hasSuffix(".swift"), !error.places.isEmpty,
            let module = try? PluginFiles.workshop().build(path, label: path, .traced).module,
            let places = failure(module)?.places, !places.isEmpty
        else { return error.reason }
        let place = try? PluginFiles.workshop().crashPlace(places, in: module)
        // Without a sentence of the kit, the compiler's notes say more than the general message.
        if case .undescribed(nil, _) = error, let place, let cause = place.cause {
            let line = place.line.map { " in line \($0)" } ?? ""
            return "\(SandboxError.crashed)\(line) while describing itself: \(cause)"
        }
        return located(error.reason, places: places, in: module)
    }

    /// Returns the same simulation, which names the line in which it crashes while it takes its parameters and tables.
    package static func locating(_ simulation: AnySimulation, _ path: String, _ plugin: Plugin) -> AnySimulation {
        AnySimulation(
            name: simulation.name, summary: simulation.summary, source: simulation.source,
            parameters: simulation.parameters, layout: simulation.layout, readings: simulation.readings,
            shape: simulation.shape, inputs: simulation.inputs
        ) { values, tables in
            do throws(ParameterError) {
                return .success(try simulation.prepared(values, tables: tables))
            } catch {
                guard case .failed(let failure) = error else { return .failure(error) }
                let text = located(failure.reason, path, plugin) {
                    $0.failure(parameters: values, tables: tables, seed: 0, block: 0)
                }
                return .failure(.failed(SimulationFailure(text, block: failure.block)))
            }
        }
    }

    /// Returns the text with the facts about the crash in the place of its possible causes. `failure` repeats the crash
    /// with another build of the plugin.
    package static func located(_ text: String, _ path: String, _ plugin: Plugin, _ failure: (Plugin) -> SandboxError?)
        -> String
    {
        guard path.hasSuffix(".swift"), text.contains(SandboxError.crashed + ": "),
            let module = try? PluginFiles.workshop().build(path, label: path, .traced).module,
            let traced = try? PluginFiles.plugin(path, of: module, plugin.limits),
            let places = failure(traced)?.places
        else { return text }
        return located(text, places: places, in: module)
    }
}
