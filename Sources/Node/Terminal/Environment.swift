import Glibc

/// The environment variables.
package enum Environment {
    package static let all: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return variables
    }()

    /// Returns nil also for an empty value, which is how users unset a variable for a single command.
    package static subscript(_ name: String) -> String? { all[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the locale's character set is UTF-8. This reads the variables, because the C library would have to load
    /// the locale.
    package static var isUnicode: Bool {
        let locale = Self["LC_ALL"] ?? Self["LC_CTYPE"] ?? Self["LANG"] ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
