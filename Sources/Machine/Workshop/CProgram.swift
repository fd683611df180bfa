import Glibc
import PotluckCore
import PotluckSystem

/// A program with ranks in C: how its module is made of the author's files, our MPI and the C library.
struct CProgram {
    /// The name of the program, from that of its main file.
    let name: String
    /// The hash of the sources.
    let hash: String
    let files: CFiles
    let variant: Workshop.Variant

    /// The flags for our MPI and the author's files. WASI's emulations declare what programs for Unix expect.
    private static let flags = [
        "--target=wasm32-wasip1", "--sysroot=/nonexistent", "-O2", "-mbulk-memory", "-msign-ext",
        "-mnontrapping-fptoint", "-fno-color-diagnostics", "-D_WASI_EMULATED_SIGNAL", "-D_WASI_EMULATED_PROCESS_CLOCKS",
        "-D_WASI_EMULATED_GETPID", "-D_WASI_EMULATED_MMAN",
    ]
    /// The flags for the author's files alone. They can name any file of the person who compiles it, in `#include`,
    /// `#embed`, `__has_include`, or for the assembler. The compiler sees a file system of only those files that the
    /// program may read, and lists the files that it has read.
    private static let closed =
        [
            "-ivfsoverlay", "visible.json", "-fno-gnu-inline-asm", "-MD", "-fno-crash-diagnostics",
            // A null pointer that is used comes to our library (`memory.c`), which says where.
            "-fsanitize=null", "-fno-sanitize-recover=null",
            // The compiler would leave out memory that is only written, and take it for granted that there is some.
        ] + LongWidth.flags + watched.map { "-fno-builtin-\($0)" }
    /// Old teaching programs do what was allowed when they were written. Other compilers for MPI only warn of it.
    private static let lenient = [
        "implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-function-pointer-types",
    ].map { "-Wno-error=\($0)" }
    /// The stack of a rank in bytes: that of a program on Linux. Programs keep whole matrices there.
    private static let stack = 8 << 20
    /// The bytes below the stack that belong to nothing. A write through a null pointer changes them, and `memory.c` finds it.
    private static let zone = 1 << 16
    /// Functions to which our library adds a sentence: calls of them come to it, under names with `__wrap_` in front.
    private static let watched = ["malloc", "calloc", "realloc"]
    /// Functions for files, of which there are none. Calls of them come to names that do not exist.
    static let absent = [
        "creat", "fopen", "freopen", "mkdir", "open", "openat", "opendir", "remove", "rename", "tmpfile", "unlink",
    ]
    private static let archives = [
        "wasi-emulated-signal", "wasi-emulated-process-clocks", "wasi-emulated-getpid", "wasi-emulated-mman",
        "c-printscan-long-double", "c",
        "m",
    ].map { "-l" + $0 }

    init(_ files: CFiles, label: String, _ variant: Workshop.Variant) {
        name = Self.name(of: label)
        hash = files.hash
        (self.files, self.variant) = (files, variant)
    }

    /// A hash of everything that the module depends on. `tools` identifies the compiler and the C library; it is nil in
    /// the key for a time when there are none.
    func key(tools: String?) -> String { Self.key([hash, name, variant.rawValue, tools ?? ""]) }

    private static func key(_ others: [String]) -> String {
        let parts =
            flags + closed + lenient + watched + absent + KitSources.mpi.flatMap { [$0.name, $0.text] } + others
        return SHA256.hash(Array(parts.joined(separator: "\u{0}").utf8)).prefix(16).map { $0 }.hexadecimal
    }

    /// Makes the name of a program, which is a word, from a file's: no spaces, and no signs of a shell.
    static func name(of label: String) -> String {
        /// The longest word in a description.
        let longest = 64
        let base = label.split(separator: "/").last.map(String.init) ?? ""
        let stem = base.hasSuffix(".c") ? base.dropLast(2) : base[...]
        let plain = stem.utf8.map { octet -> Character in
            CSources.isOfName(octet) ? Character(Unicode.Scalar(octet)) : "-"
        }
        let word = String(plain.drop { $0 == "-" }.prefix(longest))
        return word.isEmpty ? "program" : word
    }

