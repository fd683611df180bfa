import PotluckCore

/// Parses what users type for numbers of trials, times, precisions, seeds and cores.
package enum Quantities {
    /// Parses a number of trials: `1000000`, `1_000_000`, `1e6`, `2.5k`, `10M`, with k, M, G and T for 10³, 10⁶, 10⁹
    /// and 10¹². Throws if the value is not exactly a whole number.
    public static func trials(_ text: String) throws(ValueError) -> UInt64 {
        let notANumber = ValueError("not a number of trials; use a number like 1000000, 1e6 or 1M")
        var number = Substring(text)
        var power = 0
        if let last = number.last, let suffix = suffixes[last] {
            power = suffix
            number.removeLast()
        } else if let e = number.lastIndex(where: { $0 == "e" || $0 == "E" }) {
            var exponent = number[number.index(after: e)...]
            if exponent.first == "+" { exponent.removeFirst() }
            guard let value = digits(exponent).flatMap({ Int($0) }) else { throw notANumber }
            power = value
            number = number[..<e]
        }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = digits(parts[0]), parts.count < 2 || digits(parts[1]) != nil else { throw notANumber }
        var fraction = parts.count > 1 ? digits(parts[1]) ?? "" : ""
        while fraction.last == "0" { fraction.removeLast() }
        guard fraction.count <= power else { throw ValueError("not a whole number of trials") }
        let significant = (whole + fraction).drop { $0 == "0" }
        guard !significant.isEmpty else { throw ValueError("must be at least 1") }
        // 20 digits never fit, so an exponent of a million needs no memory either.
        let zeros = power - fraction.count
        guard zeros <= 20, let value = UInt64(significant + String(repeating: "0", count: zeros)),
            value <= Goal.mostTrials
        else { throw ValueError("must be at most 1e18") }
        return value
    }

    private static let suffixes: [Character: Int] = ["k": 3, "K": 3, "M": 6, "G": 9, "T": 12]

    /// Returns the digits without the `_` between them, or nil if there is anything else.
    private static func digits(_ text: some StringProtocol) -> String? {
        guard let first = text.first, let last = text.last, first != "_", last != "_",
            text.allSatisfy({ $0 == "_" || ("0"..."9").contains($0) })
        else { return nil }
        return String(text.filter { $0 != "_" })
    }

    /// The longest time: longer than any run that a user waits for, short enough that sums of times do not overflow.
    static let longest = Duration.seconds(366 * 24 * 3600)

    /// Parses a time: `10s`, `500ms`, `2m`, `1h30m`. A number without a unit means seconds.
    package static func duration(_ text: String) throws(ValueError) -> Duration {
        let notATime = ValueError("not a time; use a time like 10s, 500ms, 2m or 1h30m")
        var rest = Substring(text)
        var seconds = 0.0
        var last = units.count
        if let bare = decimal(rest) { (seconds, rest) = (bare, "") }
        while !rest.isEmpty || last == units.count && seconds == 0 {
            let number = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest[number.endIndex...]
            let unit = rest.prefix { $0.isLetter }
            rest = rest[unit.endIndex...]
            guard let value = decimal(number), let place = units.firstIndex(where: { $0.name == unit }), place < last
            else { throw notATime }
            seconds += value * units[place].seconds
            last = place
        }
        guard seconds > 0 else { throw ValueError("must be more than 0") }
        guard seconds <= longest.seconds else { throw ValueError("must be at most 366 days") }
        return .nanoseconds(max(1, Int64(seconds * 1e9)))
    }

    /// In rising order: in `1h30m` each unit is smaller than the one before it.
    private static let units: [(name: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]

    /// Parses a limit for all readings, or one for each of several: `wait<1% and p99<0.5`.
    package static func precision(_ text: String) throws(ValueError) -> Precision {
        guard text.contains("<") else { return .every(try widthLimit(text[...])) }
        let notAGoal = ValueError("each part is a reading and its precision, as in 'wait<1% and p99<0.5'")
        var named: [ReadingLimit] = []
        var name = ""
        for clause in text.split(separator: " and ", omittingEmptySubsequences: false) {
            // The name of a reading may have an "and", too.
            guard let sign = clause.lastIndex(of: "<") else {
                name += clause + " and "
                continue
            }
            name = (name + clause[..<sign]).trimmed
            guard !name.isEmpty else { throw notAGoal }
            guard !name.contains("<") || !(name.contains(" or ") || name.contains(",")) else {
                throw ValueError("join the readings with 'and': each of them is judged, as in 'wait<1% and p99<0.5'")
            }
            guard !named.contains(where: { $0.reading == name }) else {
                throw ValueError("\(Spelling.quoted(name)) occurs twice")
            }
            let limit = try widthLimit(clause[clause.index(after: sign)...].trimmed[...])
            named.append(ReadingLimit(reading: name, limit: limit))
            name = ""
        }
        guard name.isEmpty else { throw notAGoal }
        guard named.count <= Precision.mostNamed else {
            throw ValueError("at most \(Precision.mostNamed) readings are judged")
        }
        return .named(named)
    }

    /// Parses `0.0001`, or `0.01%` of the value.
    private static func widthLimit(_ text: Substring) throws(ValueError) -> WidthLimit {
        let isRelative = text.last == "%"
        // Screens say `1 %`, so people type it.
        guard let value = decimal(isRelative ? text.dropLast().trimmed[...] : text) else {
            throw ValueError(
                "not a precision; use a number like 0.0001, 0.01% of the value, or readings with theirs: "
                    + "'wait<1% and p99<0.5'")
        }
        guard value > 0 else { throw ValueError("must be more than 0") }
        return isRelative ? .relative(value / 100) : .absolute(value)
    }

    /// Parses a seed: an integer below 2⁶⁴, in decimal or, after 0x, in hexadecimal digits.
    public static func seed(_ text: String) throws(ValueError) -> UInt64 {
        let hexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let value =
            hexadecimal
            ? text.dropFirst(2).first?.isHexDigit == true ? UInt64(text.dropFirst(2), radix: 16) : nil
            : digits(text).flatMap { UInt64($0) }
        guard let value else { throw ValueError("not a seed; use a whole number from 0 to \(UInt64.max)") }
        return value
    }

    /// More than any machine has, and few enough that their threads fit into memory.
    package static let mostCores = 1024

    package static func cores(_ text: String) throws(ValueError) -> Int {
        guard let value = Int(text) else { throw ValueError("not a whole number") }
        guard (1...mostCores).contains(value) else { throw ValueError("must be from 1 to \(mostCores)") }
        return value
    }

    /// Parses a decimal number, with or without an exponent. Signs, blanks, `nan`
    /// and hexadecimal digits are not permitted.
    private static func decimal(_ text: Substring) -> Double? {
        guard let first = text.first, ("0"..."9").contains(first) || first == ".",
            text.allSatisfy({ ("0"..."9").contains($0) || ".eE+-".contains($0) }),
            let value = Double(text), value.isFinite
        else { return nil }
        return value
    }
}
