import Glibc
import PotluckCrypto
import PotluckModel
import PotluckSystem

/// Makes modules from authors' files, with the toolchain of this machine and the kit that this program holds, and keeps
/// them: what was made once is at hand the next time, also without a toolchain.
public struct Workshop: Sendable {
    private let folder: String
    private let searchPath: String

    /// Keeps what it makes in `folder`; looks for the compiler along `searchPath`.
    public init(folder: String, searchPath: String) {
        self.folder = folder.hasPrefix("/") ? folder : File.current + "/" + folder
        self.searchPath = searchPath
    }

    /// What kind of module is wanted.
    public enum Variant: String, Sendable {
        case plain
        /// With what the author logs: for `potluck replay`.
        case logging
        /// With instructions for 128 bits at once, which make no author's loop faster: for the tests, which hold them to
        /// the same bytes.
        case simd128

        var flags: [String] {
            switch self {
            case .plain: []
            case .logging: ["-D", "POTLUCK_LOG"]
            case .simd128: ["-Xcc", "-msimd128"]
            }
        }
    }

    /// A module, and what the compiler had to say beside.
    public struct Product: Sendable {
        public let module: [UInt8]
        public let warnings: String
    }

    /// Larger sources than anybody writes by hand.
    private static let largestSource = 1 << 20

    /// The author's file, which people call `label`. `begin` is called if it takes a while.
    public func build(
        _ path: String, label: String, _ variant: Variant = .plain, begin: () -> Void = {}
    ) throws(WorkshopError) -> Product {
        guard let source = File.read(path) else { throw File.cannot("read \(label)") }
        guard source.count <= Self.largestSource, let text = String(validating: source, as: UTF8.self) else {
            throw .refused("\(label) is not Swift source")
        }
        let author = try AuthorsSource(text, label: label)
        let compiler = Toolchain.compiler(path: searchPath)
        let hash = SHA256.hash(source).hexadecimal
        let kit = Kit(variant, compiler: compiler)
        let kept = "\(folder)/built/\(key(hash, kit))"
        if let module = File.read(kept + ".wasm"), let warnings = File.read(kept + ".txt") {
            return Product(module: module, warnings: String(decoding: warnings, as: UTF8.self))
        }
        guard let compiler else {
            throw .refused(
                "cannot compile \(label): swiftc is not installed; install Swift from https://www.swift.org/install/linux/, or "
                    + "run 'potluck build' on another machine and run the module here"
            )
        }
        do throws(WorkshopError) {
            try File.makeFolder(folder + "/built")
        } catch {
            throw .refused("\(error.message); set XDG_CACHE_HOME to a folder of your own")
        }
        begin()
        let scratch = try makeScratch()
        defer { File.removeFolder(scratch) }
        let toolchain = try Toolchain(compiler: compiler, scratch: scratch)
        let parts = try kit.prepare(in: folder, scratch: scratch, toolchain)
        let product = try compile(
            Job(text: text, author: author, hash: hash, label: label, path: path), kit, parts, scratch, toolchain)
        // Also under a name without the compiler, for the day when there is none. Who cannot keep it makes it again.
        for kept in [kept, "\(folder)/built/\(key(hash, Kit(variant, compiler: nil)))"] {
            try? File.write(product.module, to: kept + ".wasm")
            try? File.write(product.warnings, to: kept + ".txt")
        }
        return product
    }

    private func key(_ hash: String, _ kit: Kit) -> String {
        SHA256.hash(Array("\(hash) \(kit.key)".utf8)).prefix(16).map { $0 }.hexadecimal
    }

    /// Nobody compiles for so many seconds.
    private static let longestCompile = 3600

    /// Removes what is left of those who were interrupted.
    static func sweep(_ folder: String, now: Int = time(nil)) {
        for name in names(inFolder: folder) where name.hasPrefix("scratch.") {
            let path = "\(folder)/\(name)"
            var found = stat()
            guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR,
                found.st_mtim.tv_sec < now - longestCompile
            else { continue }
            File.removeFolder(path)
        }
    }

    private func makeScratch() throws(WorkshopError) -> String {
        Self.sweep(folder)
        var template = Array("\(folder)/scratch.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw File.cannot("create a folder in \(folder)") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private struct Job {
        let text: String
        let author: AuthorsSource
        let hash: String
        let label: String
        let path: String
    }

    private func compile(
        _ job: Job, _ kit: Kit, _ parts: Kit.Parts, _ scratch: String, _ toolchain: Toolchain
    ) throws(WorkshopError) -> Product {
        // The object holds a hash of the command line: with names that do not depend on where the file lies, the module
        // depends on source, kit and toolchain only.
        let file = "Author.swift"
        let diagnostics = Diagnostics(file: file, label: job.label)
        try File.write(job.text, to: "\(scratch)/\(file)")
        try File.write(
            KitSources.entry.replacing("AuthorsSimulation", with: job.author.type)
                .replacing("HashOfTheSource", with: job.hash), to: "\(scratch)/Entry.swift")
        let compiled = try Subprocess(
            toolchain.program("swiftc"),
            kit.flags + [
                "-module-name", "Plugin", "-I", parts.interface, "-diagnostic-style=llvm", "-no-color-diagnostics",
                "-c",
                file, "Entry.swift", "-o", "plugin.o",
            ], in: scratch, output: scratch + "/said"
        ).wait()
        // The kit's own code may still be under way.
        let objects = try parts.objects()
        let said = diagnostics.compiler(compiled.said)
        guard compiled.succeeded else {
            throw .compiler(said.isEmpty ? "\(job.label): the compiler failed without a message" : said)
        }
        let linked = try Subprocess(
            toolchain.program("wasm-ld"),
            [
                "--no-entry", "--gc-sections", "--strip-all", "--export-memory", "--stack-first", "-z",
                "stack-size=131072", "plugin.o",
            ] + objects + [toolchain.tables, "-o", "plugin.wasm"], in: scratch, output: scratch + "/linked"
        ).wait()
        guard linked.succeeded, let module = File.read(scratch + "/plugin.wasm") else {
            throw .compiler(diagnostics.linker(linked.said))
        }
        return Product(module: module, warnings: said)
    }
}
