import Glibc

/// An unnamed temporary file for data that is too long for memory. The system deletes it when the object or the process
/// ends.
final class SpoolFile: Sendable {
    /// Why the file could not be made, written or read.
    struct SpoolError: Error, Hashable {
        let reason: String

        fileprivate init(_ deed: String) { reason = "cannot \(deed): \(String(cString: strerror(errno)))" }
        init(reason: String) { self.reason = reason }
    }

    private let descriptor: Int32
    private let folder: String

    init(in folder: String) throws(SpoolError) {
        self.folder = folder
        var template = Array("\(folder)/output.XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SpoolError("create a file in \(folder)") }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    func write(_ octets: [UInt8], at start: Int) throws(SpoolError) {
        try all(octets.count, "save the output") { done in
            octets.withUnsafeBytes { bytes in
                pwrite(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(start + done))
            }
        }
    }

    func read(_ count: Int, at start: Int) throws(SpoolError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        try all(count, "read the output") { done in
            octets.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(start + done))
            }
        }
        return octets
    }

    /// Calls `go` until `count` bytes are done. `go` receives the number of bytes done so far, and returns how many it
    /// added.
    private func all(_ count: Int, _ deed: String, _ go: (_ done: Int) -> Int) throws(SpoolError) {
        var done = 0
        while done < count {
            let some = go(done)
            guard some > 0 || some < 0 && errno == EINTR else { throw SpoolError("\(deed) in \(folder)") }
            done += max(0, some)
        }
    }
}
