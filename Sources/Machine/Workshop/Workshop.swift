import Glibc
import PotluckCore
import PotluckSystem

/// Compiles authors' files to modules, with this machine's toolchain and the kit's sources, which this program
/// contains. Modules are kept, and available later even without a toolchain.
public struct Workshop: Sendable {
    let folder: String
    let searchPath: String
    /// The resources that compilers may use.
    var limits = Box.Limits()
    /// Whether compilers read only what they need, where the kernel can see to that.
    var isBoxed = true
    /// Where compiled kits may be installed.
    var kits = Kit.places(program: Installation.program)
    /// Where the compiler for Python may be.
    var pythonPlaces = PythonCompiler.places(program: Installation.program)

    /// Keeps modules in `folder`, and looks for the compiler in `searchPath`.
    public init(folder: String, searchPath: String) {
        self.folder = folder.hasPrefix("/") ? folder : File.current + "/" + folder
        self.searchPath = searchPath
    }

    /// The kind of module.
    public enum Variant: String, Sendable {
        case plain
        /// Uses 128-bit vector instructions. They speed up only code with vectors.
        case simd128
        /// The same, and runs blocks by lanes where the author wrote some.
        case lanes
        /// Includes the places of the source, to find the line that crashed.
        case traced
        /// Runs a simulation trial by trial, without its author's `lane`.
        case single

        /// The flags for the author's file and the kit.
        var flags: [String] {
            switch self {
            case .plain, .traced, .single: []
            case .simd128: ["-Xcc", "-msimd128"]
            case .lanes: ["-Xcc", "-msimd128", "-D", "POTLUCK_LANES"]
            }
        }

        /// The flags for the author's file alone, in Swift or in C.
        var ownFlags: [String] { self == .traced ? ["-g"] : [] }
        /// The flags for the author's file alone, in Swift.
        var swiftFlags: [String] {
            // A function of the author's that throws dice should become part of the loop that calls it. A call would keep
            // the stream in memory. Swift's own limit is 50. The higher one is only for calls inside loops: calls that the
            // compiler expects at least eight times as often as the function around them. Lanes are longer, and a call would
            // keep sixteen streams in memory.
            let most = "-locally-hot-callsite-threshold=\(self == .lanes ? 4000 : 400)"
            return ownFlags + ["-Xllvm", most, "-Xllvm", "-hot-callsite-rel-freq=8"]
        }
        /// Without the places of the source, a module is a third as large.
        var linkerFlags: [String] { self == .traced ? [] : ["--strip-all"] }
    }

    /// A module, the compiler's warnings, and the linker's map of the module's memory.
    public struct Product: Sendable {
        public let module: [UInt8]
        public let warnings: String
        let map: String

        /// Returns the same with a module of lanes in it, unless it would become too large to travel.
        func carrying(_ lanes: Product, _ label: String) -> Product {
            let joined = LanesSection.joined(module, lanes: lanes.module)
            let most = BlobReference.largestModule
            if joined.count <= most { return Product(module: joined, warnings: warnings, map: map) }
            let remark =
                "\(label): warning: the module is built without lanes; with them it has \(joined.count) bytes, and "
                + "\(most) are the most"
            return Product(
                module: module, warnings: warnings.isEmpty ? remark : warnings + "\n" + remark, map: map)
        }
    }

    /// Whether the file at this path is a program with ranks: one in C, or one that declares so in Swift.
    public static func hasRanks(_ path: String) -> Bool {
        if path.hasSuffix(".c") { return true }
        guard path.hasSuffix(".swift"), let source = File.read(path),
            let text = String(validating: source, as: UTF8.self)
        else { return false }
        return (try? AuthorsSource(text, label: path))?.kind == .ranks
    }

    /// Whether the file at this path is a simulation whose author wrote a `lane` beside its `trial`.
    public static func hasLane(_ path: String) -> Bool {
        guard let source = File.read(path), let text = String(validating: source, as: UTF8.self) else { return false }
        return (try? AuthorsSource(text, label: path))?.hasLane ?? false
    }

    /// The largest source in bytes. Nobody writes a larger one by hand.
    static let largestSource = 1 << 20

