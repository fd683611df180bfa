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

    /// Returns the bytes of a file; nil if it cannot be read or has more than `most`.
    static func read(_ path: String, most: Int) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while octets.count <= most {
            let count = fread(&piece, 1, piece.count, file)
            octets += piece.prefix(count)
            if count < piece.count { return ferror(file) == 0 && octets.count <= most ? octets : nil }
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
