import Foundation
import PotluckCore
import PotluckSystem

@testable import PotluckMachine

/// Toolchains that only pretend to compile, behind an installer's proxy, in a folder that is removed at the end. A file
/// that one of them makes contains its version.
final class FakeToolchains: Sendable {
    static let versions = ["6.2", "6.3"]

    private let root = FileManager.default.temporaryDirectory.appending(path: "potluck-fake-\(UUID().uuidString)").path
    /// The workshop's folder.
    var cache: String { root + "/cache" }
    /// Where the kits for all users are.
    var installed: String { root + "/installed" }
    var workshop: Workshop {
        var workshop = Workshop(folder: cache, searchPath: root + "/proxy")
        workshop.kits = [installed]
        return workshop
    }

    /// Creates the toolchains, and chooses the first.
    init() throws {
        for version in Self.versions {
            let home = "\(root)/\(version)"
            for name in ["swiftc", "clang", "wasm-ld"] {
                try Self.install(Self.program(version, home: home), at: "\(root)/\(version)/bin/\(name)")
            }
            let tables = "lib/swift/embedded/wasm32-unknown-none-wasm/libswiftUnicodeDataTables.a"
            try write("", to: "\(version)/\(tables)")
        }
        try Self.install("#!/bin/sh\nexec \"$(cat '\(root)/chosen')/bin/swiftc\" \"$@\"\n", at: "\(root)/proxy/swiftc")
        try choose(Self.versions[0])
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Lets the proxy start this version. The proxy itself stays the same.
    func choose(_ version: String) throws { try write("\(root)/\(version)", to: "chosen") }

    /// Writes a file with a simulation. Returns its path and the hash of its source, which `remark` makes different.
    func simulation(_ remark: String = "") throws -> (path: String, source: String) {
        let text = "import PotluckKit\nstruct Mine: Simulation {}\n// \(remark)\n"
        return (try write(text, to: "mine.swift"), SHA256.hash(Array(text.utf8)).hexadecimal)
    }

    @discardableResult
    private func write(_ text: String, to name: String) throws -> String {
        try Self.write(text, at: "\(root)/\(name)")
    }

    private static func write(_ text: String, at path: String) throws -> String {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Writes an executable script. Another process writes the file that runs: a child of another test could inherit a
    /// descriptor that is open for writing here, and the system does not run a file that is open for writing.
    static func install(_ text: String, at path: String) throws {
        let source = try write(text, at: path + ".text")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/install")
        process.arguments = ["-m", "700", source, path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// A script in place of a compiler. Like a real one, it refuses the kit of another version.
    private static func program(_ version: String, home: String) -> String {
        """
        #!/bin/sh
        while [ $# -gt 0 ]; do
            case $1 in
            -print-target-info)
                echo '  "compilerVersion": "\(version)",'
                echo '  "runtimeResourcePath": "\(home)/lib/swift"' ;;
            -I)
                made=$(cat "$2/PotluckKit.swiftmodule")
                [ "$made" = \(version) ] || { echo "error: the kit is of $made and not of \(version)" && exit 1; } ;;
            -o | -emit-module-path) echo \(version) >"$2" ;;
            esac
            shift
        done

        """
    }
}
