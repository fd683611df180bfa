import Glibc
import PotluckCore
import PotluckSystem

extension Workshop {
    /// The kit, and the flags with which it is compiled for this machine.
    private struct NativeKit {
        /// The flags for the kit and the author's file, which are those of the built-in simulations.
        let flags: [String]

        /// `features` are those of the CPU that lanes need; empty for a file without lanes.
        init(features: [String]) {
            let flags = [
                "-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-enable-experimental-feature",
                "BuiltinModule", "-module-cache-path", Kit.moduleCache,
            ]
            let lanes = features.flatMap { ["-Xcc", "-m\($0)"] } + ["-D", "POTLUCK_LANES"] + Variant.lanes.swiftFlags
            // The kit counts masks in another way where a CPU has no registers for them.
            let narrow = features.contains("avx2") ? ["-D", "POTLUCK_AVX2"] : []
            self.flags = flags + (features.isEmpty ? [] : lanes + narrow)
        }

        /// A name for its sources, the flags and the compiler at this path.
        func name(_ compiler: String) -> String {
            let sources = KitSources.kit.flatMap { [$0.name, $0.text] }
            return Kit.name(of: flags + [KitSources.nativeEntry, Kit.stamp(compiler)] + sources)
        }
    }

    /// The system's headers, which Swift's library for it uses.
    private static let system = ["/usr/include"]

    /// Compiles a file that messages call `label` to a native program, and returns the program's path. Calls `begin` if it
    /// must be compiled, which takes a while. The file has been built as a module before, so what a plugin must not use is
    /// refused there. Throws if the folder is not this user's own, because the program runs outside of the sandbox.
    ///
    /// - Parameters:
    ///   - source: the SHA-256 of the source that the module was made of, 64 hexadecimal digits. The author may have
    ///     saved the file since.
    ///   - features: what this CPU has for lanes, such as `avx2`. Without any, lanes are not used. A file without lanes
    ///     does not use them, because plain trials do not become faster.
    public func native(
        _ path: String, label: String, source hash: String, features: [String] = [], begin: () -> Void = {}
    ) throws(WorkshopError) -> String {
        guard let (source, owner) = File.readWithOwner(path) else { throw File.cannot("read \(label)") }
        guard owner == geteuid() else {
            throw .refused("\(label) belongs to another user; run it without --native")
        }
        guard SHA256.hash(source).hexadecimal == hash else {
            throw .refused("\(label) changed while it was compiled; run it again")
        }
        let text = String(decoding: source, as: UTF8.self)
        let author = try AuthorsSource(text, label: label)
        guard author.kind == .simulation else {
            throw .refused("\(label) is a program with ranks and not a simulation")
        }
        guard let compiler = Toolchain.compiler(path: searchPath) else { throw Self.noCompiler(label) }
        let kit = NativeKit(features: author.hasLanes ? features : [])
        // An installer's proxy may start another toolchain by now, but its program is as good.
        let made = "\(folder)/built/\(Kit.name(of: [hash, kit.name(compiler)]))"
        try makeOwnFolders(["built", "kit"])
        // A program that others may have written is compiled again.
        if isOwn(made, S_IFREG) { return made }
        try makeFolderForModules()
        begin()
        let scratch = try makeScratch()
        defer { File.removeFolder(scratch) }
        let toolchain = try toolchain(compiler, scratch)
        let interface = try prepare(kit, scratch, toolchain)
        try File.write(text, to: "\(scratch)/\(Self.authorsFile)")
        try File.write(
            KitSources.nativeEntry.replacing("AuthorsSimulation", with: author.type)
                .replacing("HashOfTheSource", with: hash), to: "\(scratch)/Entry.swift")
        let compiled = try toolchain.start(
            "swiftc",
            kit.flags + [
                "-module-name", "Plugin", "-I", interface, "-diagnostic-style=llvm", "-no-color-diagnostics",
                Self.authorsFile, "Entry.swift", "\(interface)/kit.o", "-static-stdlib", "-o", "program",
            ], in: scratch, said: scratch + "/said", reading: Self.system + [interface]
        ).wait(label)
        guard compiled.succeeded else {
            let said = Diagnostics(file: Self.authorsFile, label: label).compiler(compiled.said)
            throw .compiler(said.isEmpty ? "\(label): the compiler failed without a message" : said)
        }
        // If the rename fails, another process was faster and made the same.
        guard rename("\(scratch)/program", made) == 0 || isOwn(made, S_IFREG) else { throw File.cannot("keep \(made)") }
        return made
    }

    /// Creates the workshop's folder and some in it if they are missing. Throws if another user may have put something there,
    /// because what runs outside of the sandbox is kept there.
    func makeOwnFolders(_ names: [String]) throws(WorkshopError) {
        for path in [folder] + names.map({ "\(folder)/\($0)" }) {
            do throws(FolderError) {
                // Where the umask is 002, a folder that another program made lets the group write.
                try makeOwnFolder(path, denying: othersWrite)
            } catch {
                let defect =
                    switch error {
                    case .missing(let number): "cannot create \(path): \(String(cString: strerror(number)))"
                    case .notAFolder: "\(path) is not a folder"
                    case .ofAnotherUser: "\(path) belongs to another user"
                    case .open: "other users can write to \(path)"
                    }
                throw .refused("\(defect); set XDG_CACHE_HOME to a folder of your own")
            }
        }
    }

    /// Returns the folder of the compiled kit, and compiles it if there is none.
    private func prepare(
        _ kit: NativeKit, _ scratch: String, _ toolchain: Toolchain
    ) throws(WorkshopError) -> String {
        let compiler = toolchain.program("swiftc")
        let kept = "\(folder)/kit/\(kit.name(compiler))"
        if isKit(kept) { return kept }
        let work = scratch + ".kit"
        try File.makeFolder(work)
        for file in KitSources.kit { try File.write(file.text, to: "\(work)/\(file.name)") }
        try Kit.check(
            toolchain.start(
                "swiftc",
                kit.flags + [
                    "-module-name", "PotluckKit", "-emit-module", "-emit-module-path", "PotluckKit.swiftmodule", "-c",
                ] + KitSources.kit.map(\.name) + ["-o", "kit.o"], in: work, said: work + "/said",
                reading: Self.system
            ).wait("the kit"), "the kit")
        // A kit that others may have written is still in its place.
        let old = scratch + ".old"
        if !isKit(kept), rename(kept, old) == 0 { File.removeFolder(old) }
        // If the rename fails, another process was faster and made the same.
        return rename(work, kept) == 0 ? kept : work
    }

    /// Whether there is a compiled kit whose files only this user can have written. The compiler looks for modules in
    /// all of them.
    private func isKit(_ path: String) -> Bool {
        isOwn(path, S_IFDIR) && isOwn(path + "/kit.o", S_IFREG)
            && names(inFolder: path).allSatisfy { isOwn("\(path)/\($0)", S_IFREG) || isOwn("\(path)/\($0)", S_IFDIR) }
    }
}
