import PotluckKit

/// Reads the rows of a table from the octets of a file, line by line.
package struct TableRows {
    /// The most numbers that a table may have: a matrix of 8192 rows and columns, which takes 512 MiB in memory.
    package static let mostNumbers = 1 << 26

    package private(set) var numbers: [Double] = []
    private var place: UnsafePointer<UInt8>?
    private let end: UnsafePointer<UInt8>?
    private let label: String
    private var line = 0
    private var rows = 0
    /// The first row: its line, and how many numbers it has.
    private var first: (line: Int, count: Int)?
    /// Whether only empty lines came so far.
    private var isBeginning = true

    /// `label` is the file's name in error messages.
    package init(_ octets: UnsafeBufferPointer<UInt8>, label: String) {
        place = octets.baseAddress
        end = octets.baseAddress.map { $0 + octets.count }
        self.label = label
    }

    package mutating func skip(_ octets: Int) { place = place.map { $0 + octets } }

    /// The table of all rows that were read.
    package var table: Table {
        get throws(Failure) {
            guard let first else { throw Failure(message: "\(label) has no numbers") }
            return Table(rows: rows, columns: first.count, numbers: numbers)
        }
    }

    /// Reads a line. Returns false at the end of the file.
    package mutating func readLine() throws(Failure) -> Bool {
        guard var place, let end, place < end else { return false }
        line += 1
        let before = numbers.count
        let start = place
        while true {
            while place < end, Self.isBlank(place.pointee) { place += 1 }
            if place == end || place.pointee == Self.newline { break }
            if let (number, after) = DecimalNumber.read(place, end: end), after == end || Self.isBorder(after.pointee) {
                numbers.append(number)
                place = after
            } else if isBeginning, numbers.isEmpty, Self.areNames(start, end) {
                while place < end, place.pointee != Self.newline { place += 1 }
                isBeginning = false
            } else {
                numbers.append(try rareNumber(&place, end))
            }
        }
        self.place = place < end ? place + 1 : place
        if numbers.count > before { try endRow(numbers.count - before, octets: place - start) }
        return true
    }

    package static func tooLarge(_ label: String) -> Failure {
        Failure(
            message:
                "\(label) is too large: a table has at most \(mostNumbers) numbers, such as 8192 rows of as many; "
                + "split it")
    }

    private mutating func endRow(_ count: Int, octets: Int) throws(Failure) {
        isBeginning = false
        rows += 1
        guard let first else {
            first = (line, count)
            // Rows are about as long as the first one. Growing would move all numbers again and again.
            if let place, let end {
                numbers.reserveCapacity(
                    min(Self.mostNumbers, count * (2 + (end - place) * 17 / 16 / max(1, octets))))
            }
            return
        }
        guard count == first.count else {
            throw Failure(
                message:
                    "\(label), line \(line): expected \(first.count) numbers as in line \(first.line), found \(count)")
        }
    }

    /// Reads a number of a rare form, or throws.
    private func rareNumber(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) throws(Failure) -> Double
    {
        let text = Self.word(&place, end)
        guard let number = Self.number(text) else {
            throw Failure(message: "\(label), line \(line): \(Spelling.quoted(text)) is not a number")
        }
        return number
    }

    /// Returns the word at `place`, which is moved behind it.
    private static func word(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> String {
        let start = place
        while place < end, !isBorder(place.pointee) { place += 1 }
        return String(decoding: UnsafeBufferPointer(start: start, count: place - start), as: UTF8.self)
    }

    /// Whether all words of a line name columns.
    private static func areNames(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        var place = start
        while true {
            while place < end, isBlank(place.pointee) { place += 1 }
            if place == end || place.pointee == newline { return true }
            if !isName(word(&place, end)) { return false }
        }
    }

    /// Whether a word of the first line names a column. A mistyped number such as `1.5x` does not, nor do `nan` and
    /// `inf`, so that no row is lost unnoticed.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter || "_\"'#(".contains(first) else { return false }
        return Double(text) == nil
    }

    private static let newline = UInt8(ascii: "\n")

    /// Whether a word ends before this.
    private static func isBorder(_ octet: UInt8) -> Bool { octet == newline || isBlank(octet) }

    private static func isBlank(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ","): true
        default: false
        }
    }

    /// Parses a decimal number. `Double` alone would also accept "nan" and "0x1p3".
    static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) || ".eE+-".utf8.contains($0) }), let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }
}
