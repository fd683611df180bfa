extension Work {
    /// A reading of the means of a series, as a curve with the interval of each time.
    public static func series<let size: Int>(
        _ name: StaticString, _ series: @escaping @Sendable (Tally) -> Series<size>
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .series,
            estimate: { _, tally, _ in .series(of: size, isSpoilt: series(tally).isSpoilt) }, exact: nil,
            bins: { tally in
                let series = series(tally)
                return (0..<size).flatMap { Estimate.curve(series[$0]) }
            })
    }
}

extension Estimate {
    /// Returns the estimate of a series, which is no number.
    static func series(of size: Int, isSpoilt: Bool) -> Estimate {
        Estimate(isSpoilt: isSpoilt, range: 0...Double(size - 1))
    }

    /// Returns the three words of a time in a reading of a series: the mean and the ends of its interval, as bits of real
    /// numbers that are NaN where there is none. The interval is Student's for few numbers.
    static func curve(_ moments: Moments) -> [UInt64] {
        let estimate = mean(of: moments, in: moments.count)
        let interval = estimate.varies ? estimate.interval : nil
        return [estimate.value, interval?.lowerBound, interval?.upperBound].map { ($0 ?? .nan).bitPattern }
    }
}

#if !hasFeature(Embedded)
    extension Reading {
        /// A time of a series.
        public struct CurvePoint: Sendable, Hashable {
            /// The number of the time, from 0.
            public let time: Int
            /// The mean; nil if there is none yet.
            public let value: Double?
            /// The 95 % interval of the mean at this time; nil if there is none.
            public let interval: ClosedRange<Double>?
        }

        /// The times of a series; empty for other kinds.
        public var curve: [CurvePoint] {
            guard kind == .series else { return [] }
            return (0..<bins.count / Self.curveWords).map { time in
                let words = bins[time * Self.curveWords..<(time + 1) * Self.curveWords].map(Double.init(bitPattern:))
                let isKnown = words[1] <= words[2] && words[1].isFinite && words[2].isFinite
                return CurvePoint(
                    time: time, value: words[0].isFinite ? words[0] : nil,
                    interval: isKnown ? words[1]...words[2] : nil)
            }
        }

        /// The words of a time among `bins`.
        public static var curveWords: Int { 3 }
    }
#endif
