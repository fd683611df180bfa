import Glibc
import PotluckCore
import PotluckSystem

/// The kit, compiled once for all simulations with this machine's toolchain.
struct Kit {
    let flags: [String]
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

    /// A name for the kit's sources, the flags and the compiler at this path; without the compiler if it is nil.
    func name(_ compiler: String?) -> String {
        var parts = flags + [KitSources.runtime, KitSources.entry, KitSources.rankEntry]
        for file in KitSources.kit { parts += [file.name, file.text] }
        parts.append(compiler.map(Self.stamp) ?? "")
        return Self.name(of: parts)
    }

    /// A name for a product of these parts.
    static func name(of parts: [String]) -> String {
        SHA256.hash(Array(parts.joined(separator: "\u{0}").utf8)).prefix(16).map { $0 }.hexadecimal
    }

    /// Identifies a file, such as a compiler, by path, size and time. Asking it for its version would take longer than
    /// everything else.
    static func stamp(_ path: String) -> String {
        var found = stat()
        guard stat(path, &found) == 0 else { return path }
        return "\(path) \(found.st_size) \(found.st_mtim.tv_sec)"
    }

    /// Takes the kit from `folder`, or starts to compile it into there. The kit is named by the toolchain's own
    /// compiler, because no other compiler can use it. The program in the search path may be an installer's proxy,
    /// which stays the same when it starts another toolchain.
    func prepare(
        in folder: String, scratch: String, _ toolchain: Toolchain
    ) throws(WorkshopError) -> Parts {
        let compiler = toolchain.program("swiftc")
        let kept = "\(folder)/kit/\(name(compiler))"
        let names = ["kit.o", "runtime.o"]
        if File.isThere(kept + "/runtime.o") {
            return Parts(interface: kept) { () throws(WorkshopError) in names.map { "\(kept)/\($0)" } }
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

    static func check(_ outcome: (succeeded: Bool, said: String), _ what: String) throws(WorkshopError) {
        guard !outcome.succeeded else { return }
        let reason = outcome.said.split(separator: "\n").first { $0.contains("error:") } ?? "unknown error"
        throw .refused("this toolchain cannot compile \(what): \(reason); install Swift 6.2 or later")
    }
}
