import Glibc
import Potluck
import PotluckKit
import PotluckModel

/// Reads input files: one table row per line, with numbers separated by blanks or commas. Empty lines are ignored, and
/// so is a first line of names.
enum TableFile {
    /// The most numbers that a table may have: a matrix of 4096 rows and columns, which takes 128 MiB in memory.
    static let mostNumbers = 1 << 24
    /// The largest file in bytes. It has room for `mostNumbers` numbers of more than twenty digits each.
    private static let largest = mostNumbers * 24

    static func read(_ path: String) throws(Failure) -> Table {
        let label = Spelling.path(path)
        guard let octets = try octets(of: path, atMost: largest) else { throw tooLarge(label) }
        return try table(octets, label: label)
    }

    /// Returns the contents of a file; nil if there are more than `most` bytes.
    static func octets(of path: String, atMost most: Int) throws(Failure) -> [UInt8]? {
        let label = Spelling.path(path)
        guard let file = fopen(path, "re") else { throw Failure(cannot: "read \(label)") }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            octets += buffer.prefix(count)
            guard octets.count <= most else { return nil }
            if count < buffer.count { break }
        }
        guard ferror(file) == 0 else { throw Failure(cannot: "read \(label)") }
        return octets
    }

    /// Reads encoded tables from a file that another command of this user wrote for a node on this machine.
    static func handedOver(_ path: String) throws(Failure) -> [Table] {
        guard let file = fopen(path, "re") else { throw Failure(cannot: "read \(Spelling.path(path))") }
        defer { fclose(file) }
        var octets = [UInt8](repeating: 0, count: BlobReference.largestPayload + 1)
        let count = fread(&octets, 1, octets.count, file)
        octets.removeLast(octets.count - count)
        guard let tables = [Table](payload: octets) else {
            throw Failure(message: "the file handed over with the job holds no tables")
        }
        return tables
    }

    private static func tooLarge(_ label: String) -> Failure {
        Failure(message: "\(label) is too large: a table has at most \(mostNumbers) numbers")
    }

    /// Parses a table. `label` is the file's name in error messages.
    static func table(_ file: [UInt8], label: String) throws(Failure) -> Table {
        if CitiesFile.isOne(file) { return try CitiesFile.table(file, label: label) }
        // Spreadsheets mark their files as UTF-8.
        let octets = file.starts(with: [0xef, 0xbb, 0xbf]) ? file[3...] : file[...]
        var numbers: [Double] = []
        var first: (line: Int, count: Int)?
        var rows = 0
        var isBeginning = true
        for (index, line) in octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let words = line.split { isBlank($0) }
            if words.isEmpty { continue }
            defer { isBeginning = false }
            if isBeginning, words.allSatisfy(isName) { continue }
            let place = "\(label), line \(index + 1)"
            for word in words {
                let text = String(decoding: word, as: UTF8.self)
                guard let number = number(text) else {
                    throw Failure(message: "\(place): \(Spelling.quoted(text)) is not a number")
                }
                numbers.append(number)
            }
            guard numbers.count <= mostNumbers else { throw tooLarge(label) }
            rows += 1
            guard let first else {
                first = (index + 1, words.count)
                continue
            }
            guard words.count == first.count else {
                throw Failure(
                    message: "\(place): expected \(first.count) numbers as in line \(first.line), found \(words.count)")
            }
        }
        guard let first else { throw Failure(message: "\(label) has no numbers") }
        return Table(rows: rows, columns: first.count, numbers: numbers)
    }

    /// Whether a word of the first line names a column. A mistyped number such as `1.5x` does not, nor do `nan` and
    /// `inf`, so that no row is lost unnoticed.
    private static func isName(_ word: some Collection<UInt8>) -> Bool {
        let text = String(decoding: word, as: UTF8.self)
        guard let first = text.first, first.isLetter || "_\"'#(".contains(first) else { return false }
        return Double(text) == nil
    }

    private static func isBlank(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ","): true
        default: false
        }
    }

    /// Parses a decimal number. `Double` alone would also accept "nan" and "0x1p3".
    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) || ".eE+-".utf8.contains($0) }), let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }
}
