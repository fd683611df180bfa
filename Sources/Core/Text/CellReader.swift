/// Splits a file of text into rows of cells, as spreadsheets write them: a cell in quotes may have separators and line ends
/// within, and two quotes in it stand for one.
struct CellReader {
    /// Between cells: a tab, a semicolon, a comma, or for a blank any number of blanks.
    let separator: UInt8
    private let octets: UnsafeBufferPointer<UInt8>
    private var place: Int
    /// The line at which the latest row begins, and the one at which the next one does.
    private(set) var line = 1
    private var nextLine: Int
    /// The cells of the latest row, without their quotes.
    private(set) var cells: [Range<Int>] = []

    static let (newline, quote) = (UInt8(ascii: "\n"), UInt8(ascii: "\""))
    private static let (blank, tab) = (UInt8(ascii: " "), UInt8(ascii: "\t"))

    /// Creates a reader that begins at `start`, in line `line`.
    init(_ octets: UnsafeBufferPointer<UInt8>, from start: Int, line: Int, separator: UInt8) {
        (self.octets, place, nextLine, self.separator) = (octets, start, line, separator)
    }

    /// Returns the separator of a line: the one that occurs most often outside of quotes.
    static func separator(of line: UnsafeBufferPointer<UInt8>) -> UInt8 {
        var found = blank
        var most = 0
        for candidate in [tab, UInt8(ascii: ";"), UInt8(ascii: ",")] {
            var (count, isQuoted) = (0, false)
            for octet in line {
                if octet == quote { isQuoted.toggle() }
                if octet == candidate, !isQuoted { count += 1 }
            }
            if count > most { (found, most) = (candidate, count) }
        }
        return found
    }

    /// Reads the next row that is not empty. Returns false at the end of the file.
    mutating func readRow() -> Bool {
        while place < octets.count {
            cells.removeAll(keepingCapacity: true)
            line = nextLine
            while true {
                readCell()
                guard place < octets.count, octets[place] != Self.newline else { break }
                place += 1
            }
            // Behind the line end.
            place += 1
            nextLine += 1
            if separator == Self.blank, cells.count > 1, cells.last?.isEmpty == true { cells.removeLast() }
            if cells.count > 1 || cells.first?.isEmpty == false { return true }
        }
        return false
    }

    /// Returns the text of a cell.
    func text(_ cell: Range<Int>) -> String {
        String(decoding: octets[cell], as: UTF8.self).split(separator: "\"\"", omittingEmptySubsequences: false)
            .joined(separator: "\"")
    }

    /// Returns the number in a cell; nil if it has none.
    func number(_ cell: Range<Int>) -> Double? {
        guard !cell.isEmpty, let base = octets.baseAddress else { return nil }
        let (start, end) = (base + cell.lowerBound, base + cell.upperBound)
        if let (number, after) = DecimalNumber.read(start, end: end), after == end { return number }
        return TableRows.number(String(decoding: octets[cell], as: UTF8.self))
    }

    /// Throws if the latest row has another number of cells than the one at line `first`. `label` is the file's name.
    func expect(_ count: Int, as first: Int, _ label: String) throws(Failure) {
        guard cells.count != count else { return }
        throw Failure(
            message: "\(label), line \(line): expected \(count) cells as in line \(first), found \(cells.count)")
    }

    /// Reads a cell, and stops at the separator behind it, at the line end or at the end of the file.
    private mutating func readCell() {
        while place < octets.count, isBlank(octets[place]) { place += 1 }
        if let end = quoted() {
            cells.append(place + 1..<end)
            nextLine += octets[place..<end].count { $0 == Self.newline }
            place = end
            while !isEnd { place += 1 }
            return
        }
        let start = place
        while !isEnd { place += 1 }
        var end = place
        while end > start, isBlank(octets[end - 1]) { end -= 1 }
        cells.append(start..<end)
    }

    /// Returns the place of the quote that ends a cell in quotes; nil if there is none.
    private func quoted() -> Int? {
        guard place < octets.count, octets[place] == Self.quote else { return nil }
        var end = place + 1
        while end < octets.count {
            if octets[end] == Self.quote {
                guard end + 1 < octets.count, octets[end + 1] == Self.quote else { return end }
                end += 1
            }
            end += 1
        }
        return nil
    }

    /// Whether a cell ends here.
    private var isEnd: Bool {
        guard place < octets.count else { return true }
        let octet = octets[place]
        return octet == Self.newline || octet == separator || separator == Self.blank && octet == Self.tab
    }

    /// Whether this is no part of a cell at its ends.
    private func isBlank(_ octet: UInt8) -> Bool {
        octet == Self.blank || octet == UInt8(ascii: "\r") || octet == Self.tab && separator != Self.tab
    }
}
