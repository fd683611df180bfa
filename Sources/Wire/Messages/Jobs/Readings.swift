import PotluckKit
import PotluckModel

/// The encoding of readings, in `picture`, `course` and `result`.
extension Reading {
    /// Writes the reading, without its bins if `withBins` is false.
    func write(to writer: inout FieldWriter, bins withBins: Bool) {
        writer.line(1, name, limit: JobMessage.maximumLabel)
        writer.number(2, UInt64(kind.rawValue))
        writer.real(3, value)
        writer.range(4, interval)
        writer.real(5, exact)
        writer.number(6, varies ? 0 : 1)
        writer.number(7, isSpoilt ? 1 : 0)
        if withBins, bins.count <= JobMessage.mostBins + 2 { writer.slots(8, bins) }
        writer.range(9, range)
    }

    /// Returns nil for a kind that only a later version knows.
    init?(_ octets: ArraySlice<UInt8>, bins withBins: Bool) throws(WireError) {
        var name = "", kind: ReadingKind?, value: Double?, interval: ClosedRange<Double>?, exact: Double?
        var varies = true, isSpoilt = false, bins: [UInt64] = [], range: ClosedRange<Double>?
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: name = try field.line(limit: JobMessage.maximumLabel)
            case 2: kind = ReadingKind(rawValue: UInt8(try field.number(atMost: 255)))
            case 3: value = try field.real()
            case 4: interval = try field.range()
            case 5: exact = try field.real()
            case 6: varies = try field.number() == 0
            case 7: isSpoilt = try field.number() != 0
            case 8 where withBins: bins = try field.slots(limit: JobMessage.mostBins + 2)
            case 9: range = try field.range()
            default: break
            }
        }
        guard let kind else { return nil }
        self.init(
            name: name, kind: kind, value: value, interval: interval, exact: exact, varies: varies, isSpoilt: isSpoilt,
            bins: bins, range: range)
    }

    static func items(_ readings: [Reading], bins: Bool) -> [[UInt8]] {
        readings.prefix(JobMessage.mostReadings).map { reading in
            FieldWriter.record { reading.write(to: &$0, bins: bins) }
        }
    }

    /// Returns the readings whose kind is known.
    static func list(_ field: Field, bins: Bool) throws(WireError) -> [Reading] {
        var readings: [Reading] = []
        for item in try field.list(limit: JobMessage.mostReadings, itemLimit: .max) {
            if let reading = try Reading(item, bins: bins) { readings.append(reading) }
        }
        return readings
    }
}

extension CoursePoint {
    /// Writes the readings without bins. A course is drawn as lines, and bins at every
    /// checkpoint would take as much as everything else together.
    func write(to writer: inout FieldWriter) {
        writer.number(1, trials)
        writer.list(2, Reading.items(readings, bins: false))
        writer.optionalDuration(3, elapsed)
    }

    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var trials: UInt64 = 0, readings: [Reading] = [], elapsed: Duration?
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: trials = try field.number()
            case 2: readings = try Reading.list(field, bins: false)
            case 3: elapsed = try field.optionalDuration()
            default: break
            }
        }
        self.init(trials: trials, readings: readings, elapsed: elapsed)
    }
}

extension JobMessage {
    static func course(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, index = 0, point = CoursePoint(trials: 0, readings: [])
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: index = Int(try field.number(atMost: UInt64(mostCourse - 1)))
            case 3: point = try CoursePoint(field.record())
            default: break
            }
        }
        return .course(try there(id), index: index, point)
    }
}
