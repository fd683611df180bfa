import Glibc

/// This machine's Swift toolchain.
struct Toolchain {
    /// The folder of `swiftc`, `clang` and `wasm-ld`.
    let programs: String
    /// The path of the library with Unicode tables, which Swift's own library needs.
    let tables: String

    func program(_ name: String) -> String { "\(programs)/\(name)" }

    /// Returns the path of `swiftc` in the search path, or nil.
    static func compiler(path: String) -> String? {
        path.split(separator: ":").map { "\($0)/swiftc" }.first { access($0, X_OK) == 0 }
    }

    /// Asks the compiler for the folder of its toolchain, because the program in the search path may be an installer's
    /// proxy.
    init(compiler: String, scratch: String) throws(WorkshopError) {
        let asked = try Subprocess(compiler, ["-print-target-info"], in: scratch, output: scratch + "/target").wait()
        let key = "\"runtimeResourcePath\""
        let line = asked.said.split(separator: "\n").first { $0.contains(key) }
        // "runtimeResourcePath": "…/usr/lib/swift",
        let quoted = line?.split(separator: "\"") ?? []
        guard asked.succeeded, quoted.count > 3, let end = quoted[3].firstRange(of: "/lib/swift") else {
            throw .refused("cannot find the toolchain of \(compiler); install Swift 6.2 or later")
        }
        let root = quoted[3][..<end.lowerBound]
        programs = "\(root)/bin"
        tables = "\(root)/lib/swift/embedded/wasm32-unknown-none-wasm/libswiftUnicodeDataTables.a"
        for needed in [program("clang"), program("wasm-ld"), tables] where !File.isThere(needed) {
            throw .refused("the Swift toolchain lacks \(needed); install a complete Swift 6.2 or later")
        }
    }
}
