import Glibc

/// The places of the files that come with the program.
enum Installation {
    /// Returns the paths where a file may be, the likeliest first: beside the program, as in an archive or a package;
    /// where `make install` puts it; or at `built` in the build folder of the program.
    static func places(of file: String, built: String, program: String) -> [String] {
        let parts = program.split(separator: "/", omittingEmptySubsequences: false)
        var places = [
            parts.dropLast(2).joined(separator: "/") + "/lib/potluck/\(file)", "/usr/local/lib/potluck/\(file)",
        ]
        if let build = parts.firstIndex(of: ".build") {
            places.append(parts[...build].joined(separator: "/") + "/\(built)")
        }
        return places
    }

    /// An open file that may be executed: only users that can write this program can write the file.
    final class TrustedFile: Sendable {
        /// Why a file is not trusted.
        struct TrustError: Error { let text: String }

        private let descriptor: Int32
        /// The path of the open file, whatever its name stands for by now.
        var path: String { "/proc/self/fd/\(descriptor)" }

        private init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { if descriptor >= 0 { close(descriptor) } }

        static func open(_ path: String) -> Result<TrustedFile, TrustError> {
            // Opening a pipe must not wait.
            let file = TrustedFile(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
            var (found, own) = (stat(), stat())
            guard file.descriptor >= 0, fstat(file.descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
                return .failure(TrustError(text: "it cannot be read"))
            }
            guard stat("/proc/self/exe", &own) == 0 else { return .failure(TrustError(text: "/proc is missing")) }
            guard isTrusted(found, beside: own, user: geteuid()) else {
                return .failure(TrustError(text: "another user can write it"))
            }
            return .success(file)
        }

        /// Whether a file belongs to root, the user or the owner of this program, and only they can write it. A group may if
        /// it can write the program, too.
        static func isTrusted(_ file: stat, beside program: stat, user: uid_t) -> Bool {
            let isOwned = [0, user, program.st_uid].contains(file.st_uid)
            let isShared = program.st_mode & 0o020 != 0 && program.st_gid == file.st_gid
            return isOwned && file.st_mode & 0o002 == 0 && (file.st_mode & 0o020 == 0 || isShared)
        }

        /// Returns its bytes; nil if it cannot be read or has more than `most`.
        func read(most: Int) -> [UInt8]? { Installation.read(descriptor, most: most) }
    }

    /// Returns the bytes of a file; nil if it cannot be read or has more than `most`.
    static func read(_ path: String, most: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor, most: most)
    }

    private static func read(_ descriptor: Int32, most: Int) -> [UInt8]? {
        var octets: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while octets.count <= most {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0 { return nil }
            if count == 0 { return octets }
            octets += piece.prefix(count)
        }
        return nil
    }

    /// The path of this program.
    static var program: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        return String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
