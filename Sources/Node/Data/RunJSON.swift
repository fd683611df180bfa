import PotluckCore
import PotluckKit
import PotluckScreen

/// Results as JSON for other programs.
package enum RunJSON {
    /// The version of the members of a run, which docs/HISTORY.md lists. Members are added without another version; one that
    /// is removed or gets another meaning needs it.
    static let schema = 1

    /// The members of a result, with the names from the simulation's declaration. If `simulation` is nil (unknown on
    /// this machine), only the parameters and counts that the job's title names are included.
    package static func members(
        _ result: JobResult, digest: String, of simulation: AnySimulation?, solution: [UInt8]? = nil,
        warnings: [String] = []
    ) -> [(key: String, value: JSON)] {
        let record = RunRecord(key: "", result, of: simulation, digest: digest, startedAt: 0)
        return RecordJSON.ofResult(record, of: simulation)
            + (result.spec.isSearch ? effort(result.nodes.effort) : []) + self.solution(solution)
            + (warnings.isEmpty ? [] : [("warnings", JSON(warnings.map { .string($0) }))])
    }

    /// The best solution of a search, as its author shows it.
    package static func solution(_ octets: [UInt8]?) -> [(key: String, value: JSON)] {
        octets.map { [("solution", .string(String(decoding: $0, as: UTF8.self)))] } ?? []
    }

    /// The nodes of its tree that a search looked at, and how many of them in vain.
    package static func effort(_ effort: SearchEffort) -> [(key: String, value: JSON)] {
        [("expanded", JSON(effort.expanded)), ("inVain", JSON(effort.inVain))]
    }

    /// The trials or, for a search, the part of its tree that was searched, from 0 to 1.
    package static func done(_ trials: UInt64, isSearch: Bool) -> (key: String, value: JSON) {
        isSearch ? ("searched", JSON(Figures.part(ofSpace: trials))) : ("trials", JSON(trials))
    }

    package static func reading(_ reading: Reading) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("name", .string(reading.name)), ("value", JSON(reading.value)),
            ("low", JSON(reading.shownInterval?.lowerBound)), ("high", JSON(reading.shownInterval?.upperBound)),
            ("confidence", JSON(reading.shownInterval == nil ? nil : Reading.confidence)),
            ("exact", JSON(reading.exact)),
        ]
        if reading.isSpoilt { members.append(("spoilt", .bool(true))) }
        if reading.kind == .category { members.append(("category", .bool(true))) }
        if let cells = reading.cells {
            members.append(("histogram2d", TallyJSON.cells(cells)))
        } else if reading.kind == .series {
            let curve = reading.curve
            let columns: [(key: String, value: JSON)] = [
                ("means", JSON(curve.map { JSON($0.value) })),
                ("low", JSON(curve.map { JSON($0.interval?.lowerBound) })),
                ("high", JSON(curve.map { JSON($0.interval?.upperBound) })),
            ]
            members.append(("series", .object(columns)))
        } else if reading.kind == .histogram, let range = reading.range, reading.bins.count >= 2 {
            members.append(("histogram", TallyJSON.histogram(reading.bins, range)))
        }
        return .object(members)
    }
}

/// Tallies as JSON, with the field names from the simulation's declaration.
package enum TallyJSON {
    package static func value(_ slots: [UInt64], _ layout: TallyLayout) -> JSON {
        .object(
            layout.fields.filter { $0.slots.upperBound <= slots.count }.map { field in
                (field.name, value(Array(slots[field.slots]), field))
            })
    }

    private static func value(_ slots: [UInt64], _ field: TallyLayout.Field) -> JSON {
        switch field.kind {
        case .count: return JSON(slots[0])
        case .print: return ["octets": JSON(slots[0])]
        case .best:
            let best = Best().read(from: slots)
            return best.isEmpty ? JSON.null : ["key": .integer(best.key), "point": JSON(best.point)]
        case .minimum: return JSON(Minimum().read(from: slots).value)
        case .maximum: return JSON(Maximum().read(from: slots).value)
        case .sum: return JSON(ExactSum().read(from: slots).value)
        case .moments: return moments(Moments().read(from: slots))
        case .counts: return JSON(slots.map { JSON($0) })
        case .series: return JSON(field.moments(slots).map(moments))
        case .histogram: return histogram(slots, field.range ?? 0...0)
        case .comoments:
            let (means, covariances) = field.comoments(slots)
            return [
                "count": JSON(slots[0]), "means": JSON(means.map { JSON($0) }),
                "covariances": JSON(covariances.map { JSON($0.map { JSON($0) }) }),
            ]
        case .quantiles:
            let quantiles = Quantiles().read(from: slots)
            return [
                "below": JSON(slots[0]), "above": JSON(slots[slots.count - 2]),
                // Those with numbers: the ends of the bucket, and the count.
                "buckets": JSON(quantiles.buckets.map { JSON([JSON($0.low), JSON($0.high), JSON($0.count)]) }),
            ]
        }
    }

    private static func moments(_ moments: Moments) -> JSON {
        [
            "count": JSON(moments.count), "sum": JSON(moments.sum.value), "squares": JSON(moments.squares.value),
            "mean": JSON(moments.mean), "variance": JSON(moments.variance),
        ]
    }

    static func cells(_ cells: CellCounts) -> JSON {
        let rows = (0..<cells.rows).map { row in JSON((0..<cells.columns).map { JSON(cells[$0, row]) }) }
        func ends(_ range: ClosedRange<Double>) -> JSON {
            ["from": JSON(range.lowerBound), "to": JSON(range.upperBound)]
        }
        return ["x": ends(cells.x), "y": ends(cells.y), "outside": JSON(cells.outside), "rows": JSON(rows)]
    }

    static func histogram(_ slots: [UInt64], _ range: ClosedRange<Double>) -> JSON {
        [
            "from": JSON(range.lowerBound), "to": JSON(range.upperBound), "below": JSON(slots[0]),
            "bins": JSON(slots.dropFirst().dropLast().map { JSON($0) }), "above": JSON(slots[slots.count - 1]),
        ]
    }
}
