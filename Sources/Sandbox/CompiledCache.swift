import CWasmtime
import Glibc
import PotluckCrypto
import PotluckModel
import PotluckSystem

/// Machine code that this user's nodes compiled, kept for the next time. It is trusted like a program, so nobody else may
/// write there, and what is not ours is not read.
public struct CompiledCache: Sendable {
    private let folder: String
    /// Other versions of the library and other CPUs have other code.
    private let kind: String

    /// Some hundred plugins.
    static let most = 256
    /// Octets of a file. Machine code is about twice as long as the module.
    private static let largestFile = 32 << 20

    /// In a folder of this user's, which is made. Nil where that cannot be: then modules are compiled each time.
    public init?(in folder: String) {
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/\(part)"
            _ = mkdir(made, 0o700)
        }
        var found = stat()
        guard folder.hasPrefix("/"), lstat(folder, &found) == 0, found.st_mode & S_IFMT == S_IFDIR,
            found.st_uid == geteuid(), found.st_mode & 0o077 == 0 || chmod(folder, 0o700) == 0
        else { return nil }
        self.folder = folder
        kind = "\(POTLUCK_WASMTIME_VERSION)-\(Self.processor)"
    }

    private func path(of hash: String) -> String { "\(folder)/\(hash)-\(kind)" }

    func code(of hash: String) -> [UInt8]? {
        let descriptor = open(path(of: hash), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_uid == geteuid(),
            found.st_mode & 0o077 == 0, (1...Self.largestFile).contains(Int(found.st_size))
        else { return nil }
        // It was used: the ones that nobody uses go first.
        futimens(descriptor, nil)
        return readAll(descriptor, Int(found.st_size))
    }

    private func readAll(_ descriptor: Int32, _ size: Int) -> [UInt8]? {
        var filled = 0
        let octets = [UInt8](unsafeUninitializedCapacity: size) { memory, used in
            while filled < size, let start = memory.baseAddress {
                let count = read(descriptor, start + filled, size - filled)
                if count <= 0 { break }
                filled += count
            }
            used = filled
        }
        // The last of them are the hash of the others: half a file, as after a power cut, is none.
        let code = octets.dropLast(SHA256.length)
        guard filled == size, SHA256.hash(Array(code)) == Array(octets.suffix(SHA256.length)) else { return nil }
        return Array(code)
    }

    /// All of it or nothing. Where it cannot be kept it is compiled again next time.
    func keep(_ code: UnsafeRawBufferPointer, of hash: String) {
        let octets = Array(code)
        guard octets.count + SHA256.length <= Self.largestFile else { return }
        let draft = path(of: hash) + ".\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let whole = octets + SHA256.hash(octets)
        let isWritten = write(descriptor, whole, whole.count) == whole.count
        close(descriptor)
        if !isWritten || rename(draft, path(of: hash)) != 0 { unlink(draft) }
        prune()
    }

    /// Forgets those that were not used for the longest time.
    private func prune() {
        var files: [(path: String, used: Int)] = []
        for name in names(inFolder: folder) {
            var found = stat()
            guard lstat("\(folder)/\(name)", &found) == 0, found.st_mode & S_IFMT == S_IFREG else { continue }
            files.append(("\(folder)/\(name)", found.st_mtim.tv_sec))
        }
        guard files.count > Self.most else { return }
        for file in files.sorted(by: { ($0.used, $0.path) < ($1.used, $1.path) }).prefix(files.count - Self.most) {
            unlink(file.path)
        }
    }

    /// Which CPU this is, as far as code depends on it.
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
