import PotluckCore
import PotluckKit

/// The vertical axis of a chart: its range, the places of values in it, and round numbers along it.
struct Axis: Equatable {
    let low: Double
    let high: Double

    // MARK: Places

    /// How far below the top a value is, from 0 to 1 within the range. Halves first, because the difference of two huge
    /// numbers would overflow.
    private func depth(of value: Double) -> Double {
        let span = high / 2 - low / 2
        return span > 0 ? (high / 2 - value / 2) / span : 0.5
    }

    /// How far below the top a value is, from 0 to 1; nil if it is outside of the range.
    func inside(_ value: Double) -> Double? {
        let depth = depth(of: value)
        return (0...1).contains(depth) ? depth : nil
    }

    /// The same for any value. One outside of the range, such as an infinite end of an interval, is at the edge.
    func nearest(_ value: Double) -> Double {
        let depth = depth(of: value)
        return depth.isNaN ? 0.5 : max(0, min(1, depth))
    }

    /// The value at a depth.
    func value(at depth: Double) -> Double { 2 * (high / 2 - (high / 2 - low / 2) * depth) }

    // MARK: Ranges

    /// The axis of all values, intervals and exact answers, with a margin; nil if there is nothing to draw. The margin
    /// does not reach below 0 if no value does, nor beyond 1 for a proportion.
    static func around(_ readings: [Reading], margin: Double) -> Axis? {
        let values = readings.flatMap { [$0.value, $0.interval?.lowerBound, $0.interval?.upperBound, $0.exact] }
        return around(
            values.compactMap { $0 }, isProportion: readings.allSatisfy { $0.kind.isShare }, margin: margin)
    }

    static func around(_ all: [Double], isProportion: Bool, margin: Double) -> Axis? {
        let values = all.filter(\.isFinite)
        guard let low = values.min(), let high = values.max(), (high - low).isFinite else { return nil }
        let room = high > low ? (high - low) * margin : max(high.magnitude * 0.01, 1e-9)
        return Axis(
            low: low >= 0 ? max(0, low - room) : low - room,
            high: isProportion && high <= 1 ? min(1, high + room) : high + room)
    }

    /// The axis of a course. It ignores the first third of the horizontal axis, whose wide bands would flatten the rest
    /// and may be cut off.
    static func late(_ points: [CourseChart.Point], exact: Double?) -> Axis {
        let (start, end) = (points[0].place, points[points.count - 1].place)
        let late = points.filter { $0.place >= start + (end - start) / 3 }
        var low = late.reduce(Double.infinity) { min($0, $1.low, $1.value) }
        var high = late.reduce(-Double.infinity) { max($0, $1.high, $1.value) }
        if let exact, exact.isFinite {
            let half = high / 2 - low / 2
            if exact / 2 >= low / 2 - half, exact / 2 <= high / 2 + half {
                (low, high) = (min(low, exact), max(high, exact))
            }
        }
        if low == high {
            let margin = max(low.magnitude / 1000, 1e-9)
            low = max(low - margin, -Double.greatestFiniteMagnitude)
            high = min(high + margin, Double.greatestFiniteMagnitude)
        }
        return Axis(low: low, high: high)
    }

    // MARK: Ticks

    /// Round numbers along the axis, about five, with the decimals that distinguish them.
    var ticks: [(value: Double, text: String)] {
        let rough = (high - low) / 6
        guard rough > 0, rough.isFinite else { return [] }
        let power = Logarithm.base10(rough).rounded(.down)
        let base = Maths.pow(10, power)
        guard base > 0, base.isFinite else { return [] }
        let step = base * ([1, 2, 5, 10].first { rough <= $0 * base * 1.000001 } ?? 10)
        let first = (low / step).rounded(.up)
        // Between huge numbers, steps may vanish.
        guard first.magnitude < 1e15 else { return [low, high].map { ($0, Figures.significant($0, 3)) } }
        return (0..<12).map { (first + Double($0)) * step + 0 }.filter { $0 <= high + step * 1e-9 }.map { value in
            let isPlain = value.magnitude < 1e9 && power > -10
            let decimals = max(0, Int(-Logarithm.base10(step * 1.000001).rounded(.down)))
            return (value, isPlain ? Figures.fixed(value, decimals) : Figures.significant(value, 4))
        }
    }

    /// The texts of powers of ten along a logarithmic axis.
    static let powers = [
        "1", "10", "100", "1000", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹", "10¹⁰", "10¹¹", "10¹²", "10¹³", "10¹⁴",
        "10¹⁵", "10¹⁶", "10¹⁷", "10¹⁸",
    ]
}

/// A logarithm that is only as precise as a plot needs.
enum Logarithm {
    static func base10(_ number: UInt64) -> Double { number > 0 ? base10(Double(number)) : 0 }

    static func base10(_ number: Double) -> Double { Maths.log(number) / Maths.log(10) }
}
