/// Quantiles of Student's t distribution.
enum StudentT {
    /// Returns the quantile that leaves 2.5 % on either side, for `freedom` degrees of freedom, at least 1. Its relative
    /// error is below 5·10⁻⁵ everywhere.
    static func quantile(freedom: UInt64) -> Double {
        switch freedom {
        // Here the series below is not good enough.
        case 0, 1: return 12.706204736174694
        case 2: return 4.302652729749462
        case 3: return 3.1824463052837078
        case 4: return 2.7764451051977925
        case 5: return 2.5705818356363146
        default: break
        }
        // The expansion around the normal quantile z in powers of 1/n (Cornish and Fisher; Abramowitz and Stegun
        // 26.7.5).
        let z = Reading.standardErrors
        let z2 = z * z
        let n = Double(freedom)
        let first = z * (z2 + 1) / 4
        let second = z * ((5 * z2 + 16) * z2 + 3) / 96
        let third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384
        let fourth = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160
        return z + (first + (second + (third + fourth / n) / n) / n) / n
    }
}

extension Moments {
    /// Half the width of Student's 95 % interval of the mean; nil for fewer than two numbers or if spoilt.
    public var halfWidth: Double? {
        variance.map { StudentT.quantile(freedom: count - 1) * ($0 / Double(count)).squareRoot() }
    }
}
