/// Reads rows from the pages of a damaged store. Any byte may be wrong; no schema, tree or header is needed. Reading
/// always ends and never traps.
///
/// The result is everything that looks like a row. Only a row's own seal tells whether it is right.
struct SalvagedPages {
    /// A row of a table, wherever it was found.
    struct Row: Hashable {
        /// Nil in a table without row IDs.
        let rowID: Int64?
        let values: [SQLValue]
        /// The pages that the row occupies, counted from 1.
        let pages: [Int]
    }

    private static let pageSize = StoreHeader.pageSize
    /// More than any of our tables has.
    private static let mostColumns = 64

    private let octets: [UInt8]
    private let log: WriteAhead
    /// The pages in the write-ahead log: their places in it, by number.
    private let newer: [Int: Range<Int>]
    /// The number of bytes in a page that SQLite uses.
    private let usable: Int
    /// The number of pages.
    let count: Int

    /// `log` is the content of the write-ahead log.
    init(_ octets: [UInt8], log: [UInt8] = [], hasSeals: Bool) {
        self.octets = octets
        self.log = WriteAhead(log)
        newer = self.log.pages
        usable = Self.pageSize - (hasSeals ? StoreHeader.sealLength : 0)
        // The last page may be incomplete.
        let most = (octets.count + log.count) / Self.pageSize + 1
        count = min(max((octets.count + Self.pageSize - 1) / Self.pageSize, newer.keys.max() ?? 0), most)
    }

    /// The rows of all pages that look like leaves of a table.
    var rows: [Row] { count == 0 ? [] : (1...count).flatMap { rows(of: $0) } }

    /// Whether a page has a correct seal; nil if its content comes from the write-ahead log.
    func isSealed(_ page: Int) -> Bool? {
        if newer[page] != nil { return nil }
        return StoreHeader.isSealed(octets(of: page), at: page - 1)
    }

    /// The number of pages with a wrong seal.
    var damaged: Int { count == 0 ? 0 : (1...count).count { isSealed($0) == false } }

    private func octets(of page: Int) -> ArraySlice<UInt8> {
        guard page > 0, page <= count else { return [] }
        if let place = newer[page] { return log.octets[place] }
        let start = (page - 1) * Self.pageSize
        return octets[min(start, octets.count)..<min(start + Self.pageSize, octets.count)]
    }

    /// The type of a page, as in its first byte.
    private enum Kind: UInt8 {
        case table = 0x0d
        /// A table without row IDs looks like an index.
        case index = 0x0a
    }

    private func rows(of page: Int) -> [Row] {
        let bytes = Bytes(octets(of: page))
        // The file's header occupies the beginning of the first page.
        let start = page == 1 ? StoreHeader.length : 0
        guard let kind = bytes[start].flatMap(Kind.init), let cells = bytes.number(start + 3, 2) else { return [] }
        return (0..<cells).compactMap { cell in
            bytes.number(start + 8 + 2 * cell, 2).flatMap { row(at: $0, bytes, kind, on: page) }
        }
    }

    private func row(at place: Int, _ bytes: Bytes, _ kind: Kind, on page: Int) -> Row? {
        var at = place
        guard let length = bytes.varint(&at).flatMap({ Int(exactly: $0) }), length <= octets.count + log.octets.count
        else { return nil }
        var rowID: Int64?
        if kind == .table {
            guard let number = bytes.varint(&at) else { return nil }
            rowID = Int64(bitPattern: number)
        }
        // SQLite's rule for how much of a row is on its own page; the rest is on overflow pages.
        let most = kind == .table ? usable - 35 : (usable - 12) * 64 / 255 - 23
        let least = (usable - 12) * 32 / 255 - 23
        let spread = least + max(0, length - least) % (usable - 4)
        let local = length <= most ? length : spread <= most ? spread : least
        guard var payload = bytes.slice(at, local) else { return nil }
        var pages = [page]
        if local < length {
            guard var next = bytes.number(at + local, 4) else { return nil }
            while payload.count < length {
                let more = Bytes(octets(of: next))
                guard let part = more.slice(4, min(usable - 4, length - payload.count)), let after = more.number(0, 4)
                else { return nil }
                payload += part
                pages.append(next)
                next = after
            }
        }
        return Self.values(Bytes(payload[...])).map { Row(rowID: rowID, values: $0, pages: pages) }
    }

    /// Decodes a row's bytes: first the types of its values, then the values.
    private static func values(_ bytes: Bytes) -> [SQLValue]? {
        var at = 0
        guard let end = bytes.varint(&at).flatMap({ Int(exactly: $0) }), end <= bytes.count else { return nil }
        var kinds: [UInt64] = []
        while at < end {
            guard kinds.count < mostColumns, let kind = bytes.varint(&at) else { return nil }
            kinds.append(kind)
        }
        at = end
        var values: [SQLValue] = []
        for kind in kinds {
            guard let value = value(of: kind, bytes, &at) else { return nil }
            values.append(value)
        }
        return at == bytes.count ? values : nil
    }

    private static func value(of kind: UInt64, _ bytes: Bytes, _ at: inout Int) -> SQLValue? {
        switch kind {
        case 0: return .null
        case 1...7:
            let length = [1, 2, 3, 4, 6, 8, 8][Int(kind) - 1]
            guard let part = bytes.slice(at, length) else { return nil }
            at += length
            // The first byte has the sign.
            var number: Int64 = part[0] & 0x80 == 0 ? 0 : -1
            for octet in part { number = number << 8 | Int64(octet) }
            return kind == 7 ? .real(Double(bitPattern: UInt64(bitPattern: number))) : .integer(number)
        case 8, 9: return .integer(Int64(kind) - 8)
        case 12...:
            guard let length = Int(exactly: (kind - 12) / 2), let part = bytes.slice(at, length) else { return nil }
            at += length
            return kind % 2 == 0 ? .octets(part) : .text(String(decoding: part, as: UTF8.self))
        default: return nil
        }
    }
}

/// Bytes with bounds checks for any offset.
private struct Bytes {
    private let octets: ArraySlice<UInt8>

    init(_ octets: ArraySlice<UInt8>) { self.octets = octets }

    var count: Int { octets.count }

    subscript(_ at: Int) -> UInt8? { at >= 0 && at < count ? octets[octets.startIndex + at] : nil }

    func slice(_ at: Int, _ length: Int) -> [UInt8]? {
        guard at >= 0, length >= 0, at <= count, length <= count - at else { return nil }
        return Array(octets[(octets.startIndex + at)..<(octets.startIndex + at + length)])
    }

    /// Returns `length` bytes as a number, the most significant byte first.
    func number(_ at: Int, _ length: Int) -> Int? { slice(at, length)?.reduce(0) { $0 << 8 | Int($1) } }

    /// Returns a number of one to nine bytes, in which the highest bit of all but the ninth says that more follow.
    func varint(_ at: inout Int) -> UInt64? {
        var number: UInt64 = 0
        for place in 0..<9 {
            guard let octet = self[at] else { return nil }
            at += 1
            if place == 8 { return number << 8 | UInt64(octet) }
            number = number << 7 | UInt64(octet & 0x7f)
            if octet & 0x80 == 0 { return number }
        }
        return nil
    }
}
