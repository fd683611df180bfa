// The readings of a module in Python, made by the kit's own rules.

func put(_ estimate: Estimate, _ place: UInt32) {
    (pointer(to: UInt64(place)) as UnsafeMutablePointer<Estimate>).pointee = estimate
}

@_expose(wasm, "rt_proportion") @_cdecl("rt_proportion")
public func proportion(_ count: UInt32, _ trials: UInt64, _ estimate: UInt32) {
    let hits: UnsafeMutablePointer<Count> = pointer(to: UInt64(count))
    put(.proportion(of: hits.pointee.value, in: trials), estimate)
}

private func moments(_ place: UInt32) -> Moments { (pointer(to: UInt64(place)) as UnsafeMutablePointer).pointee }

/// The mean of a simulation's numbers.
@_expose(wasm, "rt_mean_tally") @_cdecl("rt_mean_tally")
public func meanOfTrials(_ accumulator: UInt32, _ trials: UInt64, _ estimate: UInt32) {
    put(.mean(of: moments(accumulator), in: trials), estimate)
}

/// The mean of a gathering's numbers.
@_expose(wasm, "rt_mean_collect") @_cdecl("rt_mean_collect")
public func meanOfUnits(_ accumulator: UInt32, _ units: UInt64, _ estimate: UInt32) {
    put(.mean(of: moments(accumulator)), estimate)
}

@_expose(wasm, "rt_variance") @_cdecl("rt_variance")
public func variance(_ accumulator: UInt32, _ trials: UInt64, _ estimate: UInt32) {
    put(.variance(of: moments(accumulator)), estimate)
}

@_expose(wasm, "rt_effective") @_cdecl("rt_effective")
public func effective(_ accumulator: UInt32, _ estimate: UInt32) { put(.effective(of: moments(accumulator)), estimate) }

extension Layout {
    /// Returns the estimate of a reading for the tally in the accumulators.
    func estimate(_ reading: Int, trials: UInt64) -> Estimate {
        let entry = readings.entries.baseAddress! + reading
        let source = Int(truncatingIfNeeded: entry.pointee.source)
        if source > 0 {
            return estimate(source - 1, trials: trials).mapped { authorDerived(UInt32(reading), $0, trials) }
        }
        let field = fields.entries.baseAddress! + Int(truncatingIfNeeded: entry.pointee.field)
        let accumulator = UInt32(truncatingIfNeeded: field.pointee.address)
        var estimate = Estimate()
        withUnsafeMutablePointer(to: &estimate) { place in
            let place = UInt32(UInt(bitPattern: place))
            switch entry.pointee.kind {
            case UInt64(ReadingKind.proportion.rawValue): authorProportion(accumulator, trials, place)
            case UInt64(ReadingKind.mean.rawValue): authorMean(accumulator, trials, place)
            case UInt64(ReadingKind.variance.rawValue): authorVariance(accumulator, trials, place)
            case UInt64(ReadingKind.category.rawValue):
                authorCategory(accumulator, UInt32(field.pointee.slots), UInt32(entry.pointee.part), place)
            case UInt64(ReadingKind.series.rawValue):
                let times = UInt32(field.pointee.slots / Moments.slots)
                let isSpoilt = authorCurve(accumulator, times, 0) != 0
                put(.series(of: Int(times), isSpoilt: isSpoilt), place)
            case UInt64(ReadingKind.histogram.rawValue), UInt64(ReadingKind.histogram2D.rawValue):
                // NaN is counted above the range, see Histogram.
                let isSpoilt = field.pointee.words.last == .max
                put(Estimate(isSpoilt: isSpoilt, range: field.pointee.low...field.pointee.high), place)
            case DerivedRule.pairs..<DerivedRule.means:
                authorPairs(UInt32(entry.pointee.kind - DerivedRule.pairs), accumulator, place)
            case DerivedRule.means:
                authorMeans(UInt32(reading), accumulator, UInt32(entry.pointee.part), place)
            case DerivedRule.controlled:
                authorControlled(UInt32(reading), accumulator, UInt32(entry.pointee.part), place)
            case DerivedRule.effective: authorEffective(accumulator, place)
            case DerivedRule.quantile: authorQuantile(accumulator, entry.pointee.part, place)
            case DerivedRule.shortfall: authorShortfall(accumulator, entry.pointee.part, place)
            default: put(.derived(authorDerived(UInt32(reading), .nan, trials)), place)
            }
        }
        return estimate
    }

    /// Puts the counts of a reading of a histogram or the words of one of a series or of cells into the answer; none of another
    /// kind.
    func putBins(_ reading: Int) {
        let entry = readings.entries.baseAddress! + reading
        let field = fields.entries.baseAddress! + Int(truncatingIfNeeded: entry.pointee.field)
        switch entry.pointee.kind {
        case UInt64(ReadingKind.histogram.rawValue):
            answer.put(field.pointee.words.count)
            for count in field.pointee.words { answer.put(count) }
        case UInt64(ReadingKind.histogram2D.rawValue):
            // The known words, the count outside and those of the cells; the last word of the field marks NaN.
            let known: UnsafeMutablePointer<UInt64> = pointer(to: UInt64(entry.pointee.part))
            let counts = field.pointee.words.dropLast()
            answer.put(3 + counts.count)
            for place in 0..<3 { answer.put(known[place]) }
            for count in counts { answer.put(count) }
        case UInt64(ReadingKind.series.rawValue):
            let times = Int(truncatingIfNeeded: field.pointee.slots / Moments.slots)
            // The mean and the ends of its interval.
            answer.put(3 * times)
            let words = UInt32(UInt(bitPattern: answer.next(3 * times)))
            _ = authorCurve(UInt32(truncatingIfNeeded: field.pointee.address), UInt32(times), words)
        default: answer.put(0)
        }
    }

    /// Returns the exact answer of a reading; nil if it has none.
    func exact(_ reading: Int) -> Double? {
        guard readings.entries[reading].hasExact != 0 else { return nil }
        let exact = authorExact(UInt32(reading))
        return exact.isFinite ? exact : nil
    }
}
