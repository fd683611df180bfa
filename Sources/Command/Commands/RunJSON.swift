import PotluckJSON
import PotluckKit
import PotluckModel

/// A result for programs.
package enum RunJSON {
    static func value(_ result: JobResult, digest: String, plan: RunPlan) -> JSON {
        let seconds = result.elapsed.seconds
        return [
            "simulation": .string(plan.simulation.name),
            "parameters": .object(
                zip(plan.simulation.parameters, plan.parameters).map { ($0.label, $0.json($1)) }),
            "seed": JSON(plan.seed),
            "trials": JSON(result.trials),
            "tally": TallyJSON.value(result.tally, plan.simulation.layout),
            "readings": JSON(result.readings.map(reading)),
            "digest": .string(digest),
            "complete": JSON(result.completion != .stopped),
            "elapsed": JSON(seconds),
            "rate": JSON(seconds > 0 ? Double(result.trials) / seconds : nil),
            "cores": JSON(plan.cores),
        ]
    }

    package static func reading(_ reading: Reading) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("name", .string(reading.name)), ("value", JSON(reading.value)),
            ("low", JSON(reading.interval?.lowerBound)), ("high", JSON(reading.interval?.upperBound)),
            ("confidence", JSON(reading.interval == nil ? nil : Reading.confidence)), ("exact", JSON(reading.exact)),
        ]
        if reading.isSpoilt { members.append(("spoilt", .bool(true))) }
        if let range = reading.range, reading.bins.count >= 2 {
            members.append(("histogram", TallyJSON.histogram(reading.bins, range)))
        }
        return .object(members)
    }
}

/// A tally by the names its author gave.
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
        case .minimum: return JSON(read(Minimum(), slots).value)
        case .maximum: return JSON(read(Maximum(), slots).value)
        case .sum: return JSON(read(ExactSum(), slots).value)
        case .moments:
            let moments = read(Moments(), slots)
            return [
                "count": JSON(moments.count), "sum": JSON(moments.sum.value), "squares": JSON(moments.squares.value),
                "mean": JSON(moments.mean), "variance": JSON(moments.variance),
            ]
        case .histogram: return histogram(slots, field.range ?? 0...0)
        }
    }

    static func histogram(_ slots: [UInt64], _ range: ClosedRange<Double>) -> JSON {
        [
            "from": JSON(range.lowerBound), "to": JSON(range.upperBound), "below": JSON(slots[0]),
            "bins": JSON(slots.dropFirst().dropLast().map { JSON($0) }), "above": JSON(slots[slots.count - 1]),
        ]
    }

    private static func read<A: Accumulator>(_ empty: A, _ slots: [UInt64]) -> A {
        var accumulator = empty
        slots.withUnsafeBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            var reader = SlotReader(base)
            accumulator.read(&reader)
        }
        return accumulator
    }
}
