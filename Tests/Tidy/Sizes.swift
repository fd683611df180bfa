/// The rules about how large a type and a function may be. Declarations end where the formatter closes them: at the first
/// brace with the indentation of their first line.
enum Sizes {
    /// The most stored properties of a type. One with more has several jobs.
    static let mostProperties = 20
    /// The most lines of a function. A longer one does not fit on a screen.
    static let longestFunction = 60

    /// Declarations that may be larger, and why.
    static let exceptions: [String: String] = [
        "Sources/Ranks/Coding/RankItem+Coding.swift: visitCase": "a switch with one case for each item, nothing else",
        "Sources/Core/Wire/Messages/LocalMessage.swift: visitCase":
            "a switch with one case for each message, nothing else",
        "Sources/Engine/Trace/Event+Trace.swift: visitCase": "a switch with one case for each event, nothing else",
        "Sources/Core/Wire/Messages/Jobs/JobMessage+Coding.swift: visitCase":
            "a switch with one case for each message, nothing else",
        "Sources/Engine/Trace/EffectHash.swift: mix": "a switch with one case for each effect, nothing else",
        "Sources/Core/Model/History/RunRecord.swift: RunRecord": "a row of the history: one property for each column",
    ]

    static func types(_ file: TextFile) -> [Finding] {
        declarations(file, keywords: ["struct", "class", "actor"]).compactMap { declaration in
            let count = declaration.body.reduce(0) { $0 + stored($1, indentation: declaration.indentation + 4) }
            guard count > mostProperties else { return nil }
            return declaration.finding("\(count) stored properties; \(mostProperties) are the most")
        }
    }

    static func functions(_ file: TextFile) -> [Finding] {
        declarations(file, keywords: ["func", "init", "init?"]).compactMap { declaration in
            let count = declaration.body.count + 2
            guard count > longestFunction else { return nil }
            return declaration.finding("\(count) lines; \(longestFunction) are the most")
        }
    }

    private struct Declaration {
        let path: String
        let line: Int
        let name: String
        let indentation: Int
        /// The lines between the first and the closing one.
        let body: ArraySlice<Substring>

        /// Returns the finding, or nil for an exception.
        func finding(_ what: String) -> Finding? {
            Sizes.exceptions["\(path): \(name)"] == nil
                ? Finding(path: path, line: line, what: "\(name) has \(what)") : nil
        }
    }

    private static func declarations(_ file: TextFile, keywords: Set<String>) -> [Declaration] {
        guard file.isSwift else { return [] }
        let lines = file.code.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { start in
            let indentation = lines[start].prefix { $0 == " " }.count
            let words = lines[start].split { " (<:{".contains($0) }.map(String.init)
            guard let keyword = words.firstIndex(where: keywords.contains),
                words[..<keyword].allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") || $0.hasSuffix(")") })
            else { return nil }
            let name = words[keyword].hasPrefix("init") ? "init" : words.dropFirst(keyword + 1).first ?? ""
            // A requirement of a protocol has no body, and a short declaration is closed on its own line.
            let close = String(repeating: " ", count: indentation) + "}"
            let next = lines[(start + 1)...].firstIndex { line in
                line.contains { $0 != " " } && line.prefix { $0 == " " }.count <= indentation
                    && !line.drop { $0 == " " }.hasPrefix(")") && !line.drop { $0 == " " }.hasPrefix("where ")
                    && !line.drop { $0 == " " }.hasPrefix("{")
            }
            guard let end = next, lines[end].hasPrefix(close) else { return nil }
            return Declaration(
                path: file.path, line: start + 1, name: name, indentation: indentation, body: lines[(start + 1)..<end])
        }
    }

    private static let modifiers: Set<String> = [
        "public", "package", "internal", "fileprivate", "private", "static", "final", "mutating", "override",
        "nonisolated", "convenience", "required", "indirect", "class", "weak", "unowned", "lazy", "private(set",
        "package(set", "set", "unsafe", "nonisolated(unsafe",
    ]

    /// Returns the number of stored properties that a line of a type's body declares.
    private static func stored(_ line: Substring, indentation: Int) -> Int {
        guard line.prefix(while: { $0 == " " }).count == indentation else { return 0 }
        let words = line.split { " ()".contains($0) }.map(String.init)
        guard let keyword = words.firstIndex(where: { $0 == "var" || $0 == "let" }),
            words[..<keyword].allSatisfy({ (modifiers.contains($0) && $0 != "static") || $0.hasPrefix("@") })
        else { return 0 }
        let declaration = line.drop { $0 == " " }
        let value = declaration.firstIndex(of: "=")
        let body = declaration.firstIndex(of: "{")
        // A brace without a value before it begins what computes the property.
        if let body, value.map({ body < $0 }) ?? true { return 0 }
        let names = declaration.prefix { $0 != ":" && $0 != "=" }
        return names.split(separator: ",").count
    }
}
