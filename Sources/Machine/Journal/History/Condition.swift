import PotluckCore

/// A filter for runs, such as `doors>3 and trials>=1e9`, `not (rate<1M or note~lab)` or `started>=2026-11-01`.
///
/// The parser combines SQL literals from our source, and binds everything that the user typed as values.
public struct Condition: Sendable, CustomStringConvertible {
    /// The longest condition in bytes. Nobody types a longer one, and each part must be evaluated for every run.
    static let longest = 2000
    /// The most levels of parentheses.
    static let deepest = 50

    public let description: String
    let sql: SQL
    /// Whether it asks who computed a run.
    public let isAboutNodes: Bool

    /// `names` are those in the store. `moment` reads a date or a duration before now, as milliseconds since 1970.
    public init(
        _ text: String, names: Term.Names, moment: @escaping (String) -> Int64?
    ) throws(ConditionError) {
        guard text.utf8.count <= Self.longest else {
            throw ConditionError(column: Self.longest, reason: "a condition has at most \(Self.longest) characters")
        }
        description = text
        var lexer = ConditionLexer(text)
        var parser = ConditionParser(
            words: try lexer.words(), end: text.count + 1, names: names, moment: moment)
        sql = try parser.whole()
        isAboutNodes = parser.isAboutNodes
    }
}

/// A recursive-descent parser. `or` binds weaker than `and`, and `and` weaker than `not`.
private struct ConditionParser {
    let words: [ConditionWord]
    let end: Int
    let names: Term.Names
    let moment: (String) -> Int64?
    private var at = 0
    private(set) var isAboutNodes = false

    init(words: [ConditionWord], end: Int, names: Term.Names, moment: @escaping (String) -> Int64?) {
        self.words = words
        self.end = end
        self.names = names
        self.moment = moment
    }

    private var next: ConditionWord.Kind? { at < words.count ? words[at].kind : nil }
    private var column: Int { at < words.count ? words[at].column : end }

    private func wrong(_ reason: String) -> ConditionError { ConditionError(column: column, reason: reason) }

    mutating func whole() throws(ConditionError) -> SQL {
        guard !words.isEmpty else { throw wrong("expected a condition like doors>3 and trials>=1e9") }
        let sql = try any(0)
        guard next == nil else {
            throw wrong(next == .close ? "unmatched closing parenthesis" : "expected 'and', 'or' or the end")
        }
        return sql
    }

    private mutating func any(_ depth: Int) throws(ConditionError) -> SQL {
        var sql = try all(depth)
        while next == .or {
            at += 1
            sql = "(" + sql + " OR " + (try all(depth)) + ")"
        }
        return sql
    }

    private mutating func all(_ depth: Int) throws(ConditionError) -> SQL {
        var sql = try one(depth)
        while next == .and {
            at += 1
            sql = "(" + sql + " AND " + (try one(depth)) + ")"
        }
        return sql
    }

    private mutating func one(_ depth: Int) throws(ConditionError) -> SQL {
        guard depth < Condition.deepest else { throw wrong("too many nested parentheses") }
        switch next {
        case .not:
            at += 1
            // An unknown value does not satisfy a condition, so it satisfies the opposite.
            return "NOT coalesce(" + (try one(depth + 1)) + ", 0)"
        case .open:
            at += 1
            let sql = try any(depth + 1)
            guard next == .close else { throw wrong("expected a closing parenthesis") }
            at += 1
            return sql
        case .name(let name): return try comparison(name)
        default: throw wrong("expected a field like trials or doors")
        }
    }

    private mutating func comparison(_ name: String) throws(ConditionError) -> SQL {
        let term: Term
        do throws(TermError) {
            term = try Term(name, among: names)
        } catch {
            throw wrong(error.reason)
        }
        isAboutNodes = isAboutNodes || term.isAboutNodes
        at += 1
        guard case .comparison(let comparison) = next else {
            throw wrong("expected =, !=, <, <=, >, >= or ~ after \(name)")
        }
        at += 1
        guard case .value(let value) = next else { throw wrong("expected a value") }
        do throws(TermError) {
            let sql = try term.sql(comparison, value, moment: moment)
            at += 1
            return sql
        } catch {
            throw wrong(error.reason)
        }
    }
}
