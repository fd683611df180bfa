import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The readings that a command shows: those that the user names, or all with a value.
enum ChosenReadings {
    static let option = Option(
        "reading", "NAME", "show only this reading", in: .output, repeats: true, CommonOptions.text)

    /// Returns the places of the readings.
    static func places(_ arguments: Arguments, of simulation: AnySimulation) throws -> [Int] {
        let known = simulation.readings.indices.filter { simulation.readings[$0].kind.isNumber }
        guard !known.isEmpty else { throw UsageError("\(simulation.name) has no reading with a value") }
        var places: [Int] = []
        for name in try arguments.all(option) {
            guard let place = known.first(where: { simulation.readings[$0].name == name }) else {
                throw unknown(name, "with a value", of: simulation, among: known.map { simulation.readings[$0].name })
            }
            guard !places.contains(place) else { throw UsageError("reading '\(name)' is given twice") }
            places.append(place)
        }
        return places.isEmpty ? Array(known) : places
    }

    /// The error for a name that is none of `others`, which are all readings of a kind.
    static func unknown(
        _ name: String, _ kind: String, of simulation: AnySimulation, among others: [String]
    ) -> UsageError {
        let hint = Spelling.hint(for: name, among: others)
        let list = others.isEmpty ? "; it has none" : "; readings: \(others.joined(separator: ", "))"
        return UsageError(
            "\(simulation.name) has no reading \(Spelling.quoted(name)) \(kind)" + (hint.isEmpty ? list : hint))
    }
}
