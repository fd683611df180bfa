import PotluckKit
import PotluckScreen

/// The values of each parameter that a command was given: one value, or several to combine.
package struct ParameterChoices {
    /// The parameters in the order in which they were given, with the texts of their values.
    private let given: [(name: String, values: [String])]

    /// Parses `NAME=VALUES`. Throws an error for the user if there are more than `most` combinations.
    package init(_ given: [(name: String, value: String)], of simulation: AnySimulation, most: Int) throws {
        var choices: [(name: String, values: [String])] = []
        var count = 1
        for (name, text) in given {
            guard !choices.contains(where: { $0.name == name }) else {
                throw UsageError("parameter '\(name)' is given twice")
            }
            let values = try Self.values(name, text, of: simulation, most: most)
            // Both factors are small here, so their product does not overflow.
            count *= values.count
            guard count <= most else { throw UsageError("more than \(most) points; use fewer values") }
            choices.append((name, values))
        }
        self.given = choices
    }

    /// The names of the parameters that have several values.
    package var varied: [String] { given.filter { $0.values.count > 1 }.map(\.name) }

    /// Every value of the first parameter with every value of the second, and so on. The last one changes fastest.
    package var combinations: [[(name: String, value: String)]] {
        var all: [[(name: String, value: String)]] = [[]]
        for (name, values) in given { all = all.flatMap { start in values.map { start + [(name, $0)] } } }
        return all
    }

    /// Returns the texts of these parameters; empty for one that was not given. The last text of a name counts.
    package static func values(of names: [String], in given: [(name: String, value: String)]) -> [String] {
        names.map { name in given.last { $0.name == name }?.value ?? "" }
    }

    /// Returns the values that a text stands for: `8..13`, `0.1..0.5:0.05`, `3,5,10`, or a single value.
    private static func values(
        _ name: String, _ text: String, of simulation: AnySimulation, most: Int
    ) throws -> [String] {
        guard let parameter = simulation.parameters.first(where: { $0.label == name }),
            (try? parameter.slot(of: text)) == nil
        else { return [text] }
        // In a list of names, a comma stands between the names.
        if case .several = parameter.domain { return [text] }
        var values: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard values.count <= most else { throw UsageError("more than \(most) points; use fewer values") }
            do throws(ValueError) {
                values += try SteppedRange.values(part, atMost: most) ?? [part]
            } catch {
                throw UsageError(error.message(value: text, of: "parameter '\(name)'"))
            }
        }
        return values
    }
}
