import PotluckCore
import PotluckKit

/// Formats numbers and times.
public enum Figures {
    /// `1 000 000 000`: digits in groups of three.
    public static func grouped(_ number: UInt64) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += " " }
            text.append(digit)
        }
        return text
    }

    /// The part of a search's points, from 0 to 1.
    package static func part(ofSpace points: UInt64) -> Double { Double(points) / Double(SearchSpace.points) }

    /// Returns the part of a search's points as `12 %`; never 100 % before all are done.
    package static func percent(ofSpace points: UInt64) -> String {
        let percent = (part(ofSpace: points) * 1000).rounded(.down) / 10
        if points > 0, percent == 0 { return "< 0.1 %" }
        return points < SearchSpace.points ? "\(min(99.9, percent)) %" : "100 %"
    }

    /// A part of a whole that is not 0, as `12.0 %`.
    package static func percent(_ part: UInt64, of whole: Double) -> String {
        (Digits(Double(part) / whole * 100)?.fixed(1) ?? "?") + " %"
    }

    /// The work of a job: its trials or units or, for a search, the part of the tree that it searched.
    package static func done(_ trials: UInt64, _ unit: WorkUnit) -> String {
        guard unit == .point else { return "\(grouped(trials)) \(unit.word(trials))" }
        return trials < SearchSpace.points
            ? "\(percent(ofSpace: trials)) of the tree, the best is not proven" : "the whole tree"
    }

    /// Fits a whole number into `width` columns: grouped if possible, else rounded to four digits, as `1.235e17`.
    package static func grouped(_ number: UInt64, width: Int) -> String {
        let text = grouped(number)
        return text.count <= width ? text : Digits(Double(number))?.scientific(4) ?? text
    }

    /// The shortest exact way to type a whole number: `1e9`, `25e6`.
    public static func typed(_ number: UInt64) -> String {
        let digits = String(number)
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        return number > 0 && zeros >= 6 ? "\(digits.dropLast(zeros))e\(zeros)" : digits
    }

    /// A number of bytes: `96 B`, `1.5 kB`, `23 MB`.
    public static func size(_ octets: Int) -> String {
        for (size, unit) in [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")] where Double(octets) >= size * 0.9995
        {
            let value = Double(octets) / size
            return "\(value < 9.95 ? fixed(value, 1) : fixed(value, 0)) \(unit)"
        }
        return "\(octets) B"
    }

    /// `734 112/s`, `1.43 billion/s`.
    public static func rate(_ perSecond: Double) -> String {
        guard perSecond.isFinite, perSecond >= 0 else { return "?/s" }
        for (size, name) in [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")] where perSecond >= size * 0.9995 {
            return "\(significant(perSecond / size, 3)) \(name)/s"
        }
        if perSecond == 0 { return "0/s" }
        return perSecond < 100 ? "\(significant(perSecond, 3))/s" : "\(grouped(UInt64(perSecond.rounded())))/s"
    }

    /// `0.4 ms`, `350 ms`, `3.6 s`, `36 s`, `2 min 5 s`, `1 h 5 min`, `2 d 3 h`.
    public static func time(_ duration: Duration) -> String {
        let seconds = max(0, duration.seconds)
        if seconds > 0, seconds < 0.00095 { return "\(significant(seconds * 1000, 1)) ms" }
        if seconds < 0.9995 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 9.95 { return "\(significant(seconds, 2)) s" }
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        case ..<86400: return "\(whole / 3600) h \(whole % 3600 / 60) min"
        default: return "\(whole / 86400) d \(whole % 86400 / 3600) h"
        }
    }

    /// A time that is only known roughly: without fractions of a second.
    static func rough(_ duration: Duration) -> String {
        let seconds = Int(max(0, min(duration.seconds, 1e15)).rounded())
        return seconds < 60 ? "\(seconds) s" : time(.seconds(seconds))
    }

    /// A time in one unit: `45 s`, `12 min`, `3 h`, `2 d`. It changes seldom, so that long tables are seldom redrawn.
    static func age(_ duration: Duration) -> String {
        let seconds = max(0, duration.nanoseconds / 1_000_000_000)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86400: "\(seconds / 3600) h"
        default: "\(seconds / 86400) d"
        }
    }

    /// `1.3 ms`, `25 ms`.
    static func milliseconds(_ time: Duration) -> String {
        let tenths = time.nanoseconds / 100_000 + (time.nanoseconds % 100_000 >= 50_000 ? 1 : 0)
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
    }

    /// Rounded to four digits, without trailing zeros: `0.25`, `8`, `1.23e9`.
    package static func short(_ value: Double) -> String {
        var text = significant(value, 4)
        guard text.contains("."), !text.contains("e") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// With this many decimals.
    package static func fixed(_ value: Double, _ decimals: Int) -> String { Digits(value)?.fixed(decimals) ?? "?" }

    /// Rounds to `count` significant digits. Uses scientific notation below 1e-4 and from 1e15 on.
    package static func significant(_ value: Double, _ count: Int) -> String {
        // Round first, because rounding may carry to the next power of ten.
        guard let digits = Digits(value)?.rounded(to: count) else { return "?" }
        let exponent = digits.exponent ?? 0
        if exponent < -4 || exponent >= 15 { return digits.scientific(count) }
        return digits.fixed(max(0, count - 1 - exponent))
    }
}

/// Formats the numbers of one reading, all with the same decimals: two uncertain digits of its interval.
package struct ReadingFigures {
    private let decimals: Int
    /// The number of digits in scientific notation, for numbers that would be mostly zeros; nil for fixed notation.
    private let significant: Int?

    package init(_ reading: Reading) {
        let size = Digits(reading.value ?? 0)?.exponent ?? 0
        var decimals = 5 - size
        var significant = 6
        if let half = reading.halfWidth, half > 0, let spread = Digits(half)?.exponent {
            decimals = 1 - spread
            significant = min(15, max(2, size - spread + 2))
        } else if Self.isCount(reading) {
            decimals = 0
        }
        self.decimals = min(15, max(0, decimals))
        self.significant = size >= 15 || size < -6 && reading.value != 0 ? significant : nil
    }

    /// Whether a derived reading without an interval is a count, such as the number of primes: its value and exact
    /// answer are whole.
    private static func isCount(_ reading: Reading) -> Bool {
        let numbers = [reading.value, reading.exact].compactMap { $0 }
        return reading.kind == .derived && reading.interval == nil && !numbers.isEmpty
            && numbers.allSatisfy { $0 == $0.rounded() }
    }

    package func text(_ value: Double) -> String {
        guard let digits = Digits(value) else { return "?" }
        return significant.map { digits.scientific($0) } ?? digits.fixed(decimals)
    }
}