    /// Builds the module of a file that messages call `label`. Calls `begin` if a module must be compiled, which takes a
    /// while. The plain module of a simulation with lanes or vectors carries one that uses a CPU's vectors.
    public func build(
        _ path: String, label: String, _ variant: Variant = .plain, begin: () -> Void = {}
    ) throws(WorkshopError) -> Product {
        guard let source = File.read(path) else { throw File.cannot("read \(label)") }
        guard source.count <= Self.largestSource, let text = String(validating: source, as: UTF8.self) else {
            throw .refused("\(label) is not Swift source")
        }
        let author = try AuthorsSource(text, label: label)
        var job = Job(
            text: text, author: author, hash: SHA256.hash(source).hexadecimal, label: label, variant: variant)
        guard variant == .plain, author.hasLanes || author.hasVectors else { return try product(of: job, begin) }
        var hasBegun = false
        let beginOnce = {
            if !hasBegun { begin() }
            hasBegun = true
        }
        let product = try product(of: job, beginOnce)
        job.variant = .lanes
        return product.carrying(try self.product(of: job, beginOnce), label)
    }

    /// Returns the module of a job, which is compiled unless it is kept.
    private func product(of job: Job, _ begin: () -> Void) throws(WorkshopError) -> Product {
        let compiler = Toolchain.compiler(path: searchPath)
        let kit = Kit(job.variant)
        if let product = kept(key(job, kit, compiler)) { return product }
        guard let compiler else { throw Self.noCompiler(job.label) }
        try makeFolderForModules()
        begin()
        let scratch = try makeScratch()
        defer { File.removeFolder(scratch) }
        let toolchain = try toolchain(compiler, scratch)
        let parts = try kit.prepare(in: folder, or: kits, scratch: scratch, toolchain)
        let product = try compile(job, kit, parts, scratch, toolchain)
        // Also store it under a key without the compiler, for a time when there is none.
        keep(product, [key(job, kit, compiler), key(job, kit, nil)])
        return product
    }

    /// Compiles the kit into the folder `place`, from where all users of this program take it, and removes the kits of
    /// earlier versions there. Returns the toolchain's version. Calls `begin` before it compiles, which takes minutes.
    public func installKits(to place: String, begin: () -> Void) throws(WorkshopError) -> String {
        guard let compiler = Toolchain.compiler(path: searchPath) else { throw Self.noCompiler("the kit") }
        try makeFolderForModules()
        let scratch = try makeScratch()
        defer { File.removeFolder(scratch) }
        let toolchain = try toolchain(compiler, scratch)
        let isKept = Kit.installed.allSatisfy { Kit.isKept(at: Kit($0).place(in: folder, toolchain)) }
        if !isKept { begin() }
        let isNew = !File.isThere(place)
        try File.makeFolder(place)
        // A folder that was there is as open as its owner wants.
        if isNew { chmod(place, 0o755) }
        var made: [String] = []
        for (number, variant) in Kit.installed.enumerated() {
            made.append(
                try Kit(variant).install(to: place, from: folder, scratch: "\(scratch).\(number)", toolchain))
        }
        for name in names(inFolder: place) where Kit.isName(name) && !made.contains(name) {
            File.removeFolder("\(place)/\(name)")
        }
        return toolchain.version
    }

    func toolchain(_ compiler: String, _ scratch: String) throws(WorkshopError) -> Toolchain {
        try Toolchain(compiler: compiler, scratch: scratch, limits: limits, isBoxed: isBoxed)
    }

    static func noCompiler(_ label: String) -> WorkshopError {
        .refused(
            "cannot compile \(label): swiftc is not installed; install Swift from https://www.swift.org/install/linux/, or "
                + "run 'potluck build' on another machine and run the module here"
        )
    }

    /// The product that was kept under a key.
    func kept(_ key: String) -> Product? {
        let kept = "\(folder)/built/\(key)"
        guard let module = File.read(kept + ".wasm"), let warnings = File.read(kept + ".txt"),
            let map = File.read(kept + ".map")
        else { return nil }
        return Product(
            module: module, warnings: String(decoding: warnings, as: UTF8.self),
            map: String(decoding: map, as: UTF8.self))
    }

    /// Keeps a product under each key. Without room it is compiled again.
    func keep(_ product: Product, _ keys: [String]) {
        for kept in keys.map({ "\(folder)/built/\($0)" }) {
            try? File.write(product.module, to: kept + ".wasm")
            try? File.write(product.warnings, to: kept + ".txt")
            try? File.write(product.map, to: kept + ".map")
        }
    }

