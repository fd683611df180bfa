/// Checks that the files, headings and make targets that documents refer to exist.
struct Links {
    let paths: Set<String>
    /// The anchors of every document, by path.
    let anchors: [String: Set<String>]
    let makeTargets: Set<String>

    init(paths: Set<String>, files: [TextFile]) {
        self.paths = paths
        anchors = Dictionary(
            uniqueKeysWithValues: files.filter(\.isMarkdown).map { ($0.path, Self.anchors(of: $0)) })
        let makefile = files.first { $0.path == "Makefile" }
        makeTargets = Set(
            (makefile?.lines ?? []).compactMap { line in
                guard let colon = line.firstIndex(of: ":"), let first = line.first, first.isLetter else { return nil }
                let name = line[..<colon]
                return name.contains(where: { $0 == " " || $0 == "=" }) ? nil : String(name)
            })
    }

    func findings(in file: TextFile) -> [Finding] {
        guard file.isMarkdown else { return [] }
        return Self.prose(of: file).flatMap { number, line in
            let wrong = Self.targets(in: line).compactMap { target in self.wrong(target, from: file.path) }
            let stale = Self.spans(in: line).compactMap(self.stale)
            return (wrong + stale).map { Finding(path: file.path, line: number, what: $0) }
        }
    }

    private func wrong(_ target: String, from path: String) -> String? {
        if target.contains("://") || target.hasPrefix("mailto:") { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? path : Self.resolve(parts[0], from: path)
        guard paths.contains(file) || file.isEmpty else { return "a link to \(target), which is not there" }
        guard parts.count > 1, let known = anchors[file] else { return nil }
        return known.contains(parts[1]) ? nil : "a link to \(target): there is no such heading"
    }

    /// Checks a path or a `make` command in code type. Returns what is wrong, or nil.
    private func stale(_ span: Substring) -> String? {
        let words = span.split(separator: " ")
        if words.first == "make", words.count > 1, words[1].allSatisfy({ $0.isLetter || $0 == "-" }) {
            return makeTargets.contains(String(words[1])) ? nil : "`\(span)`, which is no target of the Makefile"
        }
        let roots = ["Sources/", "Tests/", "Plugins/", "Tools/", "Benchmarks/", "Python/", "docs/", ".ci/"]
        guard words.count == 1, roots.contains(where: span.hasPrefix), !span.contains(where: { "*…<".contains($0) })
        else { return nil }
        let path = span.hasSuffix("/") ? String(span.dropLast()) : String(span)
        return paths.contains(path) ? nil : "`\(span)`, which is not there"
    }

    /// Returns the lines of a document outside of fenced blocks.
    static func prose(of file: TextFile) -> [(number: Int, line: Substring)] {
        var inFence = false
        return file.lines.enumerated().compactMap { number, line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                inFence.toggle()
                return nil
            }
            return inFence ? nil : (number + 1, line)
        }
    }

    /// Returns the `target` of every `[text](target)`.
    static func targets(in line: Substring) -> [String] {
        line.ranges(of: "](").compactMap { range in
            let inside = line[range.upperBound...]
            return inside.firstIndex(of: ")").map { String(inside[..<$0]) }
        }
    }

    /// Returns the texts between backquotes.
    static func spans(in line: Substring) -> [Substring] {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        return stride(from: 1, to: parts.count - 1, by: 2).map { parts[$0] }
    }

    /// Returns the anchors that GitHub makes of headings: lower case, hyphens for blanks, no punctuation, and a number
    /// for repeats.
    static func anchors(of file: TextFile) -> Set<String> {
        var anchors: Set<String> = []
        for (_, line) in prose(of: file) where line.hasPrefix("#") {
            let title = line.drop { $0 == "#" }.drop { $0 == " " }
            let base = String(
                title.lowercased().compactMap { character -> Character? in
                    if character == " " { return "-" }
                    return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
                })
            var anchor = base
            var repeats = 0
            while !anchors.insert(anchor).inserted {
                repeats += 1
                anchor = "\(base)-\(repeats)"
            }
        }
        return anchors
    }

    /// Resolves a relative link: `../Makefile` in `docs/README.md` is `Makefile`.
    static func resolve(_ target: String, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}
