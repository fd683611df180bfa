import CSQLite

/// A connection to a store's file. Only one thread may use it at a time.
package final class Database {
    let path: String
    private let connection: OpaquePointer
    /// Compiled statements, by the address of their text in the program.
    private var statements: [UnsafeRawPointer: Statement] = [:]

    enum Access {
        case reading
        case writing
        /// A file on a read-only disk, which nobody can change: SQLite takes no lock and looks for no log beside it.
        case unchanging
    }

    /// Whether pages have seals, so that reading a damaged page fails.
    enum Seals {
        case none
        case all
        /// The pages are being rewritten with seals; the first page says which case applies.
        case coming

        /// The name of the SQLite VFS for such a file; nil for SQLite's default.
        fileprivate var layer: String? {
            guard self != .none else { return nil }
            _ = Self.layers
            return self == .all ? POTLUCK_SQLITE_SEALED : POTLUCK_SQLITE_SEALING
        }

        private static let layers: Void = potluck_sqlite_add_seals()
    }

    /// The timeout for another process's write, in milliseconds. Most take milliseconds, an import takes seconds.
    static let patience: Int32 = 10_000

    init(_ path: String, _ access: Access, seals: Seals = .none) throws(StoreError) {
        self.path = path
        let flags: Int32
        var name = path
        switch access {
        case .reading: flags = SQLITE_OPEN_READONLY
        case .writing: flags = SQLITE_OPEN_READWRITE
        case .unchanging:
            flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:" + Self.escaped(path) + "?immutable=1"
        }
        var made: OpaquePointer?
        let status = sqlite3_open_v2(name, &made, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, seals.layer)
        guard status == SQLITE_OK, let connection = made else {
            let trouble = StoreError(made, status, path)
            sqlite3_close(made)
            throw trouble
        }
        self.connection = connection
        sqlite3_busy_timeout(connection, Self.patience)
        try check(potluck_sqlite_defend(connection))
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(connection)
    }

    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0..<0x21, 0x7f...:
                let digits = String(byte, radix: 16)
                text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            default: text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }

    /// Whether the file that is open is no longer the one at `path`.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    func check(_ status: Int32) throws(StoreError) {
        guard status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE else {
            throw StoreError(connection, status, path)
        }
    }

    /// Runs a script without values.
    func execute(_ script: StaticString) throws(StoreError) {
        try check(sqlite3_exec(connection, script.description, nil, nil, nil))
    }

    /// Makes SQLite reserve room for a seal in each page of a new or rewritten file.
    func reserveSeals() throws(StoreError) { try check(potluck_sqlite_reserve(connection)) }

    /// Sets a pragma of SQLite, which cannot have bound values.
    func set(_ pragma: StaticString, to number: Int) throws(StoreError) {
        try check(sqlite3_exec(connection, "PRAGMA \(pragma) = \(number)", nil, nil, nil))
    }

    /// Runs a statement that returns no rows.
    func run(_ text: StaticString, _ values: SQLValue...) throws(StoreError) {
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    func run(_ sql: SQL) throws(StoreError) { try rows(sql) { (_) throws(StoreError) in } }

    /// Passes every row to `body`.
    func rows(
        _ text: StaticString, _ values: SQLValue..., body: (Statement) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { try body(statement) }
    }

    func rows(_ sql: SQL, body: (Statement) throws(StoreError) -> Void) throws(StoreError) {
        let statement = try compile(sql.text)
        try statement.bind(sql.values)
        while try statement.step() { try body(statement) }
    }

    /// Returns the number in the first row and column of the result; 0 if there is no row.
    func number(_ text: StaticString, _ values: SQLValue...) throws(StoreError) -> Int64 {
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : 0
    }

    func texts(_ text: StaticString) throws(StoreError) -> [String] {
        var texts: [String] = []
        try rows(text) { (row) throws(StoreError) in texts.append(row.text(0)) }
        return texts
    }

    /// Runs `body` in a transaction, which is rolled back if `body` throws. No other connection writes meanwhile.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Some errors have already rolled the transaction back.
            if sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Runs several statements that all see the same state of the store.
    func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try run("BEGIN")
        defer { try? run("COMMIT") }
        return try body()
    }

    var lastRow: Int64 { sqlite3_last_insert_rowid(connection) }
    var changes: Int { Int(sqlite3_changes(connection)) }

    private func statement(_ text: StaticString) throws(StoreError) -> Statement {
        let name = UnsafeRawPointer(text.utf8Start)
        if let known = statements[name] { return known }
        let new = try compile(text.description)
        statements[name] = new
        return new
    }

    private func compile(_ text: String) throws(StoreError) -> Statement {
        var made: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, text, -1, &made, nil))
        guard let made else { throw StoreError(.other, path, "an empty statement") }
        return Statement(made, self)
    }
}

/// A compiled statement and, between steps, its current row.
final class Statement {
    private let pointer: OpaquePointer
    private unowned let database: Database

    fileprivate init(_ pointer: OpaquePointer, _ database: Database) {
        self.pointer = pointer
        self.database = database
    }

    deinit { sqlite3_finalize(pointer) }

    /// Called after every bound value. It rarely fails, so the common case stays in this function.
    private func check(_ status: Int32) throws(StoreError) {
        if status != SQLITE_OK, status != SQLITE_ROW { try database.check(status) }
    }

    fileprivate func reset() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    fileprivate func step() throws(StoreError) -> Bool {
        let status = sqlite3_step(pointer)
        try check(status)
        return status == SQLITE_ROW
    }

    fileprivate func bind(_ values: [SQLValue]) throws(StoreError) {
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .null: try check(sqlite3_bind_null(pointer, place))
            case .integer(let number): try check(sqlite3_bind_int64(pointer, place, number))
            case .real(let number): try check(sqlite3_bind_double(pointer, place, number))
            case .text(var text):
                let status = text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { letters in
                        // An empty string has no address, which SQLite would take for null.
                        letters.baseAddress.map {
                            potluck_sqlite_bind_text(pointer, place, $0, Int32(clamping: letters.count))
                        } ?? potluck_sqlite_bind_text(pointer, place, "", 0)
                    }
                }
                try check(status)
            case .octets(let octets):
                let status = octets.withUnsafeBytes {
                    potluck_sqlite_bind_blob(pointer, place, $0.baseAddress, Int32(clamping: $0.count))
                }
                try check(status)
            }
        }
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    /// A number limited to the range of `Int`, because the file may contain any.
    func count(_ column: Int32) -> Int { Int(clamping: integer(column)) }

    func real(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(pointer, column) }

    func text(_ column: Int32) -> String {
        guard let letters = sqlite3_column_text(pointer, column) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: letters, count: count), as: UTF8.self)
    }

    func octets(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(pointer, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, column))))
    }
}
