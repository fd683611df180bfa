import Foundation
import Testing

@testable import PotluckMachine

/// What the workshop makes of a file that declares a program with ranks. One test after the other, so that the kit is
/// compiled once.
@Suite(.serialized) struct RankProgramTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func module(_ path: String) throws -> [UInt8] {
        let workshop = Workshop(
            folder: Self.root.appending(path: ".build/module-cache/potluck").path,
            searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
        return try workshop.build(Self.root.appending(path: path).path, label: path).module
    }

    private func has(_ text: String, _ module: [UInt8]) -> Bool { module.firstRange(of: Array(text.utf8)) != nil }

    @Test(arguments: ["heat", "life", "matrix", "nbody", "oddeven", "pi", "ring"])
    func anExampleBecomesAModuleWithImports(_ name: String) throws {
        let module = try module("Examples/Ranks/\(name).swift")
        #expect(has("potluck_main", module) && has("potluck_comm", module) && !has("potluck_run", module))
    }

    /// Every call of the kit compiles as Embedded Swift.
    @Test func everyCallCompiles() throws {
        #expect(has("potluck_comm", try module("Tests/Kit/Ranks/EveryCall.swift")))
    }

    @Test func aSimulationStillImportsNothing() throws {
        let module = try module("Plugins/Birthday/Birthday.swift")
        #expect(has("potluck_run", module) && !has("potluck_comm", module))
    }

    @Test func theProgramIsFound() throws {
        let author = try AuthorsSource("import PotluckKit\nstruct Ring: RankProgram {", label: "x.swift")
        #expect(author.type == "Ring" && author.kind == .ranks)
        #expect(try AuthorsSource("import PotluckKit\nstruct Pi: Search {", label: "x.swift").kind == .simulation)
    }

    /// An example is a page that a class can read.
    @Test func examplesAreShort() throws {
        let folder = Self.root.appending(path: "Examples/Ranks").path
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 81, "\(name)")
        }
    }
}