    /// Takes our MPI from `folder`, or compiles it into there. Returns its folder.
    static func prepare(
        in folder: String, tools: String, scratch: String, _ toolchain: Toolchain, _ library: CLibrary
    ) throws(WorkshopError) -> String {
        let kept = "\(folder)/mpi/\(key([tools]))"
        if File.isThere(kept + "/mpi.h") { return kept }
        let work = scratch + ".mpi"
        try File.makeFolder(folder + "/mpi")
        try File.makeFolder(work + "/library")
        for file in KitSources.mpi { try File.write(file.text, to: "\(work)/\(file.name)") }
        let sources = KitSources.mpi.map(\.name).filter { $0.hasSuffix(".c") }
        let outcome = try toolchain.start(
            "clang", flags + ["-isystem", library.headers, "-std=c11", "-c"] + sources, in: work, said: work + "/said",
            reading: [library.headers]
        ).wait("Potluck's MPI")
        guard outcome.succeeded else {
            throw .compiler(Diagnostics(file: CFiles.main, label: "Potluck's MPI").compiler(outcome.said))
        }
        // If the rename fails, another process was faster and made the same.
        return rename(work, kept) == 0 ? kept : work
    }

    /// The object file of the author's file with that number.
    static func object(_ number: Int) -> String { "Author\(number).o" }

    /// Compiles the author's files and links them with our MPI, which is in the folder `mpi`.
    func module(
        label: String, mpi: String, scratch: String, _ toolchain: Toolchain, _ library: CLibrary
    ) throws(WorkshopError) -> Workshop.Product {
        let diagnostics = Diagnostics(
            files: files.entries.map { ($0.name, $0.label) }, label: label, allowance: CFiles.allowance)
        try writeFiles(to: scratch)
        try File.write(
            "const char potluck_name[] = \"\(name)\", potluck_hash[] = \"\(hash)\";\n", to: "\(scratch)/about.c")
        let about = try toolchain.start(
            "clang", Self.flags + ["-c", "about.c"], in: scratch, said: scratch + "/about")
        let resources = try toolchain.start(
            "clang", ["-print-resource-dir"], in: scratch, said: scratch + "/resources"
        ).wait(label).said.split(separator: "\n").first.map(String.init)
        let headers = [library.headers, mpi] + (resources.map { [$0] } ?? [])
        try File.write(
            Self.visible(headers, files: files.entries.map { "\(scratch)/\($0.name)" }), to: "\(scratch)/visible.json")
        var said = LongWidth.claims(files)
        var hasFailed = false
        for (number, unit) in files.units.enumerated() {
            let compiled = try toolchain.start(
                "clang",
                Self.flags + Self.closed + Self.lenient + variant.ownFlags + files.flags + [
                    "-isystem", library.headers, "-isystem", mpi, "-MF", "dependencies\(number)", "-c", unit, "-o",
                    Self.object(number),
                ], in: scratch, said: scratch + "/said\(number)", reading: headers
            ).wait(label)
            let own = diagnostics.compiler(compiled.said)
            if !own.isEmpty { said.append(own) }
            guard compiled.succeeded else {
                hasFailed = true
                if own.isEmpty { said.append("\(label): the compiler failed without a message") }
                continue
            }
            try check(File.read("\(scratch)/dependencies\(number)"), of: label, headers)
        }
        let warnings = said.joined(separator: "\n")
        guard try about.wait(label).succeeded, !hasFailed else { throw .compiler(warnings) }
        let objects = KitSources.mpi.map(\.name).filter { $0.hasSuffix(".c") }.map {
            "\(mpi)/\($0.dropFirst("library/".count).dropLast(2)).o"
        }
        let linked = try toolchain.start(
            "wasm-ld",
            Toolchain.linkerFlags + [
                "-z", "stack-size=\(Self.stack + Self.zone)",
                // A function that is called with other parameters than it has would stop the program where it is called.
                "--fatal-warnings",
            ] + (Self.watched + Self.absent).map { "--wrap=\($0)" } + variant.linkerFlags
                + files.units.indices.map(Self.object) + ["about.o"]
                + objects + ["-L" + library.archives] + Self.archives + [
                    library.builtins, "-o", "program.wasm", "--Map=map",
                ], in: scratch, said: scratch + "/linked", reading: [mpi, library.archives, library.builtins]
        ).wait(label)
        guard linked.succeeded, let module = File.read(scratch + "/program.wasm") else {
            throw .compiler(diagnostics.linkerOfC(linked.said, units: files.units))
        }
        let map = File.read(scratch + "/map").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Workshop.Product(module: module, warnings: warnings, map: map)
    }

