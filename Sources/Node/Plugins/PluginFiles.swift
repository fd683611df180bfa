import Glibc
import PotluckCore
import PotluckMachine
import PotluckRanks
import PotluckScreen

/// Simulations in files: Swift sources and modules, with the cache of compiled modules.
package enum PluginFiles {
    /// Whether the word is a path. Names of simulations have no slash and no dot.
    package static func isFile(_ word: String) -> Bool { word.contains("/") || word.contains(".") }

    /// The endings of files that are compiled. Only programs with ranks are written in C.
    package static let sources = [".swift", ".py", ".c"]

    /// Returns the module of a file. Compiles a source file first, and says so on stderr.
    package static func module(_ path: String, _ variant: Workshop.Variant = .plain) throws -> [UInt8] {
        if sources.contains(where: path.hasSuffix) { return try build(path, variant).module }
        guard path.hasSuffix(".wasm") else {
            if access(path, F_OK) == 0 { try look(path) }
            throw UsageError(
                "\(Spelling.path(path)) is neither a source file (.swift, .py, .c) nor a module (.wasm)\(hint(for: path))"
            )
        }
        try look(path)
        return try read(path)
    }

    /// - Parameter sources: what belongs to the file of a program in C.
    package static func build(
        _ path: String, _ variant: Workshop.Variant = .plain, sources: CSources? = nil
    ) throws -> Workshop.Product {
        try look(path)
        for other in sources?.others ?? [] { try look(other) }
        let label = Spelling.path(path)
        return try compile(label) { begin throws(WorkshopError) in
            if path.hasSuffix(".c") {
                return try workshop().buildC(sources ?? CSources(path), label: label, variant, begin: begin)
            }
            if path.hasSuffix(".py") {
                return try workshop().buildPython(path, label: label, begin: begin)
            }
            return try workshop().build(path, label: label, variant, begin: begin)
        }
    }

    /// Compiles the kit into a folder, from where a program that is installed beside it takes it. Returns the toolchain's
    /// version.
    package static func installKits(to folder: String) throws -> String {
        try compile("the kit") { begin throws(WorkshopError) in try workshop().installKits(to: folder, begin: begin) }
    }

    /// Compiles a text in Python as `build` does, without a word on the terminal. `isKept` means that it is likely to be built
    /// again.
    package static func module(
        ofPython source: [UInt8], label: String, isKept: Bool
    ) throws(WorkshopError) -> [UInt8] {
        try workshop().buildPython(source, label: label, isKept: isKept).module
    }

    /// Returns the path of the native program of a source file, for this CPU with these features. Compiles it first if there is none.
    /// Throws if the file is no longer the source of the plugin.
    package static func native(_ path: String, of plugin: Plugin, features: [String]) throws -> String {
        let label = Spelling.path(path)
        return try compile(label) { begin throws(WorkshopError) in
            try workshop().native(
                path, label: label, source: plugin.simulation.source, features: features, begin: begin)
        }
    }

    /// Compiles with `body`, which calls its argument before it takes a while.
    private static func compile<Made>(
        _ label: String, _ body: (() -> Void) throws(WorkshopError) -> Made
    ) throws -> Made {
        var line: CompilingLine?
        defer { line?.end() }
        do throws(WorkshopError) {
            return try body { line = CompilingLine(label) }
        } catch {
            line?.end()
            line = nil
            switch error {
            case .refused(let line): throw Failure(message: line)
            case .compiler(let text):
                try? Output.write(text + "\n", to: STDERR_FILENO)
                throw Failure(message: "cannot compile \(label); see the errors above")
            }
        }
    }

    /// Throws if there is no file at `path`, with a hint at a similar file.
    private static func look(_ path: String) throws(Failure) {
        var found = stat()
        guard stat(path, &found) == 0 else {
            throw Failure(
                message: "cannot read \(Spelling.path(path)): \(String(cString: strerror(errno)))\(hint(for: path))")
        }
        guard found.st_mode & S_IFMT == S_IFDIR else { return }
        let folder = path.hasSuffix("/") ? path : path + "/"
        let files = files(in: folder)
        let meant = files.count == 1 ? "; did you mean \(Spelling.path(folder + files[0]))?" : ""
        throw Failure(message: "\(Spelling.path(path)) is a folder, not a simulation's file\(meant)")
    }

    /// A hint at a file in the same folder with a similar name; empty if there is none.
    private static func hint(for path: String) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let name = String(path.dropFirst(folder.count))
        return Spelling.hint(for: name, among: files(in: folder.isEmpty ? "." : folder), prefix: folder)
    }

    /// The names of sources and modules in a folder, sorted.
    private static func files(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if (sources + [".wasm"]).contains(where: name.hasSuffix), name.isFitForScreen { names.append(name) }
        }
        return names.sorted()
    }

    package static func plugin(
        _ path: String, _ limits: PluginLimits, _ variant: Workshop.Variant = .plain
    ) throws -> Plugin { try plugin(path, of: module(path, variant), limits) }

    /// The simulation of a Swift file without its author's `lane`; nil if it has none.
    package static func single(_ path: String, _ limits: PluginLimits) throws -> Plugin? {
        guard path.hasSuffix(".swift"), Workshop.hasLane(path) else { return nil }
        return try plugin(path, limits, .single)
    }

    package static func plugin(
        _ path: String, of octets: [UInt8], _ limits: PluginLimits, usesLanes: Bool = true
    ) throws -> Plugin {
        let label = Spelling.path(path)
        do throws(SandboxError) {
            return try Plugin(octets, label: label, limits: limits, cache: compiled, usesLanes: usesLanes)
        } catch {
            let why = CrashReport.located(error, path) { traced in
                do throws(SandboxError) {
                    _ = try Plugin(traced, label: label, limits: limits, cache: compiled, usesLanes: usesLanes)
                    return nil
                } catch {
                    return error
                }
            }
            throw Failure(message: "\(label): \(why)")
        }
    }

    /// The program with ranks in a file. `memory` is what a rank may use, in bytes. `warn` gets what the compiler says of
    /// a program in C.
    package static func rankModule(
        _ path: String, _ sources: CSources?, _ memory: Int?, warn: (String) -> Void
    ) throws -> (module: RankModule, octets: [UInt8]) {
        let label = Spelling.path(path)
        // A program with ranks may do something else when it runs again, so its first run must know its lines.
        let octets: [UInt8]
        if let sources {
            let product = try build(path, .traced, sources: sources)
            if !product.warnings.isEmpty { warn(product.warnings) }
            octets = product.module
        } else {
            octets = try module(path, self.sources.contains(where: path.hasSuffix) ? .traced : .plain)
        }
        do throws(SandboxError) {
            let module = try RankModule(
                octets, label: label, limits: PluginLimits(memory: memory ?? PluginLimits.standardMemory),
                cache: compiled)
            return (module, octets)
        } catch {
            throw Failure(message: "\(label): \(error.reason)")
        }
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw Failure(cannot: "read \(Spelling.path(path))") }
        defer { fclose(file) }
        // Read one byte more than a module may have, so that the sandbox notices a module that is too large.
        var octets = [UInt8](repeating: 0, count: PluginLimits.largestModule + 1)
        let count = fread(&octets, 1, octets.count, file)
        guard ferror(file) == 0 else { throw Failure(cannot: "read \(Spelling.path(path))") }
        return Array(octets.prefix(count))
    }

    /// How a node of a session treats the modules of others. `ranks` makes programs with ranks, with the cache of compiled
    /// modules.
    package static func plugins(
        _ policy: Plugins.Policy, _ limits: PluginLimits, ranks: (CompiledCache?) -> Plugins.RankLoader
    ) -> Plugins {
        let compiled = compiled
        let bundled = { @Sendable simulation in BundledModules.own.module(of: simulation)?.octets }
        return Plugins(policy, keptIn: modules, bundled: bundled, ranks: ranks(compiled)) { octets, label in
            do throws(SandboxError) {
                return .success(try Plugin(octets, label: label, limits: limits, cache: compiled).simulation)
            } catch {
                return .failure(PluginError(error.reason))
            }
        }
    }

    /// This user's cache folder; nil if neither XDG_CACHE_HOME nor HOME gives an absolute path.
    private static var cache: String? {
        (Environment["XDG_CACHE_HOME"] ?? Environment["HOME"].map { $0 + "/.cache" }).flatMap {
            $0.hasPrefix("/") ? withoutDots($0) + "/potluck" : nil
        }
    }

    /// The same folder without `.` and `..`, which the lists of files that compilers read do not have.
    private static func withoutDots(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.map { "/" + $0 }.joined()
    }

    /// The folder of received modules, named by their hash.
    package static var modules: String? { cache.map { $0 + "/modules" } }

    private static var compiled: CompiledCache? { cache.flatMap { CompiledCache(in: $0 + "/compiled") } }

    package static func workshop() throws(WorkshopError) -> Workshop {
        guard let cache else {
            throw .refused("no folder to compile in; set HOME or XDG_CACHE_HOME")
        }
        return Workshop(folder: cache, searchPath: Environment["PATH"] ?? "")
    }
}
