import Foundation
import Testing

@testable import PotluckMachine

/// What becomes of an author's small functions.
@Suite struct InliningTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A call would keep the stream in memory. Craps took twice as long as C with it.
    @Test func aThrowOfDiceBecomesPartOfItsLoop() throws {
        let workshop = Workshop(
            folder: Self.root.appending(path: ".build/module-cache/potluck").path,
            searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
        let file = "Benchmarks/Bench/Speed/Craps.swift"
        let product = try workshop.build(Self.root.appending(path: file).path, label: file)
        // The linker's map names the functions that are left in the module.
        #expect(product.map.contains("potluck_run") && !product.map.contains("CrapsV4roll"))
    }
}
