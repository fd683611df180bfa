import CSQLite
import Glibc
import PotluckCore

/// Why a store cannot be opened, read or written: one line for users that says what to do next.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case damaged
        /// The file of another program.
        case foreign
        /// Written by a newer version of Potluck.
        case newer
        case full
        case readOnly
        case noPermission
        /// Another process uses it.
        case inUse
        case missing
        /// A stopped run of which too little is left to resume it.
        case unresumable
        case other
    }

    public let kind: Kind
    public let path: String
    /// Details of the problem, in the form of the end of a sentence.
    public let detail: String

    public init(_ kind: Kind, _ path: String, _ detail: String = "") {
        self.kind = kind
        self.path = path
        // SQLite quotes names and texts of the file, which may come from a stranger.
        self.detail = detail.escapedForScreen
    }

    public var description: String { text(elsewhere: "use another folder with --state DIR") }

    /// The error for a store in a folder that `--state` does not choose. `elsewhere` says how to choose another.
    public func text(elsewhere: String) -> String {
        switch kind {
        case .damaged: return "\(path) is damaged (\(detail))"
        case .foreign: return "\(path) is not a Potluck file (\(detail)); move it away, or \(elsewhere)"
        case .newer: return "\(path) was written by a newer Potluck (\(detail)); install that version, or \(elsewhere)"
        case .full: return "cannot write \(path): the disk is full; free some space, or \(elsewhere)"
        case .readOnly: return "cannot write \(path): it is read-only; \(elsewhere)"
        case .noPermission: return "no permission to open \(path); \(elsewhere)"
        case .inUse: return "\(path) is in use by \(detail); stop that first, or \(elsewhere)"
        case .missing: return "no such file: \(path)"
        case .unresumable, .other: return "\(path): \(detail)"
        }
    }

    /// Creates the error of a C library call that just failed.
    init(errno number: Int32, _ path: String, cannot deed: String) {
        let reason = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM: self.init(.noPermission, path)
        case EROFS: self.init(.readOnly, path)
        case ENOSPC, EDQUOT: self.init(.full, path)
        case ENOENT: self.init(.missing, path)
        default: self.init(.other, path, "cannot \(deed): \(reason)")
        }
    }

    /// Creates the error of an SQLite call that just failed.
    init(_ database: OpaquePointer?, _ status: Int32, _ path: String) {
        let message = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
        let number = database.map { sqlite3_system_errno($0) } ?? 0
        if status == 10 | 3 << 8 {  // SQLITE_IOERR_WRITE, a macro that adds; a disk that is full says so otherwise
            self.init(.other, path, "cannot write; the disk is over its quota or damaged")
            return
        }
        if status == 10 | 32 << 8 {  // SQLITE_IOERR_DATA, a macro that adds
            self.init(.damaged, path, "a page does not match its checksum")
            return
        }
        switch status & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.damaged, path, message)
        case SQLITE_FULL: self.init(.full, path)
        case SQLITE_BUSY, SQLITE_LOCKED: self.init(.inUse, path, "another program")
        case SQLITE_READONLY: self.init(.readOnly, path)
        case SQLITE_PERM, SQLITE_AUTH: self.init(.noPermission, path)
        case SQLITE_CANTOPEN, SQLITE_IOERR:
            switch number {
            case EACCES, EPERM, EROFS, ENOSPC, EDQUOT, ENOENT: self.init(errno: number, path, cannot: "open it")
            default:
                let reason = number == 0 ? "" : ": \(String(cString: strerror(number)))"
                self.init(.other, path, "\(message) (SQLite error \(status)\(reason))")
            }
        default: self.init(.other, path, message)
        }
    }
}
