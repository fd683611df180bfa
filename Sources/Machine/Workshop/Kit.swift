import Glibc
import PotluckCore
import PotluckSystem

/// The kit, compiled once for all simulations with this machine's toolchain, or with the same version elsewhere.
struct Kit {
    let flags: [String]
    /// What a program installs of a compiled kit: what the compiler reads of it, and what the linker reads.
    private static let files = ["PotluckKit.swiftmodule", "kit.o", "runtime.o"]
    /// The kits that are installed: those that users run their files with.
    static let installed: [Workshop.Variant] = [.plain, .lanes]

    /// The folders that may have the kits of an installed program.
    static func places(program: String) -> [String] {
        Installation.places(of: "kit", built: "kit", program: program)
    }

    /// The compiler's cache for the kit's one header. It lies in the compiler's own folder, because a compiler in a box
    /// cannot write elsewhere.
    static let moduleCache = "modules"

    /// The compiled kit. `interface` is the folder for the compiler; `objects` waits for the code and returns its
    /// files.
    struct Parts {
        let interface: String
        let objects: () throws(WorkshopError) -> [String]
    }

    init(_ variant: Workshop.Variant) {
        flags =
            [
                "-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-target", "wasm32-unknown-none-wasm",
                "-enable-experimental-feature", "Embedded", "-enable-experimental-feature", "Extern",
                "-enable-experimental-feature", "BuiltinModule", "-Xcc", "-mbulk-memory", "-Xcc",
                "-mnontrapping-fptoint",
                "-Xcc", "-msign-ext", "-Xfrontend", "-disable-stack-protector", "-enforce-exclusivity=unchecked",
                "-module-cache-path", Self.moduleCache,
                // The compiler should unroll a loop of four trials with some forty lines each.
                "-Xllvm", "-unroll-threshold=1200",
            ] + variant.flags
    }

    /// A name for the kit's sources, the flags and the compiler, which its stamp or its version identifies.
    func name(compiledBy compiler: String) -> String {
        var parts = flags + [KitSources.runtime, KitSources.entry, KitSources.rankEntry]
        for file in KitSources.kit { parts += [file.name, file.text] }
        return Self.name(of: parts + [compiler])
    }

    /// A name for a product of these parts.
    static func name(of parts: [String]) -> String {
        SHA256.hash(Array(parts.joined(separator: "\u{0}").utf8)).prefix(nameOctets).map { $0 }.hexadecimal
    }

    private static let nameOctets = 16

    /// Whether that is the name of a product, so that nothing of a user's is mistaken for one.
    static func isName(_ text: String) -> Bool {
        text.utf8.count == 2 * nameOctets && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// Identifies a file, such as a compiler, by path, size and time. Asking it for its version would take longer than
    /// everything else.
    static func stamp(_ path: String) -> String {
        var found = stat()
        guard stat(path, &found) == 0 else { return path }
        return "\(path) \(found.st_size) \(found.st_mtim.tv_sec)"
    }

    /// Where the kit is kept in a workshop's folder. It is named by the toolchain's own compiler, because no other compiler
    /// can use it. The program in the search path may be an installer's proxy, which stays the same when it starts another
    /// toolchain.
    func place(in folder: String, _ toolchain: Toolchain) -> String {
        "\(folder)/kit/\(name(compiledBy: Self.stamp(toolchain.program("swiftc"))))"
    }

    /// Whether there is a whole kit in a workshop's folder.
    static func isKept(at place: String) -> Bool { File.isThere(place + "/runtime.o") }

    /// Returns the installed kit that this toolchain can use; nil if there is none that only trusted users can have written.
    private func installed(in places: [String], _ toolchain: Toolchain) -> String? {
        let name = name(compiledBy: toolchain.version)
        return places.map { "\($0)/\(name)" }.first { place in
            Self.files.allSatisfy { file in
                if case .success = Installation.TrustedFile.open("\(place)/\(file)") { true } else { false }
            }
        }
    }

    /// Takes the kit from `folder` or from one of the installed `places`, or starts to compile it into `folder`.
    func prepare(
        in folder: String, or places: [String], scratch: String, _ toolchain: Toolchain
    ) throws(WorkshopError) -> Parts {
        let kept = place(in: folder, toolchain)
        let names = ["kit.o", "runtime.o"]
        if let made = Self.isKept(at: kept) ? kept : installed(in: places, toolchain) {
            return Parts(interface: made) { () throws(WorkshopError) in names.map { "\(made)/\($0)" } }
        }
        try File.makeFolder(folder + "/kit")
        let work = scratch + ".kit"
        try File.makeFolder(work)
        for file in KitSources.kit { try File.write(file.text, to: "\(work)/\(file.name)") }
        try File.write(KitSources.runtime, to: work + "/runtime.c")
        let sources = KitSources.kit.map(\.name)
        let common = flags + ["-module-name", "PotluckKit"]
        // The code takes longest, and only the linker needs it.
        let code = try toolchain.start(
            "swiftc", common + ["-c"] + sources + ["-o", "kit.o"], in: work, said: work + "/code")
        let interface = try toolchain.start(
            "swiftc", common + ["-emit-module", "-emit-module-path", "PotluckKit.swiftmodule"] + sources, in: work,
            said: work + "/interface")
        try Self.check(interface.wait("the kit"), "the kit")
        return Parts(interface: work) { () throws(WorkshopError) in
            try Self.check(
                toolchain.start(
                    "clang",
                    [
                        "--target=wasm32", "-Oz", "-std=c11", "-ffreestanding", "-fno-builtin", "-mbulk-memory", "-c",
                        "runtime.c", "-o", "runtime.o",
                    ], in: work, said: work + "/runtime"
                ).wait("the kit"), "the kit's support")
            try Self.check(code.wait("the kit"), "the kit's code")
            // If the rename fails, another process was faster and made the same.
            if rename(work, kept) != 0 { return names.map { "\(work)/\($0)" } }
            return names.map { "\(kept)/\($0)" }
        }
    }

    /// Copies the kit to `place`, for everybody. `folder` has it, or gets it.
    func install(
        to place: String, from folder: String, scratch: String, _ toolchain: Toolchain
    ) throws(WorkshopError) -> String {
        _ = try prepare(in: folder, or: [], scratch: scratch, toolchain).objects()
        let made = self.place(in: folder, toolchain)
        let name = name(compiledBy: toolchain.version)
        let target = "\(place)/\(name)"
        try File.makeFolder(target)
        chmod(target, 0o755)
        for file in Self.files {
            guard let octets = File.read("\(made)/\(file)") else { throw File.cannot("read \(made)/\(file)") }
            try File.write(octets, to: "\(target)/\(file)")
            chmod("\(target)/\(file)", 0o644)
        }
        return name
    }

    static func check(_ outcome: (succeeded: Bool, said: String), _ what: String) throws(WorkshopError) {
        guard !outcome.succeeded else { return }
        let reason = outcome.said.split(separator: "\n").first { $0.contains("error:") } ?? "unknown error"
        throw .refused("this toolchain cannot compile \(what): \(reason); install Swift 6.2 or later")
    }
}
