import PotluckCore
import PotluckKit

/// Writes values as bytes, for the parts of a run that need no search. Numbers take eight bytes, and texts begin with
/// their length.
struct OctetWriter {
    private(set) var octets: [UInt8] = []

    mutating func put(_ number: UInt64) {
        for place in 0..<8 as Range<UInt64> { octets.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
    mutating func put(_ number: Double) { put(number.bitPattern) }
    /// Writes a number that may be missing.
    mutating func put(_ number: Double?) {
        octets.append(number == nil ? 0 : 1)
        if let number { put(number) }
    }
    mutating func put(_ text: String) { put(Array(text.utf8)) }
    mutating func put(_ more: [UInt8]) {
        put(UInt64(more.count))
        octets.append(contentsOf: more)
    }
    mutating func put(_ flag: Bool) { octets.append(flag ? 1 : 0) }
    /// Writes any value that may be missing.
    mutating func put<Value>(_ value: Value?, _ body: (inout OctetWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }
    mutating func put<Value>(all values: [Value], _ body: (inout OctetWriter, Value) -> Void) {
        put(UInt64(values.count))
        for value in values { body(&self, value) }
    }
}

/// Reads what `OctetWriter` wrote. Methods return nil for other bytes.
struct OctetReader {
    private let octets: [UInt8]
    private var at = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { at == octets.count }

    mutating func number() -> UInt64? {
        guard octets.count - at >= 8 else { return nil }
        defer { at += 8 }
        return octets.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
    }

    /// The outer nil stands for unreadable bytes, the inner one for a missing value.
    mutating func optionalReal() -> Double?? {
        guard at < octets.count else { return nil }
        at += 1
        if octets[at - 1] == 0 { return .some(nil) }
        return number().map { .some(Double(bitPattern: $0)) }
    }

    mutating func text() -> String? { part().map { String(decoding: $0, as: UTF8.self) } }

    mutating func part() -> [UInt8]? {
        guard let count = number(), count <= UInt64(octets.count - at) else { return nil }
        defer { at += Int(count) }
        return Array(octets[at..<(at + Int(count))])
    }

    mutating func flag() -> Bool? {
        guard at < octets.count, octets[at] <= 1 else { return nil }
        at += 1
        return octets[at - 1] == 1
    }

    /// The outer nil stands for unreadable bytes, the inner one for a missing value.
    mutating func optional<Value>(_ body: (inout OctetReader) -> Value?) -> Value?? {
        guard let isThere = flag() else { return nil }
        return isThere ? body(&self).map { .some($0) } : .some(nil)
    }

    mutating func all<Value>(_ body: (inout OctetReader) -> Value?) -> [Value]? {
        guard let count = number() else { return nil }
        var values: [Value] = []
        var left = count
        // Each value takes at least one byte, so a wrong count soon reaches the end.
        while left > 0 {
            guard let value = body(&self) else { return nil }
            values.append(value)
            left -= 1
        }
        return values
    }
}

/// Coding of named counts.
enum CountsCoding {
    static func octets(_ counts: [RecordedCount]) -> [UInt8] {
        var writer = OctetWriter()
        for count in counts {
            writer.put(count.name)
            writer.put(count.count)
        }
        return writer.octets
    }

    static func counts(_ octets: [UInt8]) -> [RecordedCount] {
        var reader = OctetReader(octets)
        var counts: [RecordedCount] = []
        while !reader.isAtEnd, let name = reader.text(), let count = reader.number() {
            counts.append(RecordedCount(name: name, count: count))
        }
        return counts
    }
}

/// Coding of the input files of a run: their hash, and each file.
enum FilesCoding {
    static func octets(_ files: RecordedFiles) -> [UInt8] {
        var writer = OctetWriter()
        for slot in files.hash { writer.put(slot) }
        for input in files.inputs {
            writer.put(input.name)
            writer.put(input.path)
            writer.put(UInt64(input.rows))
            writer.put(UInt64(input.columns))
        }
        return writer.octets
    }

    /// Returns nil if the bytes are unreadable. The run's digest then no longer matches.
    static func files(_ octets: [UInt8]) -> RecordedFiles? {
        var reader = OctetReader(octets)
        var hash: [UInt64] = []
        for _ in 0..<RecordedFiles.hashSlots {
            guard let slot = reader.number() else { return nil }
            hash.append(slot)
        }
        var inputs: [RecordedInput] = []
        while !reader.isAtEnd, let name = reader.text(), let path = reader.text(),
            let rows = reader.number().flatMap({ Int(exactly: $0) }),
            let columns = reader.number().flatMap({ Int(exactly: $0) })
        {
            inputs.append(RecordedInput(name: name, path: path, rows: rows, columns: columns))
        }
        return RecordedFiles(hash: hash, inputs: inputs)
    }
}

/// Coding of a run's course: for each checkpoint the trials, and the value and interval of each reading. Names and
/// kinds are those of the run's readings, which decoding needs.
enum CourseCoding {
    /// Added to the number of readings of a point that tells when it was. Programs that do not know it show no course.
    private static let isTimed: UInt64 = 1 << 32

    static func octets(_ course: [CoursePoint]) -> [UInt8] {
        var writer = OctetWriter()
        for point in course {
            writer.put(point.trials)
            writer.put(UInt64(point.readings.count) | (point.elapsed == nil ? 0 : isTimed))
            if let elapsed = point.elapsed { writer.put(UInt64(max(0, elapsed.nanoseconds))) }
            for reading in point.readings {
                writer.put(reading.value)
                writer.put(reading.interval?.lowerBound)
                writer.put(reading.interval?.upperBound)
            }
        }
        return writer.octets
    }

    static func course(_ octets: [UInt8], _ readings: [Reading]) -> [CoursePoint] {
        var reader = OctetReader(octets)
        var course: [CoursePoint] = []
        while !reader.isAtEnd {
            guard let trials = reader.number(), let head = reader.number(), head & ~isTimed == UInt64(readings.count)
            else { break }
            var elapsed: Duration?
            if head & isTimed != 0 {
                guard let nanoseconds = reader.number() else { break }
                elapsed = .nanoseconds(Int64(clamping: nanoseconds))
            }
            var then: [Reading] = []
            for final in readings {
                guard let value = reader.optionalReal(), let low = reader.optionalReal(),
                    let high = reader.optionalReal()
                else { return course }
                then.append(
                    Reading(
                        name: final.name, kind: final.kind, value: value, interval: RowCoding.interval(low, high),
                        exact: final.exact))
            }
            course.append(CoursePoint(trials: trials, readings: then, elapsed: elapsed))
        }
        return course
    }
}

/// Values in the form that rows have. Numbers that stand for something are in files, so none may ever get another
/// meaning.
enum RowCoding {
    static func interval(_ low: Double?, _ high: Double?) -> ClosedRange<Double>? {
        guard let low, let high, low <= high else { return nil }
        return low...high
    }

    static func number(_ completion: Completion) -> Int64 {
        switch completion {
        case .trials: 1
        case .precision: 2
        case .duration: 3
        case .stopped: 4
        }
    }

    static func completion(_ number: Int64) -> Completion {
        switch number {
        case 1: .trials
        case 2: .precision
        case 3: .duration
        default: .stopped
        }
    }
}
