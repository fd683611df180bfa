import Foundation
import Testing

@testable import PotluckMachine

/// The places where the library is looked for.
@Suite struct LibraryTests {
    private func find(_ program: String, _ files: Set<String>, named: String? = nil) -> String? {
        try? Wasmtime.find(program: program, named: named) { files.contains($0) }.get()
    }

    @Test func besideTheProgramThenInTheSystemThenWhereItWasBuilt() {
        let beside = "/x/potluck-1/lib/potluck/libwasmtime.so"
        let system = "/usr/local/lib/potluck/libwasmtime.so"
        let built = "/x/.build/wasmtime/\(Wasmtime.version)/libwasmtime.so"
        #expect(find("/x/potluck-1/bin/potluck", [beside, system]) == beside)
        #expect(find("/usr/bin/potluck", ["/usr/lib/potluck/libwasmtime.so"]) == "/usr/lib/potluck/libwasmtime.so")
        #expect(find("/y/bin/potluck", [beside, system]) == system)
        #expect(find("/x/.build/x86_64/debug/potluck", [built]) == built)
        #expect(find("/x/.build/strict/x86_64/debug/potluck", [built]) == built)
        #expect(find("/x/bin/potluck", [built]) == nil)
    }

    @Test func aNamedLibraryIsTheOnlyCandidate() {
        let files: Set<String> = ["/x/lib/potluck/libwasmtime.so", "/mine.so"]
        #expect(find("/x/bin/potluck", files, named: "/mine.so") == "/mine.so")
        #expect(find("/x/bin/potluck", files, named: "/none.so") == nil)
    }

    @Test func aLibraryThatIsNoneIsOneLine() {
        guard
            case .failure(let error) = Wasmtime.find(
                program: "/x/bin/potluck", named: "/none.so", isThere: { _ in false })
        else { return #expect(Bool(false)) }
        #expect(error.reason.contains("no file /none.so") && error.reason.contains("make deps"))
        #expect(!error.reason.contains("\n"))
    }

    /// A library of another version has other structures, and a call could do anything.
    @Test(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"))
    func anotherFileThanOursIsNotOpened() throws {
        let ours = try Wasmtime.find(program: Installation.program, named: nil).get()
        #expect(throws: Never.self) { _ = try Wasmtime.open(.success(ours)).get() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let changed = folder.appending(path: "libwasmtime.so")
        try FileManager.default.copyItem(atPath: ours, toPath: changed.path)
        let handle = try FileHandle(forWritingTo: changed)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        let error = try #require(throws: SandboxError.self) { _ = try Wasmtime.open(.success(changed.path)).get() }
        #expect(error.reason.contains("\(changed.path) has the wrong SHA-256") && !error.reason.contains("\n"))
    }

    /// Tools/deps downloads the version that the program uses.
    @Test func theToolsNameTheSameVersion() throws {
        let tools = try String(contentsOf: Made.root.appending(path: "Tools/deps"), encoding: .utf8)
        #expect(tools.contains("\nwasmtime=\(Wasmtime.version)\n"))
    }
}
