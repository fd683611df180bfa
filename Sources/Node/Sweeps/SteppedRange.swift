import PotluckScreen

/// A range of decimal numbers, such as `3..10` or `0.1..0.5:0.05`. Its numbers are exact: a sum of binary fractions
/// would give 0.30000000000000004.
struct SteppedRange {
    /// The ends and the step in units of the last decimal place.
    private let first: Int
    private let last: Int
    private let step: Int
    /// The number of decimal places.
    private let places: Int

    /// Returns the numbers of a range; nil if the text is none.
    static func values(_ text: String, atMost most: Int) throws(ValueError) -> [String]? {
        guard let range = try SteppedRange(text) else { return nil }
        return try range.values(atMost: most)
    }

    private init?(_ text: String) throws(ValueError) {
        guard let dots = text.firstRange(of: "..") else { return nil }
        guard !text[dots.upperBound...].hasPrefix(".") else { throw ValueError("a range has two dots, as in 3..10") }
        let rest = text[dots.upperBound...].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = Decimal(text[..<dots.lowerBound]), let last = Decimal(rest[0]),
            let step = rest.count == 2 ? Decimal(rest[1]) : Decimal("1")
        else { throw ValueError("a range is written like 3..10 or 0.1..0.5:0.05") }
        guard rest.count == 2 || first.places == 0 && last.places == 0 else {
            throw ValueError("a range of real numbers has a step, as in 0.1..0.5:0.05")
        }
        places = max(first.places, last.places, step.places)
        guard let low = first.units(places), let high = last.units(places), let width = step.units(places) else {
            throw ValueError("a range has fewer digits")
        }
        guard low <= high, width > 0 else { throw ValueError("a range goes up, in steps above 0") }
        (self.first, self.last, self.step) = (low, high, width)
    }

    /// The numbers from the first end on, up to and including the last one that is reached.
    private func values(atMost most: Int) throws(ValueError) -> [String] {
        let (width, overflows) = last.subtractingReportingOverflow(first)
        guard !overflows, width / step < most else { throw ValueError("a range has at most \(most) values") }
        return (0...width / step).map { text(first + $0 * step) }
    }

    private func text(_ units: Int) -> String {
        guard places > 0 else { return "\(units)" }
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (units < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }

    /// A number as it is typed.
    private struct Decimal {
        /// The number without its decimal point.
        private let digits: Int
        let places: Int

        /// The most decimal places. A real number holds no more digits.
        private static let mostPlaces = 17

        init?(_ text: Substring) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, parts.last?.isEmpty == false else { return nil }
            places = parts.count == 2 ? parts[1].count : 0
            let unsigned = parts.joined().drop { $0 == "-" }
            guard places <= Self.mostPlaces, !unsigned.isEmpty,
                unsigned.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let digits = Int(parts.joined())
            else { return nil }
            self.digits = digits
        }

        init?(_ text: String) { self.init(text[...]) }

        /// The number in units of this decimal place; nil if it is too large.
        func units(_ wanted: Int) -> Int? {
            (places..<wanted).reduce(digits as Int?) { number, _ in
                guard let (product, overflows) = number?.multipliedReportingOverflow(by: 10) else { return nil }
                return overflows ? nil : product
            }
        }
    }
}
