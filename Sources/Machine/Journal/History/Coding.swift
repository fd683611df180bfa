import PotluckCore
import PotluckKit

/// Values as bytes, for the parts of a run that need no search. Numbers take eight bytes, and texts and lists begin with
/// their length. One description writes and reads each value.
extension ByteVisitor {
    /// Visits bytes after their number.
    mutating func part(_ octets: inout [UInt8]) throws(WireError) {
        var count = UInt64(octets.count)
        try fixed(&count)
        try raw(&octets, count: Int(clamping: count))
    }

    mutating func text(_ text: inout String) throws(WireError) {
        var octets = Array(text.utf8)
        try part(&octets)
        text = String(decoding: octets, as: UTF8.self)
    }

    mutating func words(_ words: inout [UInt64]) throws(WireError) {
        var octets = words.octets
        try part(&octets)
        let read = [UInt64](octets: octets)
        try check(read != nil, "an incomplete slot")
        words = read ?? words
    }

    /// Visits a value that may be missing.
    mutating func optional<Value>(
        _ value: inout Value?, blank: Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        var isThere = value != nil
        try flag(&isThere)
        var inner = value ?? blank
        if isThere { try visit(&self, &inner) }
        value = isThere ? inner : nil
    }

    mutating func text(_ text: inout String?) throws(WireError) {
        try optional(&text, blank: "") { (v: inout Self, text: inout String) throws(WireError) in try v.text(&text) }
    }

    mutating func fixed<Number: FixedWidthInteger>(_ number: inout Number?) throws(WireError) {
        try optional(&number, blank: 0) { (v: inout Self, number: inout Number) throws(WireError) in
            try v.fixed(&number)
        }
    }

    mutating func real(_ number: inout Double?) throws(WireError) {
        var bits = number?.bitPattern
        try fixed(&bits)
        number = bits.map { Double(bitPattern: $0) }
    }

    /// Visits the ends of an interval that may be missing.
    mutating func interval(_ interval: inout ClosedRange<Double>?) throws(WireError) {
        var (low, high) = (interval?.lowerBound, interval?.upperBound)
        try real(&low)
        try real(&high)
        interval = RowCoding.interval(low, high)
    }

    mutating func all<Value: CodedValue>(_ values: inout [Value]) throws(WireError) {
        let known = values
        var left = UInt64(known.count)
        try fixed(&left)
        values = []
        // Each value takes at least one byte, so a wrong count soon reaches the end.
        while left > 0 {
            var value = isReading ? .empty : known[values.count]
            try value.code(&self)
            values.append(value)
            left -= 1
        }
    }
}

/// A value in a list.
protocol CodedValue {
    static var empty: Self { get }
    mutating func code<V: ByteVisitor>(_ v: inout V) throws(WireError)
}

extension ByteWriter {
    /// Returns the bytes that a description writes. A writer refuses nothing.
    static func bytes(_ visit: (inout ByteWriter) throws(WireError) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        do { try visit(&writer) } catch { preconditionFailure("a writer refused \(error)") }
        return writer.bytes
    }
}

/// Coding of named counts.
enum CountsCoding {
    static func octets(_ counts: [RecordedCount]) -> [UInt8] {
        var counts = counts
        return ByteWriter.bytes { (v: inout ByteWriter) throws(WireError) in try visit(&counts, &v) }
    }

    /// Returns the counts before the first unreadable one.
    static func counts(_ octets: [UInt8]) -> [RecordedCount] {
        var (counts, reader): ([RecordedCount], ByteReader) = ([], ByteReader(octets))
        try? visit(&counts, &reader)
        return counts
    }

    private static func visit<V: ByteVisitor>(_ counts: inout [RecordedCount], _ v: inout V) throws(WireError) {
        try v.rest(&counts, blank: RecordedCount(name: "", count: 0), atMost: .max) {
            (v: inout V, count: inout RecordedCount) throws(WireError) in
            try v.text(&count.name)
            try v.fixed(&count.count)
        }
    }
}

/// Coding of the input files of a run: their hash, and each file.
enum FilesCoding {
    static func octets(_ files: RecordedFiles) -> [UInt8] {
        var files = files
        return ByteWriter.bytes { (v: inout ByteWriter) throws(WireError) in try visit(&files, &v) }
    }

    /// Returns nil if the bytes are unreadable. The run's digest then no longer matches.
    static func files(_ octets: [UInt8]) -> RecordedFiles? {
        var files = RecordedFiles(hash: [UInt64](repeating: 0, count: RecordedFiles.hashSlots), inputs: [])
        var reader = ByteReader(octets)
        do { try visit(&files, &reader) } catch { return nil }
        return files
    }

    private static func visit<V: ByteVisitor>(_ files: inout RecordedFiles, _ v: inout V) throws(WireError) {
        var (hash, inputs) = (files.hash, files.inputs)
        for index in hash.indices { try v.fixed(&hash[index]) }
        // The inputs are only shown, so those before the first unreadable one do.
        try? v.rest(&inputs, blank: RecordedInput(name: "", path: "", rows: 0, columns: 0), atMost: .max) {
            (v: inout V, input: inout RecordedInput) throws(WireError) in
            try v.text(&input.name)
            try v.text(&input.path)
            try v.fixed(&input.rows)
            try v.fixed(&input.columns)
            let read = input
            try v.check(read.rows >= 0 && read.columns >= 0, "an impossible table")
        }
        files = RecordedFiles(hash: hash, inputs: inputs)
    }
}

/// Coding of a run's course: for each checkpoint the trials, and the value and interval of each reading. Names and
/// kinds are those of the run's readings, which decoding needs.
enum CourseCoding {
    /// Added to the number of readings of a point that tells when it was. Programs that do not know it show no course.
    private static let isTimed: UInt64 = 1 << 32

    static func octets(_ course: [CoursePoint]) -> [UInt8] {
        var course = course
        return ByteWriter.bytes { (v: inout ByteWriter) throws(WireError) in try visit(&course, [], &v) }
    }

    /// Returns the points before the first unreadable one.
    static func course(_ octets: [UInt8], _ readings: [Reading]) -> [CoursePoint] {
        var (course, reader): ([CoursePoint], ByteReader) = ([], ByteReader(octets))
        try? visit(&course, readings, &reader)
        return course
    }

    private static func visit<V: ByteVisitor>(
        _ course: inout [CoursePoint], _ final: [Reading], _ v: inout V
    ) throws(WireError) {
        try v.rest(&course, blank: CoursePoint(trials: 0, readings: final), atMost: .max) {
            (v: inout V, point: inout CoursePoint) throws(WireError) in
            let count = UInt64(point.readings.count)
            var head = count | (point.elapsed == nil ? 0 : isTimed)
            try v.fixed(&point.trials)
            try v.fixed(&head)
            try v.check(head & ~isTimed == count, "a point of other readings")
            if head & isTimed != 0 {
                var nanoseconds = UInt64(max(0, (point.elapsed ?? .zero).nanoseconds))
                try v.fixed(&nanoseconds)
                point.elapsed = .nanoseconds(Int64(clamping: nanoseconds))
            }
            for (index, reading) in point.readings.enumerated() {
                var (value, interval) = (reading.value, reading.interval)
                try v.real(&value)
                try v.interval(&interval)
                point.readings[index] = Reading(
                    name: reading.name, kind: reading.kind, value: value, interval: interval, exact: reading.exact)
            }
        }
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
