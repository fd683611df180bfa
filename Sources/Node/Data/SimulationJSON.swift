import PotluckCore
import PotluckKit
import PotluckMachine

/// The declaration of a simulation as JSON.
package enum SimulationJSON {
    /// `module` is the hash of the module that nodes without the simulation fetch; nil if there is none.
    package static func value(_ simulation: AnySimulation, module: String?) -> JSON {
        let prepared = try? simulation.prepared(simulation.standardParameters)
        let exact = prepared?.read(simulation.layout.empty, 0).map(\.exact) ?? []
        return [
            "name": .string(simulation.name), "summary": .string(simulation.summary),
            "source": .string(simulation.source), "module": module.map { .string($0) } ?? .null,
            "blockSize": prepared.map { JSON($0.blockSize) } ?? .null,
            // Whether a run without a limit ends.
            "ends": JSON(simulation.shape != .tally),
            "parameters": JSON(simulation.parameters.map(parameter)),
            "readings": JSON(
                simulation.readings.enumerated().map { index, reading in
                    [
                        "name": .string(reading.name), "kind": .string(reading.kind.word),
                        "exact": JSON(exact.indices.contains(index) ? exact[index] : nil),
                    ]
                }),
        ]
    }

    private static func parameter(_ parameter: ParameterDescription) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("name", .string(parameter.label)), ("help", .string(parameter.help.description)),
        ]
        switch parameter.domain {
        case .integer(let range):
            members += [
                ("kind", .string("integer")), ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound)),
            ]
        case .real(let range):
            members += [
                ("kind", .string("real")), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ]
        case .choice(let names):
            members += [
                ("kind", .string("choice")), ("choices", JSON(names.map { .string($0.description) })),
            ]
        case .flag: members += [("kind", .string("flag"))]
        case .several(let names, let count):
            members += [
                ("kind", .string("several")), ("choices", JSON(names.map { .string($0.description) })),
                ("minimum", JSON(count.lowerBound)), ("maximum", JSON(count.upperBound)),
            ]
        }
        return .object(members + [("default", parameter.json(parameter.standard))])
    }
}

extension ParameterDescription {
    /// A parameter's value in the matching JSON type.
    package func json(_ slot: UInt64) -> JSON {
        switch domain {
        case .integer: .integer(Int64(bitPattern: slot))
        case .real: .number(Double(bitPattern: slot))
        case .choice: .string(text(of: slot))
        case .flag: .bool(slot != 0)
        case .several(let names, _):
            JSON(names.indices.filter { slot >> UInt64($0) & 1 == 1 }.map { .string(names[$0].description) })
        }
    }
}

extension ReadingKind {
    var word: String {
        switch self {
        case .proportion: "proportion"
        case .mean: "mean"
        case .variance: "variance"
        case .derived: "derived"
        case .histogram: "histogram"
        case .category: "category"
        case .series: "series"
        case .histogram2D: "histogram2d"
        }
    }
}
