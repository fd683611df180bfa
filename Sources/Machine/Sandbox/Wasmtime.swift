import CWasmtime
import Glibc
import PotluckCore
import PotluckSystem

/// How compiled code treats a NaN that it produces.
enum Arithmetic: CaseIterable, Sendable {
    /// The NaN has the bits that the processor gives it. This is the fastest.
    case plain
    /// The NaN has the same bits on every processor. This costs a comparison after each operation.
    case canonical
}

/// The library that compiles and runs modules.
final class Wasmtime: Sendable {
    static let version = POTLUCK_WASMTIME_VERSION

    nonisolated(unsafe) private let plain: OpaquePointer
    nonisolated(unsafe) private let canonical: OpaquePointer

    private init(plain: OpaquePointer, canonical: OpaquePointer) {
        self.plain = plain
        self.canonical = canonical
    }

    func engine(_ arithmetic: Arithmetic) -> OpaquePointer { arithmetic == .plain ? plain : canonical }

    /// Advances the clock that limits all calls under way.
    func tick() { for arithmetic in Arithmetic.allCases { potluck_wasmtime_tick(engine(arithmetic)) } }

    /// One for the program, because a compiled module belongs to the engine that compiled it.
    static let shared: Result<Wasmtime, SandboxError> = open(find(program: Installation.program, named: named))

    static func open(_ found: Result<String, SandboxError>) -> Result<Wasmtime, SandboxError> {
        found.flatMap { path in
            guard isOurs(path) else {
                return .failure(.noLibrary("\(path) has the wrong SHA-256".escapedForScreen))
            }
            var why = potluck_wasmtime_message()
            guard let plain = potluck_wasmtime_open(path, PluginLimits.stack, false, &why),
                let canonical = potluck_wasmtime_open(path, PluginLimits.stack, true, &why)
            else { return .failure(.noLibrary(text(why))) }
            return .success(Wasmtime(plain: plain, canonical: canonical))
        }
    }

    /// Whether the library is the version that we use, by its hash; it has no function for its version. In another
    /// version structures may differ, and a call could do anything.
    private static func isOurs(_ path: String) -> Bool {
        // There is no official library for this platform, so trust the one that somebody built.
        guard !POTLUCK_WASMTIME_HASH.isEmpty else { return true }
        guard let file = fopen(path, "re") else { return false }
        defer { fclose(file) }
        let sum = SHA256.Sum()
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            if count < piece.count {
                sum.add(Array(piece.prefix(count)))
                return sum.hash().hexadecimal == POTLUCK_WASMTIME_HASH
            }
            sum.add(piece)
        }
    }

    private static let file = "libwasmtime.so"

    /// Finds the library: at the path in the environment, or beside the program.
    static func find(
        program: String, named: String?, isThere: (String) -> Bool = { access($0, R_OK) == 0 }
    ) -> Result<String, SandboxError> {
        if let named { return isThere(named) ? .success(named) : .failure(.noLibrary("no file \(named)")) }
        let candidates = Installation.places(of: file, built: "wasmtime/\(version)/\(file)", program: program)
        guard let path = candidates.first(where: isThere) else { return .failure(.noLibrary("no \(file)")) }
        return .success(path)
    }

    private static var named: String? {
        guard let value = getenv("POTLUCK_WASMTIME"), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The places in the module of a trap and of the calls that led there.
    static func places(_ message: potluck_wasmtime_message) -> [Int] {
        withUnsafeBytes(of: message.places) {
            $0.bindMemory(to: UInt32.self).prefix(message.place_count).map { Int($0) }
        }
    }

    /// Returns the useful line of wasmtime's message. Its other lines are about wasmtime's internals.
    static func text(_ message: potluck_wasmtime_message) -> String {
        let octets = withUnsafeBytes(of: message) { $0.prefix { $0 != 0 } }
        let text = String(decoding: octets, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
        // For "error while executing at wasm backtrace: …  Caused by: wasm trap: …" that is the cause.
        let cause = lines.firstIndex { $0.hasPrefix("Caused by:") }.map { lines[($0 + 1)...] } ?? lines[...]
        // The message quotes names that the module's author chose.
        var first = String(cause.first ?? "no reason given").escapedForScreen.filter(\.isASCII)
        if let digit = first.firstIndex(of: ":"), first[..<digit].allSatisfy(\.isNumber) {
            first = String(first[first.index(after: digit)...].drop { $0 == " " })
        }
        for prefix in ["wasm trap: ", "error while executing at wasm backtrace:"] where first.hasPrefix(prefix) {
            first.removeFirst(prefix.count)
        }
        return first
    }
}
