import Glibc

/// This machine's Swift toolchain.
struct Toolchain {
    /// The folder of `swiftc`, `clang` and `wasm-ld`.
    let programs: String
    /// What it says of its version, such as `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
    let version: String
    /// The path of the library with Unicode tables, which Swift's own library needs.
    let tables: String
    /// What its programs may do, besides reading the toolchain.
    private let box: Box

    /// The linker flags of every module. Threads would take memory for each core.
    static let linkerFlags = ["--threads=1", "--no-entry", "--gc-sections", "--export-memory", "--stack-first"]

    func program(_ name: String) -> String { "\(programs)/\(name)" }

    /// Returns the path of `swiftc` in the search path, or nil.
    static func compiler(path: String) -> String? {
        path.split(separator: ":").map { "\($0)/swiftc" }.first { access($0, X_OK) == 0 }
    }

    /// Asks the compiler for the folder of its toolchain, because the program in the search path may be an installer's
    /// proxy.
    ///
    /// - Parameter isBoxed: whether its programs read only what they need, where the kernel can see to that.
    init(compiler: String, scratch: String, limits: Box.Limits, isBoxed: Bool) throws(WorkshopError) {
        // It reads no file of an author, and an installer's proxy reads its own.
        let open = Box(readable: nil, limits: limits)
        let asked = try Subprocess(
            compiler, ["-print-target-info"], in: scratch, output: scratch + "/target", open
        ).wait("a file")
        // "runtimeResourcePath": "…/usr/lib/swift",
        func value(_ key: String) -> Substring? {
            let line = asked.said.split(separator: "\n").first { $0.contains("\"\(key)\"") }
            let quoted = line?.split(separator: "\"") ?? []
            return quoted.count > 3 ? quoted[3] : nil
        }
        guard asked.succeeded, let resources = value("runtimeResourcePath"),
            let version = value("compilerVersion"), let end = resources.firstRange(of: "/lib/swift")
        else {
            throw .refused("cannot find the toolchain of \(compiler); install Swift 6.2 or later")
        }
        self.version = String(version)
        let root = resources[..<end.lowerBound]
        programs = "\(root)/bin"
        let folders = ["bin", "lib", "lib64", "libexec", "share"].map { "\(root)/\($0)" }
        box = isBoxed ? Box(readable: folders, limits: limits) : open
        tables = "\(root)/lib/swift/embedded/wasm32-unknown-none-wasm/libswiftUnicodeDataTables.a"
        for needed in [program("clang"), program("wasm-ld"), tables] where !File.isThere(needed) {
            throw .refused("the Swift toolchain lacks \(needed); install a complete Swift 6.2 or later")
        }
    }

    /// Starts one of its programs in a folder, into which it may write. Its output goes to the file `said`.
    ///
    /// - Parameter reading: the files and folders that it may read besides.
    func start(
        _ name: String, _ arguments: [String], in folder: String, said: String, reading: [String] = []
    ) throws(WorkshopError) -> Subprocess {
        var box = box
        box.readable = box.readable.map { $0 + reading }
        return try Subprocess(program(name), arguments, in: folder, output: said, box)
    }
}
