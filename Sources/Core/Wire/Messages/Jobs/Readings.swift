import PotluckKit

/// The fields of readings, in `picture`, `course` and `result`.
extension Reading: WireRecord {
    package static let blank = Reading(name: "", kind: .derived, value: nil)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (name, kind, value, interval, exact) = (name, kind, value, interval, exact)
        var (varies, isSpoilt, bins, range) = (varies, isSpoilt, bins, range)
        try v.line(1, &name, atMost: JobMessage.maximumLabel)
        try v.one(2, &kind)
        try v.real(3, &value)
        try v.range(4, &interval)
        try v.real(5, &exact)
        try v.unless(6, &varies)
        try v.flag(7, &isSpoilt)
        if bins.count > JobMessage.mostBins + 2 { bins = [] }
        try v.slots(8, &bins, atMost: JobMessage.mostBins + 2)
        try v.range(9, &range)
        self = Reading(
            name: name, kind: kind, value: value, interval: interval, exact: exact, varies: varies, isSpoilt: isSpoilt,
            bins: bins, range: range)
    }

    var withoutBins: Reading {
        guard !bins.isEmpty else { return self }
        return Reading(
            name: name, kind: kind, value: value, interval: interval, exact: exact, varies: varies, isSpoilt: isSpoilt,
            range: range)
    }
}

extension ReadingKind: WireNumbered {}

extension CoursePoint: WireRecord {
    package static let blank = CoursePoint(trials: 0, readings: [])

    /// Visits the readings without bins. A course is drawn as lines, and bins at every
    /// checkpoint would take as much as everything else together.
    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.number(1, &trials)
        try v.list(2, &readings, blank: .blank, atMost: JobMessage.mostReadings, each: .max) {
            (v: inout V, reading: inout Reading) throws(WireError) in
            reading = reading.withoutBins
            try reading.visit(&v)
            reading = reading.withoutBins
        }
        try v.duration(3, &elapsed)
    }
}
