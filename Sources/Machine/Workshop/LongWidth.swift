import PotluckCore

/// What a program in C says that expects a `long` of 64 bits, as on most machines. In the sandbox it has 32.
enum LongWidth {
    static let fact = "a long has 32 bits here, as in every sandbox; use long long, or int64_t of stdint.h"

    /// The compiler's warnings that tell of it. The others of them are on anyway.
    static let flags = ["-Wshorten-64-to-32", "-fsanitize=shift-exponent"]

    /// Whether a warning is one of those. Of conversions, only those to a `long` count: others lose as much elsewhere.
    static func isTold(by line: String) -> Bool {
        guard line.contains(": warning: ") else { return false }
        return isNarrowing(line)
            ? line.contains("to 'long'") || line.contains("(aka 'long')") || line.contains("unsigned long'")
            : [
                "[-Wshift-count-overflow]", "[-Wtautological-constant-out-of-range-compare]", "[-Wconstant-conversion]",
            ].contains(where: line.contains) || line.contains("[-Wformat]") && line.contains("long long")
    }

    /// Whether a warning is of a conversion that costs bits on every machine.
    static func isCommon(_ line: String) -> Bool { isNarrowing(line) && !isTold(by: line) }

    private static func isNarrowing(_ line: String) -> Bool { line.contains("[-Wshorten-64-to-32]") }

    /// A sentence for each macro that claims such a `long`.
    static func claims(_ files: CFiles) -> [String] {
        let given = files.definitions.filter { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            return claims(String(parts.first ?? ""), String(parts.dropFirst().first ?? "1"))
        }.map { "-D \($0): \(fact)" }
        let written = files.entries.flatMap { entry in
            String(decoding: entry.octets, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated().compactMap { number, line -> String? in
                    let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
                    guard words.count == 3, words[0] == "#define", claims(String(words[1]), String(words[2])) else {
                        return nil
                    }
                    return "\(entry.label):\(number + 1): \(String(words[1]).escapedForScreen): \(fact)"
                }
        }
        return given + written
    }

    /// Whether a macro of this name and value says that a `long` has 64 bits: `LONG_IS_64BITS 1`, `SIZEOF_LONG 8`.
    private static func claims(_ name: String, _ value: String) -> Bool {
        let name = name.uppercased()
        guard name.contains("LONG"), !name.contains("LONG_LONG"), !name.contains("LONGLONG") else { return false }
        return name.contains("64") && value != "0" || name.contains("SIZEOF") && value == "8"
            || name.hasSuffix("LONG_BIT") && value == "64"
    }
}
