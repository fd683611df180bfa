import Foundation
import PotluckKit
import Testing

@testable import PotluckCore

/// The tables of the protocol page list the fields that the descriptions of messages visit: the same tags in the same
/// order, with a star at those without which a message is refused, and the limits.
@Suite struct ProtocolPageTests {
    private static let page: [Substring] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/PROTOCOL.md")
        return ((try? String(contentsOf: path, encoding: .utf8)) ?? "")
            .split(separator: "\n", omittingEmptySubsequences: false)
    }()

    /// Returns the cells of a row that begins with these cells.
    private func cells(_ first: String...) throws -> [String] {
        let begin = "| " + first.joined(separator: " | ") + " |"
        let row = try #require(Self.page.first { $0.hasPrefix(begin) }, "no row \(begin)")
        return row.split(separator: " | ", omittingEmptySubsequences: false).dropFirst(first.count).map {
            String($0.replacing(#/ ?\|$/#, with: ""))
        }
    }

    /// Returns the rows of the table with this title, each as one field.
    private func table(_ title: String) throws -> String {
        let start = try #require(Self.page.firstIndex { $0.hasPrefix("| \(title) |") })
        return Self.page[(start + 2)...].prefix { $0.hasPrefix("| ") }
            .map { $0.dropFirst(2).dropLast(2).replacing(" | ", with: " ") }.joined(separator: "; ")
    }

    private func described(_ visit: (inout Describer) throws -> Void) rethrows -> Describer {
        var describer = Describer()
        try visit(&describer)
        return describer
    }

    /// Compares the fields, and whether the text has each limit.
    private func compare(_ text: String, _ describer: Describer, limits: Bool = true, _ name: String) {
        #expect(Self.fields(text) == describer.fields.map(\.mark), "\(name)")
        for field in describer.fields where limits {
            guard let spellings = field.spellings else { continue }
            #expect(spellings.contains { text.contains($0) }, "\(name): \(field.tag) has one of \(spellings)")
        }
    }

    /// The tags that a text says, each with its star.
    private static func fields(_ text: String) -> [String] {
        text.split(separator: ";").flatMap { part -> [String] in
            guard let tags = part.prefixMatch(of: #/\s*((?:[0-9]+(?:\\\*)?, )*[0-9]+(?:\\\*)?) /#) else { return [] }
            return tags.1.replacing("\\", with: "").split(separator: ", ").map(String.init)
        }
    }

    @Test func theTableOfMessagesIsThatOfTheCode() throws {
        for kind in Message.Kind.allCases where (11...45).contains(kind.rawValue) && kind != .ranks {
            var message = try #require(Message.cases.blank(kind.rawValue))
            let describer = try described { try message.visitCase(&$0) }
            #expect(describer.kind == kind.rawValue)
            let text =
                switch kind {
                case .picture: try table("tag | of a picture")
                case .result:
                    try table("tag | of a result").replacing("as of a job; ", with: "as of a job, at most 65 536; ")
                default: try #require(try cells("\(kind.rawValue)", "\(kind)").first)
                }
            compare(text, describer, "\(kind)")
        }
    }

    @Test func theTableOfRecordsIsThatOfTheCode() throws {
        func compare<Value: WireRecord>(_ name: String, _: Value.Type) throws {
            var value = Value.blank
            self.compare(try #require(try cells(name).first), try described { try value.visit(&$0) }, name)
        }
        try compare("experiment", Experiment.self)
        try compare("goal", Goal.self)
        try compare("title", JobTitle.self)
        try compare("module, tables, output", BlobReference.self)
        try compare("what came of a chunk", WorkResult.self)
        try compare("blocks done", OfferedWork.self)
        try compare("reading", Reading.self)
        try compare("point", CoursePoint.self)
        try compare("failed block", BlockFailure.self)
        try compare("row", NodeRow.self)
        try compare("guess", Guess.self)
    }

    @Test func theTableOfChangesIsThatOfTheCode() throws {
        let names: [(String, ClosedRange<UInt64>)] = [
            ("1 accepted", 1...1), ("2 done", 2...2), ("3 settled, 4 passed, 5 rewritten", 3...5), ("6 judged", 6...6),
            ("7 ran", 7...7), ("8 stands", 8...8), ("9 forgotten", 9...9), ("10 credited", 10...10),
        ]
        for (name, numbers) in names {
            for number in numbers {
                var change = try #require(JournalChange.cases.blank(number))
                let describer = try described { try change.visitCase(&$0) }
                compare(try #require(try cells(name).first), describer, limits: false, name)
            }
        }
        #expect(JournalChange.cases.blank(11) == nil)
    }
}

/// Notes each field that a description visits. The values become those of a message without fields, so that a rule that
/// such a message breaks tells which field is required.
private struct Describer: FieldVisitor {
    typealias Bytes = ByteReader

    struct Field {
        let tag: UInt64
        var isRequired = false
        /// How the page may write the limit; nil if there is none.
        var spellings: [String]?

        var mark: String { "\(tag)\(isRequired ? "*" : "")" }
    }

    private final class Notes { var fields: [Field] = [] }

    private let notes = Notes()
    private(set) var kind: UInt64 = 0
    var fields: [Field] { notes.fields }

    private func note(_ tag: UInt64, _ spellings: [String]? = nil, isRequired: Bool = false) {
        notes.fields.append(Field(tag: tag, isRequired: isRequired, spellings: spellings))
    }

    /// Limits with a name of their own.
    private static let named: [UInt64: String] = [
        Goal.mostTrials: "10¹⁸", JobOrder.longestDelay.onWire: "a day", Duration.longestOnWire.onWire: "time",
        UInt64(JobMessage.maximumDisplayName): "display name", 400: "line", 100: "label",
    ]

    private static func spellings(_ limit: UInt64) -> [String]? {
        guard limit > 2, limit < Int64.max else { return nil }
        return [limit, limit + 1].map { limit in
            if let name = named[limit] { return name }
            guard limit.nonzeroBitCount == 1, limit > 1 << 30 else {
                return limit < 10_000 ? "\(limit)" : "\(limit / 1000) \(String("\(limit % 1000 + 1000)".dropFirst()))"
            }
            return "2" + "\(limit.trailingZeroBitCount)".map { Array("⁰¹²³⁴⁵⁶⁷⁸⁹")[$0.wholeNumberValue ?? 0] }
        }
    }

    mutating func kind(_ number: UInt64) { if kind == 0 { kind = number } }

    mutating func union<Value: WireUnion>(
        _ tag: UInt64?, _ value: inout Value, of cases: @autoclosure () -> WireCases<Value>
    ) throws(WireError) {
        guard let tag else { return try value.visitCase(&self) }
        note(tag, isRequired: true)
        for number in 0...UInt64(64) {
            guard var blank = cases().blank(number) else { continue }
            let inner = Describer()
            var visitor = inner
            try blank.visitCase(&visitor)
            for field in inner.fields where !fields.contains(where: { $0.tag == field.tag }) {
                note(field.tag, field.spellings)
            }
        }
    }

    mutating func number(_ tag: UInt64, _ value: inout UInt64, atMost limit: UInt64) {
        value = 0
        note(tag, Self.spellings(limit))
    }

    mutating func fixed(_ tag: UInt64, _ value: inout UInt64?) {
        value = nil
        note(tag)
    }

    mutating func octets(_ tag: UInt64, _ value: inout [UInt8], atMost limit: Int) {
        value = []
        note(tag, Self.spellings(UInt64(limit)))
    }

    mutating func slice(_ tag: UInt64, _ value: inout ArraySlice<UInt8>, atMost limit: Int) {
        value = []
        note(tag, Self.spellings(UInt64(limit)))
    }

    mutating func text(_ tag: UInt64, _ value: inout String, atMost limit: Int) {
        value = ""
        note(tag, Self.spellings(UInt64(limit)))
    }

    mutating func slots(_ tag: UInt64, _ value: inout [UInt64], atMost limit: Int) {
        value = []
        note(tag, Self.spellings(UInt64(limit)))
    }

    mutating func packed<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout ByteReader, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        var reader = ByteReader([])
        try visit(&reader, &value)
        note(tag)
    }

    mutating func record<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        var inner = Describer()
        try visit(&inner, &value)
        note(tag, isRequired: inner.fields.contains(where: \.isRequired))
    }

    mutating func optional<Value: WireRecord>(_ tag: UInt64, _ value: inout Value?) {
        value = nil
        note(tag)
    }

    mutating func list<Item>(
        _ tag: UInt64, _ items: inout [Item], blank: Item, atMost limit: Int, each longest: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) {
        items = []
        note(tag, Self.spellings(UInt64(limit)))
    }

    mutating func texts(_ tag: UInt64, _ items: inout [String], atMost limit: Int, each longest: Int) {
        items = []
        note(tag, Self.spellings(UInt64(limit)))
    }

    func check(_ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String) {
        if !isValid(), let last = notes.fields.indices.last { notes.fields[last].isRequired = true }
    }

    mutating func skip(unless isKnown: Bool) {}
}
