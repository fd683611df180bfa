import PotluckModel

/// Translates messages of the compiler and the linker for the author: with the file name that the author typed, and
/// without messages about other files.
struct Diagnostics {
    /// The name of the author's file in the scratch folder.
    let file: String
    /// The path that the author typed.
    let label: String

    /// Returns the compiler's messages about the author's file. The text is escaped because it quotes the file, which
    /// may be a stranger's.
    func compiler(_ said: String) -> String {
        var kept: [String] = []
        var isTheirs = false
        var others: [String] = []
        for line in said.split(separator: "\n", omittingEmptySubsequences: false).map(Self.shown) {
            if let place = place(of: line) {
                isTheirs = place == file
                if !isTheirs { others.append(line) }
            } else if line.hasPrefix("error: ") || line.hasPrefix("<unknown>:0: ") {
                isTheirs = false
                others.append(line)
            }
            guard isTheirs, !line.isEmpty else { continue }
            kept.append(line.hasPrefix(file) ? label + line.dropFirst(file.count) : line)
        }
        if !kept.isEmpty { return kept.joined(separator: "\n") }
        // All messages are about other files, so report the first error.
        let error = others.first { $0.contains("error: ") } ?? others.first
        return error.map { "\(label): \(message(of: $0))" } ?? ""
    }

    /// Escapes a line and keeps its tabs.
    private static func shown(_ line: Substring) -> String {
        String(line).escapedForScreen(keeping: ["\t"])
    }

    /// Returns what the module cannot use, from the linker's messages.
    func linker(_ said: String) -> String {
        let missing = said.split(separator: "\n").compactMap { line in
            line.firstRange(of: "undefined symbol: ").map { Self.shown(line[$0.upperBound...]) }
        }
        guard let first = missing.first else {
            return "\(label): linker error: \(Self.shown(said.prefix(200)))"
        }
        if first == "putchar" {
            return "\(label): a plugin cannot print; use log(…) and 'potluck replay'"
        }
        return "\(label): \(first) is not available in plugins; they have PotluckKit and Swift without Foundation"
    }

    /// The file of a line like `Mine.swift:3:5: error: …`; nil for other lines.
    private func place(of line: String) -> String? {
        guard let end = line.firstRange(of: ".swift:") else { return nil }
        let after = line[end.upperBound...].prefix { $0.isNumber || $0 == ":" }
        guard after.filter({ $0 == ":" }).count == 2 else { return nil }
        return String(line[..<end.lowerBound]) + ".swift"
    }

    private func message(of line: String) -> Substring {
        line.firstRange(of: "error: ").map { line[$0.upperBound...] } ?? line[...]
    }
}