    private func writeFiles(to folder: String) throws(WorkshopError) {
        for entry in files.entries {
            if let end = entry.name.lastIndex(of: "/") { try File.makeFolder("\(folder)/\(entry.name[..<end])") }
            try File.write(entry.octets, to: "\(folder)/\(entry.name)")
        }
    }

    /// A file system for the compiler, which has only these folders and files. Names are looked up in it as they are
    /// written, so `..` leads nowhere else, and no answer depends on the disk.
    static func visible(_ folders: [String], files: [String]) -> String {
        func entry(_ type: String, _ path: String) -> String {
            let text = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return #"{"type":"\#(type)","name":"\#(text)","external-contents":"\#(text)"}"#
        }
        let entries = folders.map { entry("directory-remap", $0) } + files.map { entry("file", $0) }
        return #"{"version":0,"redirecting-with":"redirect-only","use-external-names":false,"roots":["#
            + entries.joined(separator: ",") + "]}"
    }

    /// Throws if the compiler has read another file than the author's and those in the folders of headers.
    private func check(
        _ list: [UInt8]?, of label: String, _ headers: [String]
    ) throws(WorkshopError) {
        guard let list else { throw .refused("\(label): the compiler does not say which files it has read") }
        let read = Dependencies(String(decoding: list, as: UTF8.self))
        guard let stranger = read.stranger(to: headers, own: files.entries.map(\.name)) else { return }
        throw .refused("\(label): it includes \(stranger.escapedForScreen); \(CFiles.allowance)")
    }
}

extension Workshop {
    /// Builds the module of a program with ranks in C, whose main file messages call `label`. Calls `begin` if the
    /// module must be compiled.
    ///
    /// - Parameter variant: either `plain` or `traced`.
    public func buildC(
        _ sources: CSources, label: String, _ variant: Variant = .plain, begin: () -> Void = {}
    ) throws(WorkshopError) -> Product {
        let program = CProgram(try CFiles(sources, label: label), label: label, variant)
        guard let compiler = Toolchain.compiler(path: searchPath) else {
            if let product = kept(program.key(tools: nil)) { return product }
            throw Self.noCompiler(label)
        }
        guard let library = CLibrary() else {
            if let product = kept(program.key(tools: nil)) { return product }
            throw CLibrary.isMissing(label)
        }
        let tools = Kit.stamp(compiler) + library.stamp
        if let product = kept(program.key(tools: tools)) { return product }
        try makeFolderForModules()
        begin()
        let scratch = try makeScratch()
        defer { File.removeFolder(scratch) }
        let toolchain = try toolchain(compiler, scratch)
        let mpi = try CProgram.prepare(in: folder, tools: tools, scratch: scratch, toolchain, library)
        let product = try program.module(label: label, mpi: mpi, scratch: scratch, toolchain, library)
        keep(product, [program.key(tools: tools), program.key(tools: nil)])
        return product
    }
}
