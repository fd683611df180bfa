import PotluckCore

extension Comparison {
    /// The operator between two values that exist.
    fileprivate var sql: SQL {
        switch self {
        case .equal: " = "
        case .unequal: " <> "
        case .less: " < "
        case .atMost: " <= "
        case .greater: " > "
        case .atLeast: " >= "
        case .contains: " = "
        }
    }

    fileprivate var isAboutSameness: Bool { self == .equal || self == .unequal }
}

extension Term {
    /// An SQL condition that compares the term with a typed value.
    func sql(
        _ comparison: Comparison, _ typed: String, moment: (String) -> Int64?
    ) throws(TermError) -> SQL {
        switch kind {
        case .field(let field):
            return try Self.compare(field, comparison, Self.read(typed, field, comparison, moment: moment))
        case .reading, .share:
            return value + (try Self.order(comparison)).sql + SQL("?", .real(try Self.number(typed)))
        case .parameter(let name):
            if comparison == .contains || Numbers.real(typed) == nil {
                return try Self.text(of: name, comparison, typed)
            }
            return value + comparison.sql + SQL("?", .real(try Self.number(typed)))
        }
    }

    private static func order(_ comparison: Comparison) throws(TermError) -> Comparison {
        guard comparison != .contains else {
            throw TermError("~ compares text, not numbers; use =, !=, <, <=, > or >=")
        }
        return comparison
    }

    private static func number(_ typed: String) throws(TermError) -> Double {
        guard let number = Numbers.real(typed) else {
            throw TermError("\(Spelling.quoted(typed)) is not a number; use a number like 0.25, 1e9, 10M or 1_000")
        }
        return number
    }

    /// Compares a choice or a flag by its name.
    private static func text(
        of name: String, _ comparison: Comparison, _ typed: String
    ) throws(TermError) -> SQL {
        let head = SQL("EXISTS (SELECT 1 FROM parameter WHERE run = run.id AND +name = ? AND ", .text(name))
        switch comparison {
        case .contains: return head + SQL("instr(lower(text), lower(?)))", .text(typed))
        case .equal: return head + SQL("text = ? COLLATE NOCASE)", .text(typed))
        case .unequal: return head + SQL("text <> ? COLLATE NOCASE)", .text(typed))
        default: throw TermError("\(Spelling.quoted(typed)) is not a number; use a number like 0.25, 1e9, 10M or 1_000")
        }
    }

    private static func compare(_ field: Field, _ comparison: Comparison, _ value: SQLValue) -> SQL {
        switch (field, comparison) {
        case (.node, _):
            let isSame: SQL =
                comparison == .contains
                ? SQL(" AND instr(lower(part.key), lower(?)))", value) : SQL(" AND part.key = ? COLLATE NOCASE)", value)
            let found = "EXISTS (SELECT 1" + SQL.nodes + isSame
            return comparison == .unequal ? "NOT " + found : found
        case (.note, _):
            let isNot = comparison == .unequal
            let found = SQL("EXISTS (SELECT 1 FROM note WHERE run = run.id AND instr(lower(text), lower(?)))", value)
            return isNot ? "NOT " + found : found
        case (_, .contains): return "instr(lower(" + field.value + SQL("), lower(?))", value)
        // Users copy the beginning of a digest.
        case (.digest, .equal): return SQL("substr(run.digest, 1, length(?)) = lower(?)", value, value)
        case (.digest, .unequal): return SQL("substr(run.digest, 1, length(?)) <> lower(?)", value, value)
        default: return field.value + comparison.sql + SQL("?", value)
        }
    }

    /// The typed value in the form of the field's column.
    private static func read(
        _ typed: String, _ field: Field, _ comparison: Comparison, moment: (String) -> Int64?
    ) throws(TermError) -> SQLValue {
        switch field {
        case .simulation, .digest, .session, .submitter, .sweep, .node, .note:
            guard comparison.isAboutSameness || comparison == .contains else {
                throw TermError("\(field.rawValue) is text; compare it with =, != or ~")
            }
            return .text(typed)
        case .ended:
            guard comparison.isAboutSameness else { throw TermError("compare ended with = or !=") }
            guard let index = endings.firstIndex(of: typed.lowercased()) else {
                throw TermError(
                    "\(Spelling.quoted(typed)) is not a way to end; use one of \(endings.joined(separator: ", "))")
            }
            return SQLValue(index + 1)
        case .seed:
            guard comparison.isAboutSameness else { throw TermError("compare a seed with = or !=") }
            guard let seed = Numbers.seed(typed) else { throw TermError("\(Spelling.quoted(typed)) is not a seed") }
            return SQLValue(seed)
        case .started:
            guard let at = moment(typed) else {
                throw TermError(
                    "\(Spelling.quoted(typed)) is not a date; use a date like 2026-11-20, 2026-11-20T14:30 or 7d")
            }
            return .integer(try wanted(at, comparison))
        case .elapsed:
            guard let seconds = Numbers.seconds(typed) else {
                throw TermError("\(Spelling.quoted(typed)) is not a time; use a time like 10s, 500ms, 2m or 1h")
            }
            return .real(try wanted(seconds * 1e9, comparison))
        case .id, .trials, .cores, .nodes, .rate:
            let number = try number(typed)
            // Whole numbers are compared exactly, because a Double cannot tell numbers near 10¹⁸ apart.
            return try wanted(Int64(exactly: number).map(SQLValue.integer) ?? .real(number), comparison)
        }
    }

    private static func wanted<Value>(_ value: Value, _ comparison: Comparison) throws(TermError) -> Value {
        _ = try order(comparison)
        return value
    }

    /// In the order of their numbers: those that the store has, and then the one of a finished search.
    private static let endings = ["trials", "precision", "time", "stopped", "proven"]
}

/// Parses numbers in conditions.
enum Numbers {
    private static let suffixes: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "%": 0.01]

    static func real(_ text: String) -> Double? {
        var digits = Substring(text)
        var factor = 1.0
        if let last = digits.last, let suffix = suffixes[last] {
            factor = suffix
            digits.removeLast()
        }
        guard let first = digits.first, first.isNumber || "-+.".contains(first),
            digits.allSatisfy({ $0.isASCII && ($0.isNumber || "_.eE+-".contains($0)) }),
            let value = Double(String(digits.filter { $0 != "_" })), (value * factor).isFinite
        else { return nil }
        return value * factor
    }

    static func seed(_ text: String) -> UInt64? {
        text.lowercased().hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text.filter { $0 != "_" })
    }

    /// Reads `10s`, `500ms`, `2m`, `1h` or `3d`; a bare number means seconds.
    static func seconds(_ text: String) -> Double? {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
        for (name, size) in units where text.hasSuffix(name) {
            guard let number = real(String(text.dropLast(name.count))) else { continue }
            return number * size
        }
        return real(text)
    }
}
