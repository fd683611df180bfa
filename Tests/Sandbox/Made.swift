import Foundation
import PotluckMachine
import Testing

/// Builds modules for tests with the toolchain of the tests, and keeps them.
enum Made {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appending(path: ".build/module-cache/potluck").path

    /// Whether plugins can be tested here, which needs the library; `make deps` downloads it.
    static let canRun: Bool = {
        guard let hostile = try? Made.hostile("fine") else { return false }
        return (try? Plugin(hostile, label: "fine")) != nil
    }()

    static func simulation(
        _ path: String, _ variant: Workshop.Variant = .plain, cache: String = folder
    ) throws -> [UInt8] {
        let workshop = Workshop(folder: cache, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
        return try workshop.build(root.appending(path: path).path, label: path, variant).module
    }

    static func plugin(_ path: String, _ variant: Workshop.Variant = .plain) throws -> Plugin {
        try Plugin(simulation(path, variant), label: path)
    }

    static func hostile(_ wrong: String) throws -> [UInt8] {
        try c("Tests/Sandbox/Hostile/hostile.c", ["-DWRONG=\(wrong)", "-DWRONG_\(wrong)"], name: wrong)
    }

    static func c(_ path: String, _ flags: [String] = [], name: String) throws -> [UInt8] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // Tests, and processes of tests, run at the same time, so each writes to a file of its own.
        let output = "\(folder)/\(name)-\(UUID().uuidString).wasm"
        defer { try? FileManager.default.removeItem(atPath: output) }
        try run(
            toolchain.appending(path: "clang").path,
            [
                "--target=wasm32", "-O1", "-ffreestanding", "-nostdlib", "-mreference-types", "-Wl,--no-entry", "-w",
            ] + flags
                + ["-o", output, root.appending(path: path).path])
        return Array(try Data(contentsOf: URL(filePath: output)))
    }

    private static let toolchain: URL = {
        // The compiler leaves a folder in TMPDIR.
        let script = "TMPDIR=$(mktemp -d); export TMPDIR; swiftc -print-target-info; rm -rf \"$TMPDIR\""
        let said = (try? run("/bin/sh", ["-c", script])) ?? ""
        let resources = said.split(separator: "\"").first { $0.hasSuffix("/lib/swift") } ?? ""
        return URL(filePath: String(resources)).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "bin")
    }()

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let said = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(what: "\(program) \(arguments)") }
        return String(decoding: said, as: UTF8.self)
    }

    struct Failed: Error { let what: String }
}
