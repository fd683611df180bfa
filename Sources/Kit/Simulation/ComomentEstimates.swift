/// What is read from `Pairs`.
enum PairRule: UInt64 {
    case covariance = 1, correlation, slope, intercept
}

// Intervals by the delta method: near the true means a function is almost a plane, and the variance of a plane over the
// sample means follows from the covariances.

extension Estimate {
    /// Returns the estimate of a function of the means of comoments. The slope of the function is measured over one standard
    /// error of each mean to either side.
    static func derived(
        from sums: ComomentSums, _ count: UInt64, _ function: (UnsafePointer<Double>) -> Double
    ) -> Estimate {
        let size = sums.size
        var means: [Double] = []
        for i in 0..<size {
            guard let mean = sums.mean(i, of: count) else { return Estimate(isSpoilt: sums.isSpoilt) }
            means.append(mean)
        }
        guard let value = finite(function(means)) else { return Estimate(isSpoilt: sums.isSpoilt) }
        // What a standard error of each mean does to the function, in units of the standard error.
        var slopes: [Double] = []
        for i in 0..<size {
            guard let variance = sums.covariance(i, i, of: count) else {
                return Estimate(value: value, isSpoilt: sums.isSpoilt)
            }
            let step = (variance / Double(count)).squareRoot()
            let mean = means[i]
            means[i] = mean + step
            let above = function(means)
            means[i] = mean - step
            let below = function(means)
            means[i] = mean
            slopes.append(step > 0 ? (above - below) / (2 * step) : 0)
        }
        guard let half = sums.halfWidth(slopes, count) else { return Estimate(value: value, isSpoilt: sums.isSpoilt) }
        return Estimate(value: value, interval: (value - half)...(value + half), varies: half > 0)
    }

    static func pairs(_ rule: PairRule, _ sums: ComomentSums, _ count: UInt64) -> Estimate {
        let none = Estimate(isSpoilt: sums.isSpoilt)
        guard !sums.isSpoilt, let x = sums.mean(0, of: count), let y = sums.mean(1, of: count),
            let xx = sums.covariance(0, 0, of: count), let yy = sums.covariance(1, 1, of: count),
            let xy = sums.covariance(0, 1, of: count)
        else { return none }
        let slope = xy / xx
        let scale = (xx * yy).squareRoot()
        // Numbers that are all alike have no line and no correlation.
        guard rule == .covariance || xx > 0, rule != .correlation || scale > 0 else { return none }
        let value: Double
        // The slopes of the value over the means of x, y, x · y, x · x and y · y.
        let slopes: [Double]
        switch rule {
        case .covariance:
            value = xy
            slopes = [-y, -x, 1, 0, 0]
        case .correlation:
            value = max(-1, min(1, xy / scale))
            slopes = [
                x * value / xx - y / scale, y * value / yy - x / scale, 1 / scale, -value / (2 * xx), -value / (2 * yy),
            ]
        case .slope:
            value = slope
            slopes = [(2 * slope * x - y) / xx, -x / xx, 1 / xx, -slope / xx, 0]
        case .intercept:
            value = y - slope * x
            let turn = x / xx
            slopes = [-slope - turn * (2 * slope * x - y), 1 + turn * x, -turn, turn * slope, 0]
        }
        guard value.isFinite else { return none }
        guard let half = sums.halfWidth(slopes, count) else { return Estimate(value: value) }
        guard rule == .correlation else {
            return Estimate(value: value, interval: (value - half)...(value + half), varies: half > 0)
        }
        // Fisher: on this scale the distribution is nearly normal.
        let middle = Maths.log((1 + value) / (1 - value))
        let reach = 2 * half / (1 - value * value)
        guard middle.isFinite, reach.isFinite else { return Estimate(value: value) }
        let (low, high) = (Maths.exp(middle - reach), Maths.exp(middle + reach))
        guard high.isFinite else { return Estimate(value: value) }
        return Estimate(value: value, interval: ((low - 1) / (low + 1))...((high - 1) / (high + 1)), varies: half > 0)
    }

    static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}

extension ComomentSums {
    var isSpoilt: Bool { (0..<Self.count(size)).contains { sums[$0].isSpoilt } }

    /// Half the interval of a function of the means with these slopes; nil if it cannot be computed. It is Student's for
    /// few numbers.
    func halfWidth(_ slopes: [Double], _ count: UInt64) -> Double? {
        var variance = 0.0
        for i in 0..<size where slopes[i] != 0 {
            for j in 0..<size where slopes[j] != 0 {
                guard let both = covariance(i, j, of: count) else { return nil }
                variance += slopes[i] * slopes[j] * both
            }
        }
        let factor =
            count < Reading.fewTrials ? StudentT.quantile(freedom: count &- 1) : Reading.standardErrors
        // Rounding can leave slightly less than 0.
        return Estimate.finite(factor * (max(0, variance) / Double(count)).squareRoot())
    }
}
