import Foundation
import Testing

@testable import PotluckMachine

/// An installer's proxy stays the same when it starts another toolchain.
@Suite struct SwitchedToolchainTests {
    private let toolchains: FakeToolchains

    init() throws { toolchains = try FakeToolchains() }

    /// No compiler can use the kit of another one.
    @Test func eachToolchainHasItsOwnKit() throws {
        let versions = FakeToolchains.versions
        for (number, version) in (versions + versions).enumerated() {
            try toolchains.choose(version)
            let file = try toolchains.simulation("\(number)")
            let module = try toolchains.workshop.build(file.path, label: "mine.swift").module
            #expect(module == Array("\(version)\n".utf8))
            let program = try toolchains.workshop.native(file.path, label: "mine.swift", source: file.source)
            #expect(try String(contentsOfFile: program, encoding: .utf8) == "\(version)\n")
        }
        // One for modules and one for native programs.
        let kits = try FileManager.default.contentsOfDirectory(atPath: toolchains.cache + "/kit")
        #expect(kits.count == 2 * versions.count)
    }

    /// They work without their toolchain.
    @Test func modulesAndProgramsAreKept() throws {
        let file = try toolchains.simulation()
        func module() throws -> [UInt8] { try toolchains.workshop.build(file.path, label: "mine.swift").module }
        func program() throws -> String {
            try toolchains.workshop.native(file.path, label: "mine.swift", source: file.source)
        }
        let (firstModule, firstProgram) = (try module(), try program())
        try toolchains.choose(FakeToolchains.versions[1])
        #expect(try module() == firstModule)
        #expect(try program() == firstProgram)
    }
}