    func makeFolderForModules() throws(WorkshopError) {
        do throws(WorkshopError) {
            try File.makeFolder(folder + "/built")
        } catch {
            throw .refused("\(error.message); set XDG_CACHE_HOME to a folder of your own")
        }
    }

    /// The key of a job's module. `compiler` is the one in the search path, even if that is an installer's proxy.
    /// Asking it for its toolchain takes longer than a run, and the module of another toolchain is as good.
    private func key(_ job: Job, _ kit: Kit, _ compiler: String?) -> String {
        // Only the entry of this variant differs from that of a plain module.
        let own = job.variant == .single ? [job.entry] : []
        return Kit.name(
            of: [job.hash, kit.name(compiledBy: compiler.map(Kit.stamp) ?? ""), ModuleStack.rule]
                + job.variant.swiftFlags + own)
    }

    /// The age in seconds at which a scratch folder is abandoned: no compilation takes so long.
    private static let longestCompile = 3600

    /// Removes scratch folders that interrupted builds left.
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

    func makeScratch() throws(WorkshopError) -> String {
        Self.sweep(folder)
        var template = Array("\(folder)/scratch.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw File.cannot("create a folder in \(folder)") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The name of the author's file in the scratch folder.
    static let authorsFile = "Author.swift"

    /// A file to compile.
    private struct Job {
        let text: String
        let author: AuthorsSource
        let hash: String
        let label: String
        var variant: Variant

        /// The file that exports the module's functions.
        var entry: String {
            let type = variant == .single ? "TrialByTrial<\(author.type)>" : author.type
            let entry =
                switch author.kind {
                case .simulation: KitSources.entry.replacing("AuthorsSimulation", with: type)
                case .ranks: KitSources.rankEntry.replacing("AuthorsProgram", with: author.type)
                }
            return entry.replacing("HashOfTheSource", with: hash)
        }
    }

    private func compile(
        _ job: Job, _ kit: Kit, _ parts: Kit.Parts, _ scratch: String, _ toolchain: Toolchain
    ) throws(WorkshopError) -> Product {
        // The object file contains a hash of the command line. With fixed names the module depends only on the source,
        // the kit and the toolchain, and not on the folder.
        let file = Self.authorsFile
        let diagnostics = Diagnostics(file: file, label: job.label)
        try File.write(job.text, to: "\(scratch)/\(file)")
        try File.write(job.entry, to: "\(scratch)/Entry.swift")
        let compiled = try toolchain.start(
            "swiftc",
            kit.flags + job.variant.swiftFlags + [
                // The kit marks declarations that a plugin must not use as deprecated.
                "-Werror", "DeprecatedDeclaration", "-module-name", "Plugin", "-I", parts.interface,
                "-diagnostic-style=llvm", "-no-color-diagnostics",
                "-c",
                file, "Entry.swift", "-o", "plugin.o",
            ], in: scratch, said: scratch + "/said", reading: [parts.interface]
        ).wait(job.label)
        // The kit's own code may still be compiling.
        let objects = try parts.objects()
        let said = diagnostics.compiler(compiled.said)
        guard compiled.succeeded else {
            throw .compiler(said.isEmpty ? "\(job.label): the compiler failed without a message" : said)
        }
        let linked = try toolchain.start(
            "wasm-ld",
            [
                "-z", "stack-size=131072",
            ] + Toolchain.linkerFlags + job.variant.linkerFlags + ["plugin.o"] + objects + [
                toolchain.tables, "-o", "plugin.wasm", "--Map=map",
            ],
            in: scratch, said: scratch + "/linked", reading: objects
        ).wait(job.label)
        guard linked.succeeded, let module = File.read(scratch + "/plugin.wasm") else {
            throw .compiler(diagnostics.linker(linked.said))
        }
        let map = File.read(scratch + "/map").map { String(decoding: $0, as: UTF8.self) } ?? ""
        // The places of the source belong to the code as it was linked.
        let isCounted = job.author.kind == .simulation && job.variant != .traced
        return Product(module: isCounted ? ModuleStack.counted(module) : module, warnings: said, map: map)
    }
}
