/// The tour for newcomers (docs/TOUR.md), compared with the tree: what it names is there, and it counts right.
///
/// A stop is a section whose title begins with a number. Its first line links a file and names functions of it. A list is
/// a section whose title ends with a number of files, and a table of them: a folder in code type and then the files in
/// it, or a path.
struct Tour {
    /// The most stops, and the most lines of the page: more would take longer than an hour.
    static let stops = 12
    static let longest = 250

    struct Section {
        let title: String
        /// Its lines with their numbers, without the title.
        var lines: [(number: Int, text: Substring)]
        let number: Int

        /// The number of the stop; nil for another section.
        var stop: Int? { title.contains(". ") ? Int(title.prefix { $0 != "." }) : nil }

        /// The number of files that the title of a list gives; nil for another section.
        var count: Int? {
            let words = title.split(separator: " ")
            return words.last == "files" ? words.dropLast().last.flatMap { Int($0) } : nil
        }
    }

    let page: TextFile
    let sections: [Section]
    private let paths: Set<String>
    /// The names that each file of `Sources` declares, by its path.
    private let declared: [String: Set<String>]

    init(_ page: TextFile, paths: Set<String>, files: [TextFile]) {
        self.page = page
        self.paths = paths
        sections = Self.sections(of: page)
        declared = Dictionary(
            uniqueKeysWithValues: files.filter { $0.isSwift && $0.path.hasPrefix("Sources/") }.map {
                ($0.path, Self.names(declaredIn: $0.code.text))
            })
    }

    private static func sections(of page: TextFile) -> [Section] {
        var sections: [Section] = []
        for (number, line) in Links.prose(of: page) {
            if line.hasPrefix("#") {
                let title = String(line.drop { $0 == "#" }.drop { $0 == " " })
                sections.append(Section(title: title, lines: [], number: number))
            } else if !line.isEmpty, !sections.isEmpty {
                sections[sections.count - 1].lines.append((number, line))
            }
        }
        return sections
    }

    /// Returns the names after the words that declare something.
    static func names(declaredIn code: String) -> Set<String> {
        let words: Set<String> = [
            "func", "var", "let", "case", "struct", "enum", "class", "actor", "protocol", "typealias",
        ]
        var names: Set<String> = []
        var isNext = false
        for part in code.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) {
            if isNext {
                let name = part.prefix {
                    (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || $0 == 0x5f
                        || (0x61...0x7a).contains($0)
                }
                if !name.isEmpty { names.insert(String(Substring(name))) }
            }
            isNext = words.contains(String(Substring(part)))
        }
        return names
    }

    // MARK: What is wrong

    var findings: [Finding] { sections.flatMap { findings(in: $0) } + missingInFirstList }

    private func findings(in section: Section) -> [Finding] {
        if section.stop != nil { return findings(inStop: section) }
        return section.count == nil ? [] : findings(inList: section)
    }

    private func finding(_ line: Int, _ what: String) -> Finding { Finding(path: page.path, line: line, what: what) }

    /// The file that a stop is about; nil if its first line names none.
    private func file(of stop: Section) -> String? {
        stop.lines.first.flatMap { Links.spans(in: $0.text).first.map(String.init) }.flatMap {
            declared[$0] == nil ? nil : $0
        }
    }

    private func findings(inStop stop: Section) -> [Finding] {
        guard let first = stop.lines.first, let own = file(of: stop),
            Links.targets(in: first.text).first.map({ Links.resolve($0, from: page.path) }) == own,
            Links.spans(in: first.text).count > 1
        else { return [finding(stop.number, "a stop must begin with a link to a file, and functions of it")] }
        var latest = own
        var findings: [Finding] = []
        for (number, line) in stop.lines {
            for span in Links.spans(in: line).map(String.init) {
                if span.hasSuffix(".swift") {
                    latest = span
                    if declared[span] == nil { findings.append(finding(number, "`\(span)`, which is not there")) }
                } else if let what = missing(span, in: latest) {
                    findings.append(finding(number, what))
                }
            }
        }
        return findings
    }

    /// Returns what is wrong with a name in code type, or nil. A name in lower case is of the file named last before it.
    private func missing(_ span: String, in path: String) -> String? {
        let words = span.split(separator: " ")
        if span.hasPrefix("make test FILTER="), words.count == 3 {
            let suite = words[2].dropFirst("FILTER=".count)
            return paths.contains { $0.hasPrefix("Tests/") && $0.hasSuffix("/\(suite).swift") }
                ? nil : "`\(suite)`, which is no file of tests"
        }
        let parts = span.split(separator: ".").map(String.init)
        guard (1...2).contains(parts.count), let first = span.first, first.isLetter,
            span.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." })
        else { return nil }
        if first.isLowercase, parts.count == 1 {
            return declared[path]?.contains(span) == true ? nil : "`\(span)`, which is not in \(path)"
        }
        let homes = declared.values.filter { $0.contains(parts[0]) }
        if homes.isEmpty { return "`\(parts[0])`, which nothing in Sources declares" }
        return parts.count == 1 || homes.contains { $0.contains(parts[1]) }
            ? nil : "`\(span)`: \(parts[0]) has no \(parts[1])"
    }

    private func findings(inList list: Section) -> [Finding] {
        var findings: [Finding] = []
        var seen: Set<String> = []
        for (number, path) in files(of: list) {
            if !paths.contains(path) { findings.append(finding(number, "`\(path)`, which is not there")) }
            if !seen.insert(path).inserted { findings.append(finding(number, "`\(path)` a second time")) }
        }
        if seen.count != list.count {
            findings.append(finding(list.number, "the list has \(seen.count) files, and its title says otherwise"))
        }
        return findings
    }

    private func files(of list: Section) -> [(number: Int, path: String)] {
        list.lines.filter { $0.text.hasPrefix("| ") }.flatMap { number, line in
            var folder = ""
            var files: [(Int, String)] = []
            for span in Links.spans(in: line) {
                if span.contains(".") {
                    files.append((number, span.hasPrefix("Sources/") ? String(span) : "\(folder)/\(span)"))
                } else {
                    folder = String(span)
                }
            }
            return files
        }
    }

    /// The first list is that of the stops, so each of their files is in it.
    private var missingInFirstList: [Finding] {
        guard let list = sections.first(where: { $0.count != nil }) else { return [] }
        let listed = Set(files(of: list).map(\.path))
        return sections.filter { $0.stop != nil }.compactMap { stop in
            guard let file = file(of: stop), !listed.contains(file) else { return nil }
            return finding(list.number, "the list lacks `\(file)` of stop \(stop.title)")
        }
    }
}
