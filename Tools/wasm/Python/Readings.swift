// The readings of a module in Python, made by the kit's own rules.

extension Layout {
    /// Returns the estimate of a reading for the tally in the accumulators.
    func estimate(_ reading: Int, trials: UInt64, isGathering: Bool) -> Estimate {
        let entry = readings.entries.baseAddress! + reading
        let field = fields.entries.baseAddress! + Int(truncatingIfNeeded: entry.pointee.field)
        switch entry.pointee.kind {
        case UInt64(ReadingKind.proportion.rawValue):
            return .proportion(of: field.pointee.counts[0], in: trials)
        case UInt64(ReadingKind.mean.rawValue):
            let moments: UnsafeMutablePointer<Moments> = field.pointee.accumulator()
            return isGathering ? .mean(of: moments.pointee) : .mean(of: moments.pointee, in: trials)
        case UInt64(ReadingKind.variance.rawValue):
            let moments: UnsafeMutablePointer<Moments> = field.pointee.accumulator()
            return .variance(of: moments.pointee)
        case UInt64(ReadingKind.histogram.rawValue):
            // NaN is counted above the range, see Histogram.
            return Estimate(
                isSpoilt: field.pointee.counts.last == .max, range: field.pointee.low...field.pointee.high)
        default:
            let source = Int(truncatingIfNeeded: entry.pointee.source)
            guard source > 0 else { return .derived(authorDerived(UInt32(reading), .nan, trials)) }
            return estimate(source - 1, trials: trials, isGathering: isGathering)
                .mapped { authorDerived(UInt32(reading), $0, trials) }
        }
    }

    /// Returns the counts of a reading of a histogram; none of another kind.
    func bins(_ reading: Int) -> UnsafeBufferPointer<UInt64> {
        let entry = readings.entries[reading]
        guard entry.kind == UInt64(ReadingKind.histogram.rawValue) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(fields.entries[Int(truncatingIfNeeded: entry.field)].counts)
    }

    /// Returns the exact answer of a reading; nil if it has none.
    func exact(_ reading: Int) -> Double? {
        guard readings.entries[reading].hasExact != 0 else { return nil }
        let exact = authorExact(UInt32(reading))
        return exact.isFinite ? exact : nil
    }
}
