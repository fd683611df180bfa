import PotluckKit

/// NumPy's files of one array (`.npy`): a head that describes the array, and its numbers without text.
package enum NumPyFile {
    private static let magic: [UInt8] = [0x93] + "NUMPY".utf8
    /// The longest head that is read. Those of arrays of plain numbers have 128 bytes.
    private static let longestHead = 1 << 16
    /// NumPy begins the numbers at a multiple of this.
    private static let alignment = 64
    /// The magic, two bytes of the version, and two of the head's length.
    private static let before = 10

    package static func isOne(_ file: [UInt8]) -> Bool { file.starts(with: magic) }

    /// A kind of number, by NumPy's name of it.
    fileprivate enum Kind: String {
        case float64 = "<f8"
        case float32 = "<f4"
        case int64 = "<i8"
        case int32 = "<i4"
        case uint8 = "|u1"
        case bool = "|b1"

        var size: Int {
            switch self {
            case .float64, .int64: 8
            case .float32, .int32: 4
            case .uint8, .bool: 1
            }
        }
    }

    /// Reads an array of one or two dimensions. An array of one dimension is a column. `label` is the file's name in error
    /// messages.
    package static func table(_ file: [UInt8], label: String) throws(Failure) -> Table {
        let (text, start) = try head(of: file, label: label)
        let described = value(of: "descr", in: text) ?? ""
        guard let kind = Kind(quoted: described) else { throw Failure(message: "\(label) has \(advice(described))") }
        guard let order = value(of: "fortran_order", in: text), order == "False" else {
            throw Failure(
                message: "\(label) has its columns first; save the array again with numpy.ascontiguousarray(a)")
        }
        guard let shape = value(of: "shape", in: text).flatMap(Self.shape), (1...2).contains(shape.count) else {
            throw Failure(message: "\(label) must have one or two dimensions; save a table of rows")
        }
        let (rows, columns) = (shape[0], shape.count == 2 ? shape[1] : 1)
        let (count, isTooLarge) = rows.multipliedReportingOverflow(by: columns)
        guard !isTooLarge, count <= TableRows.mostNumbers else { throw TableRows.tooLarge(label) }
        guard count > 0 else { throw Failure(message: "\(label) has no numbers") }
        guard file.count - start == count * kind.size else {
            throw Failure(
                message: "\(label) is damaged: it has \(file.count - start) bytes of numbers instead of "
                    + "\(count * kind.size); copy it again")
        }
        let numbers = file.withUnsafeBytes { kind.numbers(UnsafeRawBufferPointer(rebasing: $0[start...]), count) }
        guard numbers.count == count else {
            throw Failure(
                message:
                    "\(label), row \(numbers.count / columns), column \(numbers.count % columns): a table has finite "
                    + "numbers, and whole numbers up to 2^53; leave out the row")
        }
        return Table(rows: rows, columns: columns, numbers: numbers)
    }

    /// Says what an array holds in place of plain numbers, and what to save instead.
    private static func advice(_ described: String) -> String {
        if described.hasPrefix("[") {
            return "records with named fields; write them as text, with a line of the names"
        }
        let letters = described.drop { "'<>=|".contains($0) }
        switch letters.first {
        case "c": return "complex numbers; save a.real or a.imag"
        case "U", "S", "a": return "texts; save a.astype(float), or a number for each text"
        case "O": return "Python objects; save a.astype(float)"
        case "M", "m": return "dates or times; save a.astype('int64')"
        default:
            return "numbers of another kind than float64, float32, int64, int32, uint8 and bool; save a.astype('<f8')"
        }
    }

    /// Returns what comes before the numbers of an array of float64, with one dimension if there is one column.
    package static func head(rows: UInt64, columns: UInt64) -> [UInt8] {
        let shape = columns == 1 ? "(\(rows),)" : "(\(rows), \(columns))"
        var text = "{'descr': '<f8', 'fortran_order': False, 'shape': \(shape), }"
        while (before + text.utf8.count + 1) % alignment != 0 { text += " " }
        text += "\n"
        let length = text.utf8.count
        return magic + [1, 0, UInt8(length & 0xff), UInt8(length >> 8)] + text.utf8
    }

    /// Returns the text of the head, and where the numbers begin.
    private static func head(of file: [UInt8], label: String) throws(Failure) -> (String, Int) {
        let damaged = Failure(message: "\(label) is damaged: its head is cut off; copy it again")
        guard file.count > magic.count + 1 else { throw damaged }
        let version = file[magic.count]
        guard (1...3).contains(version) else {
            throw Failure(message: "\(label) has version \(version) of NumPy's form, which is unknown; update potluck")
        }
        let start = magic.count + 2 + (version == 1 ? 2 : 4)
        guard file.count >= start else { throw damaged }
        let length = file[(magic.count + 2)..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= longestHead, file.count >= start + length else { throw damaged }
        return (String(decoding: file[start..<start + length], as: UTF8.self), start + length)
    }

    /// Returns the value of a key of a head, which is a dictionary as Python writes it.
    private static func value(of key: String, in text: String) -> String? {
        let parts = text.split(separator: "'\(key)':", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let rest = parts[1].drop { $0 == " " }
        let end = rest.first == "(" ? rest.firstIndex(of: ")").map { rest.index(after: $0) } : rest.firstIndex(of: ",")
        return end.map { rest[..<$0].trimmed }
    }

    private static func shape(_ text: String) -> [Int]? {
        guard text.first == "(", text.last == ")" else { return nil }
        let parts = text.dropFirst().dropLast().split(separator: ",").map(\.trimmed)
        let numbers = parts.compactMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
        return numbers.count == parts.count ? numbers : nil
    }
}

extension NumPyFile.Kind {
    /// The kind of a value such as `'<f8'`.
    fileprivate init?(quoted text: String) {
        guard text.count == 5, text.first == "'", text.last == "'" else { return nil }
        self.init(rawValue: String(text.dropFirst().dropLast()))
    }

    /// Reads numbers, up to the first that a table cannot hold.
    fileprivate func numbers(_ octets: UnsafeRawBufferPointer, _ count: Int) -> [Double] {
        switch self {
        case .float64: read(octets, count, UInt64.self) { Double(bitPattern: $0) }
        case .float32: read(octets, count, UInt32.self) { Double(Float(bitPattern: $0)) }
        case .int64:
            read(octets, count, UInt64.self) {
                let whole = Int64(bitPattern: $0)
                return whole.magnitude > 1 << 53 ? .nan : Double(whole)
            }
        case .int32: read(octets, count, UInt32.self) { Double(Int32(bitPattern: $0)) }
        case .uint8, .bool: read(octets, count, UInt8.self) { Double($0) }
        }
    }

    private func read<Word: FixedWidthInteger>(
        _ octets: UnsafeRawBufferPointer, _ count: Int, _: Word.Type, _ number: (Word) -> Double
    ) -> [Double] {
        [Double](writing: count) { numbers, written in
            for index in 0..<count {
                let offset = index * MemoryLayout<Word>.size
                let found = number(Word(littleEndian: octets.loadUnaligned(fromByteOffset: offset, as: Word.self)))
                guard found.isFinite else { break }
                numbers.initializeElement(at: index, to: found)
                written = index + 1
            }
        }
    }
}
