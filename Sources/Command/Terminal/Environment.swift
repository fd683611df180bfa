import Glibc

/// The environment variables.
enum Environment {
    static let all: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables
    }()

    /// Nil also where it is set to nothing, which is how people unset one for a single command.
    static subscript(_ name: String) -> String? { all[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether text is UTF-8 here: what the C library would say, without asking it to load a locale.
    static var isUnicode: Bool {
        let locale = Self["LC_ALL"] ?? Self["LC_CTYPE"] ?? Self["LANG"] ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
