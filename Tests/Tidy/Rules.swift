/// The rules that concern a single file. Each returns what is wrong with the file.
enum Rules {
    /// The most lines of a file. A longer one probably contains more than one idea.
    static let longest = 400

    static func length(_ file: TextFile) -> [Finding] {
        let count = file.lines.count - 1
        guard !file.isMarkdown, count > longest else { return [] }
        return [Finding(path: file.path, line: longest + 1, what: "\(count) lines; split it, \(longest) are the most")]
    }

    /// Reports tabs, blanks at the end of a line, and a file that does not end with exactly one line end. The Makefile
    /// needs its tabs.
    static func blanks(_ file: TextFile) -> [Finding] {
        var findings = findings(file, text: file.text) { line in
            if line.last?.isWhitespace == true { return "blanks at the end of the line" }
            if line.contains("\t"), !file.path.hasSuffix("Makefile") { return "a tab" }
            return nil
        }
        if !file.text.isEmpty, !file.text.hasSuffix("\n") || file.text.hasSuffix("\n\n") {
            findings.append(Finding(path: file.path, line: file.lines.count, what: "must end with one line end"))
        }
        return findings
    }

    // Each word is assembled from two parts, so that this file does not violate the rule.
    static let promises = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]

    /// Reports unfinished work, which belongs in an issue.
    static func unfinished(_ file: TextFile) -> [Finding] {
        findings(file, text: file.text) { line in
            promises.first { contains(line, word: $0) }.map { "\($0): do it, or write an issue" }
        }
    }

    static let machines = ["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "/opt/" + "swift"]

    /// Reports paths that exist only on a developer's machine.
    static func machinePaths(_ file: TextFile) -> [Finding] {
        findings(file, text: file.text) { line in
            machines.first { line.contains($0) }.map { "\($0) is a place on one machine" }
        }
    }

    static let talkative: Set<String> = ["Command", "SimulatorCommand", "Benchmarks/*", "Tests/Lab"]

    /// Reports printing outside of programs. A node reports through its log and its snapshots.
    static func printing(_ file: TextFile) -> [Finding] {
        guard let folder = House.folder(of: file.path), !talkative.contains(folder), file.isSwift else { return [] }
        return findings(file, text: file.code.text) { line in
            ["print(", "debugPrint(", "dump("].first { contains(line, call: $0) }.map {
                "\($0)…) outside a program"
            }
        }
    }

    static let processWide = ["umask(", "chdir(", "setlocale(", "setenv("]

    /// Reports calls that affect all threads of the process, of which there are always several.
    static func processWide(_ file: TextFile) -> [Finding] {
        guard file.path.hasPrefix("Sources/"), !file.isMarkdown else { return [] }
        return findings(file, text: file.code.text) { line in
            processWide.first { contains(line, call: $0) }.map { "\($0)…) changes it for every thread" }
        }
    }

    static let ambient = [
        "SystemRandomNumberGenerator", ".random(in:", ".random()", ".shuffled()", ".shuffle()", ".randomElement()",
        "ContinuousClock", "SuspendingClock", "Task.sleep", "hashValue", "Date()", "clock_gettime", "DispatchTime",
        "getrandom",
        "arc4random",
    ]

    /// Reports clocks and randomness in pure modules. Their caller passes both in, so that a run can be replayed from
    /// its seed.
    static func ambience(_ file: TextFile, house: House) -> [Finding] {
        guard file.isSwift, house.isPure(file.path) else { return [] }
        return findings(file, text: file.code.text) { line in
            // The kit declares a type of this name, so that authors cannot use Swift's.
            ambient.first { line.contains($0) && !line.contains("struct \($0):") }.map {
                "\($0) in a pure module: let the caller pass it in"
            }
        }
    }

    /// Stilted phrases; `docs/STYLE.md` has the words to use instead.
    static let stilted = [
        "unless you say", "goes on with", "go on with", "gone on with", "comes back", "by hand", "is written so",
        "one too many", "look on", "looks on", "looking on", "wants in", "whoever", "that which", "may be left out",
        "exclude each other", "is none of", "anew",
    ]

    /// Reports stilted phrases in texts that people see.
    static func wording(_ file: TextFile) -> [Finding] {
        guard file.isSwift, file.path.hasPrefix("Sources/") else { return [] }
        return findings(file, text: file.code.withStrings) { line in
            stilted.first { line.contains("\"") && line.contains($0) }.map { "\"\($0)\": see docs/STYLE.md" }
        }
    }

    private static func findings(_ file: TextFile, text: String, _ judge: (Substring) -> String?) -> [Finding] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
            judge(line).map { Finding(path: file.path, line: number + 1, what: $0) }
        }
    }

    private static func contains(_ line: Substring, word: String) -> Bool {
        line.ranges(of: word).contains { range in
            !isName(line[..<range.lowerBound].last) && !isName(line[range.upperBound...].first)
        }
    }

    /// Does not match `sprint(` and `report.print(`: a method of that name is another function.
    private static func contains(_ line: Substring, call: String) -> Bool {
        line.ranges(of: call).contains { range in
            let before = line[..<range.lowerBound].last
            return !isName(before) && before != "." && !line[..<range.lowerBound].hasSuffix("func ")
                || line[..<range.lowerBound].hasSuffix("Swift.")
        }
    }

    private static func isName(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
}
