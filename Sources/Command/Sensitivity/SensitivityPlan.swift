import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The arguments of `potluck sensitivity`, checked, with the points that follow from them.
struct SensitivityPlan {
    let chosen: ChosenSimulation
    let ranges: [ParameterRange]
    /// The parameters' slots, of which those with a range are replaced.
    let fixed: [UInt64]
    let files: RunPlan.Files
    let seed: UInt64
    let rows: Int
    /// The trials of each point.
    let trials: UInt64
    /// The places of the readings to show.
    let places: [Int]

    private var simulation: AnySimulation { chosen.simulation }
    /// The points of a row: its two own ones, and one for each range.
    private var width: Int { ranges.count + 2 }

    /// The points of all rows. Row r draws the values of its first point and then those of its second one, in the order
    /// in which the ranges were given, from block r of the seed's random stream, lane 0.
    func points() throws -> [LocalSweep.Point] {
        let goal = Goal(trials: trials)
        var points: [LocalSweep.Point] = []
        points.reserveCapacity(rows * width)
        for row in 0..<UInt64(rows) {
            var random = RandomStream(seed: seed, block: row, lane: 0)
            let first = draw(&random)
            let second = draw(&random)
            let seeds = (0..<2).map { SweepPoint.seed(from: seed, [row, $0]) }
            points.append(.init(parameters: first, seed: seeds[0], goal: goal))
            points.append(.init(parameters: second, seed: seeds[1], goal: goal))
            for range in ranges {
                var mixed = first
                mixed[range.place] = second[range.place]
                points.append(.init(parameters: mixed, seed: seeds[0], goal: goal))
            }
        }
        for point in points { try check(point) }
        return points
    }

    private func draw(_ random: inout RandomStream) -> [UInt64] {
        var values = fixed
        for range in ranges { values[range.place] = range.draw(&random) }
        return values
    }

    private func check(_ point: LocalSweep.Point) throws {
        do {
            _ = try RunPlan.prepared(simulation, point.parameters, files.tables)
        } catch let error as UsageError {
            throw UsageError("\(name(of: point)): \(error.message); use narrower ranges")
        }
    }

    func name(of point: LocalSweep.Point) -> String {
        Sweep.name(
            ranges.map(\.name), ranges.map { simulation.parameters[$0.place].text(of: point.parameters[$0.place]) })
    }

    /// Returns the indices of each reading; nil for one that does not vary. `values` has the readings of each point.
    func indices(_ values: [[Double?]]) throws -> [SobolIndices?] {
        try places.indices.map { place in
            SobolIndices(
                try (0..<rows).map { row in
                    let own = try (0..<width).map { offset in
                        guard let value = values[row * width + offset][place] else {
                            let name = simulation.readings[places[place]].name
                            throw Failure(
                                message: "\(name) has no value at some points; use more --trials, or choose another "
                                    + "reading with --reading")
                        }
                        return value
                    }
                    return .init(first: own[0], second: own[1], mixed: Array(own[2...]))
                })
        }
    }

    private func named(_ indices: [SobolIndices?]) -> [(name: String, indices: SobolIndices?)] {
        zip(places, indices).map { (simulation.readings[$0].name, $1) }
    }

    func lines(_ indices: [SobolIndices?], _ command: [String], on canvas: Canvas) -> [StyledLine] {
        let heading =
            "\(simulation.name): the part of the variance that each parameter explains, from "
            + "\(Figures.grouped(UInt64(rows * width))) points of \(Figures.done(trials, simulation.unit))"
        return SensitivityView(ranges.map(\.name), named(indices)).lines(heading, on: canvas)
            + [StyledLine()] + canvas.proof(command: command)
    }

    /// A row for each parameter of each reading.
    func csv(_ indices: [SobolIndices?]) -> String {
        var text = RecordCSV.row(["reading", "parameter", "first", "firstHalfWidth", "total", "totalHalfWidth"])
        for (name, found) in named(indices) {
            for (place, range) in ranges.enumerated() {
                let (first, total) = (found?.first[place], found?.total[place])
                text += RecordCSV.row(
                    [name, range.name]
                        + [first?.value, first?.halfWidth, total?.value, total?.halfWidth].map(RecordCSV.number))
            }
        }
        return text
    }

    func json(_ indices: [SobolIndices?], _ command: [String]) -> JSON {
        func members(_ name: String, _ index: SobolIndices.Index?) -> [(key: String, value: JSON)] {
            [(name, JSON(index?.value)), ("\(name)HalfWidth", JSON(index?.halfWidth))]
        }
        let readings = named(indices).map { name, found in
            JSON.object([
                ("name", .string(name)),
                (
                    "parameters",
                    JSON(
                        ranges.indices.map { place in
                            JSON.object(
                                [("name", .string(ranges[place].name))] + members("first", found?.first[place])
                                    + members("total", found?.total[place]))
                        })
                ),
            ])
        }
        return .object([
            ("simulation", .string(simulation.name)), ("seed", JSON(seed)), ("rows", JSON(rows)),
            ("points", JSON(rows * width)), ("trials", JSON(trials)), ("readings", JSON(readings)),
            ("command", .string(command.joined(separator: " "))),
        ])
    }
}
