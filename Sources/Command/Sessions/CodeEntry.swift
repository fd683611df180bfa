import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

extension Access {
    /// The join code; nil for an open session.
    var code: JoinCode? { if case .code(let code) = self { code } else { nil } }
}

/// Gets the join code from an option, a file, a variable or the terminal.
enum CodeEntry {
    private static let variable = "POTLUCK_CODE"

    // Parsed later: an error of the argument parser would print the mistyped code.
    static let code = Option(
        "code", "WORDS", "the five words; \(variable) or typing them when asked is safer", in: .session,
        CommonOptions.text)

    static let file = Option(
        "code-file", "FILE", "read the five words from a file that only you can read", in: .session, CommonOptions.file)
    static let open = Flag("open", "use no join code: anyone nearby can join", in: .session)

    static let options = [code.declaration, file.declaration, open.declaration]

    /// Returns the access that the options or the variable give; nil if they give none.
    static func given(_ arguments: Arguments) throws -> Access? {
        let typed = try arguments[code]
        let several = options.filter { arguments.has($0) }
        if several.count > 1 {
            throw UsageError("--\(several[0].name) and --\(several[1].name) cannot be used together")
        }
        if arguments[open] { return .open }
        if let path = try arguments[file] { return .code(try CodeFile.read(path)) }
        guard let text = typed ?? Environment[variable] else { return nil }
        do throws(JoinCodeError) {
            return .code(try JoinCode(typed: text))
        } catch {
            throw UsageError("\(typed == nil ? variable : "--code"): \(error.explanation)")
        }
    }

    /// Whether `given` will return one. The file of the code need not be there yet.
    static func isGiven(_ arguments: Arguments) -> Bool {
        options.contains { arguments.has($0) } || Environment[variable] != nil
    }

    /// Returns the path of a file that a server may make with a new code: the one that the command line names, if there
    /// is none and no other option gives the access.
    static func missingFile(_ arguments: Arguments) throws -> String? {
        guard let path = try arguments[file], !arguments.has(code.declaration), !arguments[open] else { return nil }
        return CodeFile.isMissing(path) ? path : nil
    }

    /// Asks on the terminal until a valid code is typed. The words are visible while typed: the host reads them aloud
    /// to a room anyway. They stay out of the shell's history.
    /// An empty line returns `kept`, if there is one.
    static func ask(for session: String, orKeep kept: JoinCode? = nil) throws(Failure) -> JoinCode {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure(
                message:
                    "missing join code for \(session); use --code-file, set POTLUCK_CODE to the five words, or start this in "
                    + "a terminal")
        }
        while true {
            let hint = kept == nil ? "" : " (Enter keeps your words)"
            try? Output.write("Five words for \(session)\(hint): ", to: STDERR_FILENO)
            guard let line = readLine() else { throw Failure(message: "no join code given") }
            if let kept, line.trimmed.isEmpty { return kept }
            do {
                return try JoinCode(typed: line)
            } catch {
                try? Output.write("\(error.explanation)\n", to: STDERR_FILENO)
            }
        }
    }
}

/// The command line as other users of the machine see it.
enum CommandLineText {
    /// Overwrites the value of `--code`, which `ps` shows to every user. Until then it is visible for a moment, so the
    /// variable and typing are safer.
    static func hideCode() {
        guard let memory = arguments else { return }
        var word = memory.baseAddress
        let end = memory.baseAddress.map { $0 + memory.count }
        var isNext = false
        while let start = word, let end, start < end {
            let length = strnlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), end - start)
            let text = String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
            let prefix = "--code="
            if isNext {
                hide(start, length)
            } else if text.hasPrefix(prefix) {
                hide(start + prefix.utf8.count, length - prefix.utf8.count)
            }
            isNext = text == "--code"
            word = start + length + 1
        }
    }

    private static func hide(_ start: UnsafeMutableRawPointer, _ length: Int) {
        start.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"), count: length)
    }

    /// The command line in the process's own memory, where the kernel reads it; Swift's arguments are a copy.
    private static var arguments: UnsafeMutableRawBufferPointer? {
        guard let file = fopen("/proc/self/stat", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        // The second field is the program's name in parentheses. It may contain blanks, so count the fields after it.
        guard let close = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: close)...].split(separator: " ")
        // Fields 48 and 49 of proc(5): `arg_start` and `arg_end`.
        guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), end > start,
            let base = UnsafeMutableRawPointer(bitPattern: start)
        else { return nil }
        return UnsafeMutableRawBufferPointer(start: base, count: Int(end - start))
    }
}
