import Glibc

/// The Swift toolchain of this machine: all that a simulation is compiled with.
struct Toolchain {
    /// Where `swiftc`, `clang` and `wasm-ld` are.
    let programs: String
    /// What Swift's own library needs beside a module's code.
    let tables: String

    func program(_ name: String) -> String { "\(programs)/\(name)" }

    /// Where `swiftc` is by the search path; nil where there is none.
    static func compiler(path: String) -> String? {
        path.split(separator: ":").map { "\($0)/swiftc" }.first { access($0, X_OK) == 0 }
    }

    /// Asks the compiler where its toolchain is, since what is found may be an installer's stand-in.
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
