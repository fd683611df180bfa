import PotluckArguments
import PotluckConsole
import PotluckKit

/// The sets of parameters that `potluck scale` measures.
enum ScalePoints {
    /// The most points of one command. More would be a mistake: each takes some runs.
    static let most = 1000

    /// Returns the points, and the names of the parameters that take several values: every value of the first with every
    /// value of the second, and so on.
    static func all(
        _ given: [(name: String, value: String)], of simulation: AnySimulation
    ) throws -> (varied: [String], points: [Scaling.Point]) {
        var choices: [(name: String, values: [String])] = []
        for (name, text) in given { choices.append((name, try values(name, text, simulation))) }
        let count = choices.reduce(1) { $0.multipliedReportingOverflow(by: $1.values.count).partialValue }
        guard count <= most, choices.allSatisfy({ $0.values.count <= most }) else {
            throw UsageError("more than \(most) points; use fewer values")
        }
        var points: [[String]] = [[]]
        for choice in choices { points = points.flatMap { point in choice.values.map { point + [$0] } } }
        let varied = choices.indices.filter { choices[$0].values.count > 1 }
        return (
            varied.map { choices[$0].name },
            try points.map { values in
                Scaling.Point(
                    varied: varied.map { values[$0] },
                    parameters: try RunPlan.parameters(zip(given, values).map { ($0.name, $1) }, of: simulation))
            }
        )
    }

    /// Returns the values that a text stands for: `8..13` for whole numbers, `8,10,12`, or a single value.
    private static func values(_ name: String, _ text: String, _ simulation: AnySimulation) throws -> [String] {
        guard let parameter = simulation.parameters.first(where: { $0.label == name }),
            (try? parameter.slot(of: text)) == nil
        else { return [text] }
        if let dots = text.firstRange(of: "..") {
            guard let first = Int(text[..<dots.lowerBound]), let last = Int(text[dots.upperBound...]) else {
                throw UsageError(
                    ValueError("a range has two whole numbers, such as 8..13").message(
                        value: text, of: "parameter '\(name)'"))
            }
            let (width, overflows) = last.subtractingReportingOverflow(first)
            guard !overflows, (0..<most).contains(width) else {
                throw UsageError(
                    ValueError("a range goes up, by at most \(most) values").message(
                        value: text, of: "parameter '\(name)'"))
            }
            return (first...last).map { "\($0)" }
        }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
