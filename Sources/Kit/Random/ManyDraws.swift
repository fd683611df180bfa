// Draws of several numbers that belong together.
extension RandomStream {
    /// Returns a point of the disc around 0 with radius 1, each equally likely.
    public mutating func inDisc() -> (x: Double, y: Double) {
        while true {
            let x = 2 * unit() - 1
            let y = 2 * unit() - 1
            if x * x + y * y < 1 { return (x, y) }
        }
    }

    /// Returns a point of the sphere around 0 with radius 1, each equally likely: a random direction (Marsaglia, 1972).
    public mutating func onSphere() -> (x: Double, y: Double, z: Double) {
        let (x, y) = inDisc()
        let square = x * x + y * y
        let factor = 2 * (1 - square).squareRoot()
        return (x * factor, y * factor, 1 - 2 * square)
    }

    /// Returns shares of the Dirichlet distribution, whose sum is 1.
    public mutating func dirichlet(_ shapes: [Double]) -> [Double] {
        Misuse.stop(unless: !shapes.isEmpty, "dirichlet needs a shape")
        var logarithms: [Double] = []
        for shape in shapes { logarithms.append(logGamma(shape)) }
        var most = logarithms[0]
        for each in logarithms where each > most { most = each }
        let parts = logarithms.map { Maths.exp($0 - most) }
        var total = 0.0
        for each in parts { total += each }
        return parts.map { $0 / total }
    }

    /// Returns how often each of some outcomes comes in `n` trials. Their probabilities are in proportion to the weights.
    public mutating func multinomial(_ n: Int, _ weights: [Double]) -> [Int] {
        Misuse.stop(unless: n >= 0 && n <= 2_147_483_647, "the trials of binomial must be from 0 to 2147483647")
        // The sum of each weight and those after it. So rounding makes no weight of zero possible.
        var rest = [Double](repeating: 0, count: weights.count + 1)
        for place in weights.indices.reversed() {
            Misuse.stop(
                unless: weights[place] >= 0 && weights[place] < .infinity, "a weight must be finite and at least 0")
            rest[place] = rest[place + 1] + weights[place]
        }
        Misuse.stop(unless: rest[0] > 0 && rest[0] < .infinity, "the sum of the weights must be finite and above 0")
        var counts = [Int](repeating: 0, count: weights.count)
        var left = n
        for place in 0..<weights.count - 1 {
            counts[place] = binomial(left, rest[place] > 0 ? weights[place] / rest[place] : 0)
            left -= counts[place]
        }
        counts[weights.count - 1] = left
        return counts
    }

    /// Returns correlated normal numbers, whose means are 0. `factor` is what `cholesky` makes of their covariance.
    public mutating func normals(_ factor: [[Double]]) -> [Double] {
        var drawn: [Double] = []
        for _ in factor { drawn.append(normal()) }
        var result = [Double](repeating: 0, count: factor.count)
        for row in factor.indices {
            Misuse.stop(unless: factor[row].count > row, "normals needs a factor that cholesky made")
            for column in 0...row { result[row] += factor[row][column] * drawn[column] }
        }
        return result
    }
}

/// Returns the lower triangle whose product with its transpose is the covariance, for `random.normals`. Compute it once,
/// outside `trial`.
public func cholesky(_ covariance: [[Double]]) -> [[Double]] {
    func check(_ isRight: Bool) {
        Misuse.stop(unless: isRight, "a covariance must be a square, symmetric and positive definite matrix")
    }
    let count = covariance.count
    for row in covariance { check(row.count == count) }
    var factor = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for row in 0..<count {
        for column in 0...row {
            check(covariance[row][column] == covariance[column][row])
            var sum = covariance[row][column]
            for k in 0..<column { sum -= factor[row][k] * factor[column][k] }
            if column < row {
                factor[row][column] = sum / factor[column][column]
            } else {
                check(sum > 0 && sum < .infinity)
                factor[row][row] = sum.squareRoot()
            }
        }
    }
    return factor
}
