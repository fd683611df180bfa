import PotluckCore

/// Where in the author's file a module crashed, and why.
public struct CrashPlace: Sendable, Equatable {
    /// The line; nil if the crash was not in the author's files or in what they call.
    public let line: Int?
    /// The file with that line; nil if it is the main one.
    public let file: String?
    /// What went wrong; nil if the compiler noted nothing there.
    public let cause: String?

    /// The beginning of the name of a place that the compiler makes for each check.
    private static let mark = "Swift runtime failure: "

    /// Reads what `llvm-symbolizer` says of each place: names of functions, each followed by `file:line:column`. The
    /// first `count` places are those of the crash; the calls have other checks.
    init(_ said: String, files: [String], count: Int) {
        let lines = said.split(separator: "\n", omittingEmptySubsequences: false)
        // An empty line follows each place.
        cause = lines.split(separator: "").prefix(count).compactMap(\.first).first { $0.hasPrefix(Self.mark) }.map {
            Self.sentence(String($0.dropFirst(Self.mark.count)))
        }
        let found = lines.lazy.compactMap { Self.place($0, files) }.first
        (line, file) = (found?.line, found?.file)
    }

    /// The line of a place in one of the files, or in a file below a folder `Author0` or another number.
    private static func place(_ text: Substring, _ files: [String]) -> (line: Int, file: String?)? {
        func line(_ rest: Substring) -> Int? {
            rest.split(separator: ":").first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        if let own = files.lazy.compactMap({ text.firstRange(of: "\($0):") }).first {
            return line(text[own.upperBound...]).map { ($0, nil) }
        }
        guard let folder = text.firstRange(of: "/Author") else { return nil }
        let rest = text[folder.upperBound...].drop(while: \.isNumber)
        guard rest.first == "/", let end = rest.firstIndex(of: ":") else { return nil }
        return line(rest[end...]).map { ($0, String(rest[..<end].dropFirst()).escapedForScreen) }
    }

    /// The line in words: "line 6", or "line 6 of util.c".
    public var words: String? { line.map { "line \($0)" + (file.map { " of \($0)" } ?? "") } }

    /// Says what a failed check of Swift means in a plugin.
    private static func sentence(_ failure: String) -> String {
        let narrow = "Int has 32 bits in a plugin, so use Int64 for large numbers"
        return switch failure {
        case "arithmetic overflow": "an overflow; \(narrow)"
        case "Index out of range": "an index out of range"
        case "Division by zero": "a division by zero"
        case "fatal error": "fatalError was called"
        case "precondition failure": "a failed precondition"
        case "Range requires lowerBound <= upperBound": "a range that ends before it begins"
        case "Negative value is not representable": "a negative number for a type without negative numbers"
        case _ where failure.contains("found nil"): "nil was unwrapped"
        case _ where failure.contains("infinite or NaN"): "NaN or an infinite number cannot become an integer"
        case _
        where failure.contains("cannot be converted to Int because") || failure.contains("enough bits to represent"):
            "a number that does not fit; \(narrow)"
        case _ where failure.contains("cannot be converted to"): "a number that does not fit its type"
        default: failure.escapedForScreen
        }
    }

    /// Possible causes where only the line is known.
    private static let guess =
        "for example an index out of range, an overflow (Int has 32 bits in a plugin) or a failed precondition"

    /// The sentence for the author.
    public var text: String {
        let place = words.map { " in \($0)" } ?? ""
        return "it crashed\(place): \(cause ?? Self.guess)"
    }
}

extension Workshop {
    /// Returns the place in the author's file of a crash in a module of the variant `traced`. `places` are offsets in
    /// the module: the crash, and the calls that led there. Returns nil if the toolchain cannot tell.
    public func crashPlace(_ places: [Int], in module: [UInt8]) -> CrashPlace? {
        guard let start = Self.codeStart(module), let first = places.first,
            let compiler = Toolchain.compiler(path: searchPath), let scratch = try? makeScratch()
        else { return nil }
        defer { File.removeFolder(scratch) }
        // A call's place is the instruction after it. That of a crash may be the end of the block before it.
        let calls = places.dropFirst().map { $0 - 1 }
        do throws(WorkshopError) {
            let toolchain = try toolchain(compiler, scratch)
            try File.write(module, to: scratch + "/crashed.wasm")
            let label = "a module"
            let listing = try? toolchain.start(
                "llvm-objdump", ["-d", "--no-show-raw-insn", "crashed.wasm"], in: scratch, said: scratch + "/listing"
            ).wait(label)
            let stop = listing.flatMap { $0.succeeded ? FailedCheck.stop(after: first, $0.said) : nil }
            let own = [first, first + 1] + [stop].compactMap { $0 }
            let addresses = (own + calls).map { "0x" + String(max(0, $0 - start), radix: 16) }
            let outcome = try toolchain.start(
                "llvm-symbolizer", ["--obj=crashed.wasm"] + addresses, in: scratch, said: scratch + "/places"
            ).wait(label)
            guard outcome.succeeded else { return nil }
            let place = CrashPlace(
                outcome.said, files: [Self.authorsFile, CFiles.main], count: own.count)
            return place.line == nil && place.cause == nil ? nil : place
        } catch {
            return nil
        }
    }

    /// Returns the offset of the code section's contents, from which the compiler counts places; nil if the module is
    /// malformed.
    static func codeStart(_ module: [UInt8]) -> Int? {
        let code: UInt8 = 10
        return ModuleSections(module).first { $0.kind == code }?.contents.startIndex
    }
}
