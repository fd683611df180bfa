import PotluckArguments
import PotluckConsole
import PotluckKit

/// The values of each parameter that a command was given: one value, or several to combine.
struct ParameterChoices {
    /// The parameters in the order in which they were given, with the texts of their values.
    private let given: [(name: String, values: [String])]
    private let most: Int

    /// Parses `NAME=VALUES`. Throws an error for the user if there are more than `most` combinations.
    init(_ given: [(name: String, value: String)], of simulation: AnySimulation, most: Int) throws {
        self.most = most
        var choices: [(name: String, values: [String])] = []
        for (name, text) in given {
            choices.append((name, try Self.values(name, text, of: simulation, most: most)))
        }
        self.given = choices
        let count = choices.reduce(1) { $0.multipliedReportingOverflow(by: $1.values.count).partialValue }
        guard count <= most, choices.allSatisfy({ $0.values.count <= most }) else {
            throw UsageError("more than \(most) points; use fewer values")
        }
    }

    /// The names of the parameters that have several values.
    var varied: [String] { given.filter { $0.values.count > 1 }.map(\.name) }

    /// Every value of the first parameter with every value of the second, and so on. The last one changes fastest.
    var combinations: [[(name: String, value: String)]] {
        var all: [[(name: String, value: String)]] = [[]]
        for (name, values) in given { all = all.flatMap { start in values.map { start + [(name, $0)] } } }
        return all
    }

    /// Returns the values that a text stands for: `8..13`, `0.1..0.5:0.05`, `3,5,10`, or a single value.
    private static func values(
        _ name: String, _ text: String, of simulation: AnySimulation, most: Int
    ) throws -> [String] {
        guard let parameter = simulation.parameters.first(where: { $0.label == name }),
            (try? parameter.slot(of: text)) == nil
        else { return [text] }
        var values: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            do throws(ValueError) {
                values += try SteppedRange.values(part, atMost: most) ?? [part]
            } catch {
                throw UsageError(error.message(value: text, of: "parameter '\(name)'"))
            }
        }
        return values
    }
}
