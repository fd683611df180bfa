import PotluckKit

/// Decodes the answer of `potluck_read`, and checks it against the readings that the module declared.
package enum ReadingRecords {
    package static func readings(
        _ record: [UInt64], declared: [(name: String, kind: ReadingKind)]
    ) throws(SandboxError) -> [Reading] {
        var reader = RecordReader("potluck_read", record)
        guard try reader.number() == UInt64(declared.count) else {
            throw reader.wrong("a different number of readings than declared")
        }
        var readings: [Reading] = []
        for (name, kind) in declared { readings.append(try reading(&reader, name, kind)) }
        try reader.end()
        return readings
    }

    private static func reading(
        _ reader: inout RecordReader, _ name: String, _ kind: ReadingKind
    ) throws(SandboxError) -> Reading {
        typealias Part = ModuleInterface.ReadingPart
        let parts = try reader.number()
        func has(_ part: UInt64) -> Bool { parts & part != 0 }
        let value = try reader.finite("the value of \(name)")
        let interval = try reader.range("the interval of \(name)")
        let exact = try reader.finite("the exact value of \(name)")
        let range = try reader.range("the range of \(name)")
        let bins = try reader.slots(Int(try reader.count("bins", most: 65_536)))
        if kind == .histogram2D, CellCounts(words: bins, x: has(Part.range) ? range : nil) == nil {
            throw reader.wrong("the words of \(name) are not those of a histogram in two dimensions")
        }
        let isRight =
            switch kind {
            case .histogram: bins.count > 2 && has(Part.range)
            case .series: !bins.isEmpty && bins.count % Reading.curveWords == 0 && has(Part.range)
            case .histogram2D: true
            default: bins.isEmpty && !has(Part.range)
            }
        guard isRight else {
            throw reader.wrong("\(name) is a histogram or a series without bins, or has bins without being one")
        }
        return Reading(
            name: name, kind: kind, value: has(Part.value) ? value : nil,
            interval: has(Part.interval) ? interval : nil, exact: has(Part.exact) ? exact : nil,
            varies: has(Part.varies), isSpoilt: has(Part.spoilt), bins: bins, range: has(Part.range) ? range : nil)
    }
}
