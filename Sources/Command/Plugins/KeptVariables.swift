import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine

/// The variables of an author's file that keep something.
enum KeptVariables {
    /// Returns the text with their names, if it says that the simulation keeps something and its source is here.
    static func named(_ text: String, _ chosen: ChosenSimulation, parameters: [UInt64], tables: [Table]) -> String {
        guard let found = text.firstRange(of: SandboxError.keeping),
            let names = names(chosen, parameters: parameters, tables: tables), !names.isEmpty
        else { return text }
        let said = "it keeps something from one trial to the next, in \(names.joined(separator: " and "))"
        return text[..<found.lowerBound] + said + text[found.upperBound...]
    }

    /// Returns the names of the variables of a Swift file that keep something from call to call. Nil if that is not
    /// known: of a module nobody knows which part of its memory is a variable.
    static func names(_ chosen: ChosenSimulation, parameters: [UInt64], tables: [Table]) -> [String]? {
        // The places of variables are those of the plain module.
        guard chosen.typed.hasSuffix(".swift"), let file = chosen.file, let limits = chosen.plugin?.limits,
            let plugin = try? PluginFiles.plugin(chosen.typed, of: file, limits, usesLanes: false),
            let variables = try? PluginFiles.workshop().globalVariables(
                chosen.typed, label: Spelling.path(chosen.typed)),
            let kept = plugin.remembered(at: variables.map(\.place), parameters: parameters, tables: tables)
        else { return nil }
        // One variable may have several places.
        var names: [String] = []
        for name in kept.map({ variables[$0].name.escapedForScreen }) where !names.contains(name) { names.append(name) }
        return names
    }
}
