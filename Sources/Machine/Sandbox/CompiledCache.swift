import CWasmtime
import Glibc
import PotluckCore
import PotluckSystem

/// A cache of machine code that this user's nodes compiled. It is trusted like a program, so only this user may write
/// to it, and files of other users are not read.
public struct CompiledCache: Sendable {
    private let folder: CacheFolder
    /// A part of the file names. Other versions of wasmtime and other CPUs have other code.
    private let kind: String

    /// The most files in the cache, for some hundred plugins.
    static let most = 256
    /// The most bytes of a file. Machine code is about twice as long as its module.
    private static let largestFile = 32 << 20

    /// Uses the folder, and creates it if missing. Returns nil if that is impossible; modules are then compiled each
    /// time.
    public init?(in folder: String) {
        guard let folder = CacheFolder(folder, most: Self.most, largest: Self.largestFile) else { return nil }
        self.folder = folder
        kind = "\(POTLUCK_WASMTIME_VERSION)-\(Self.processor)"
    }

    private func name(of hash: String, _ arithmetic: Arithmetic) -> String {
        arithmetic == .plain ? "\(hash)-\(kind)" : "\(hash)-\(kind)-\(arithmetic)"
    }

    func code(of hash: String, _ arithmetic: Arithmetic = .plain) -> [UInt8]? {
        guard let octets = folder.read(name(of: hash, arithmetic)) else { return nil }
        // The file ends with a hash of the code, because a power cut may have left only half of it.
        let code = Array(octets.dropLast(SHA256.length))
        return SHA256.hash(code) == Array(octets.suffix(SHA256.length)) ? code : nil
    }

    /// Stores the code completely or not at all. If it cannot be stored, it is compiled again next time.
    func keep(_ code: UnsafeRawBufferPointer, of hash: String, _ arithmetic: Arithmetic = .plain) {
        let octets = Array(code)
        folder.keep(octets + SHA256.hash(octets), as: name(of: hash, arithmetic))
    }

    /// Identifies the CPU as far as machine code depends on it.
    private static let processor: String = {
        var system = utsname()
        uname(&system)
        let machine = withUnsafeBytes(of: system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard let file = fopen("/proc/cpuinfo", "re") else { return machine }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            guard text.starts(with: "flags".utf8) || text.starts(with: "Features".utf8) else { continue }
            return machine + "-" + SHA256.hash(text).prefix(8).map { $0 }.hexadecimal
        }
        return machine
    }()
}
