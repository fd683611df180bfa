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

    private func kits(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// The first file of a user is compiled with the kit that was installed, whose name does not depend on the user.
    @Test func anInstalledKitIsUsed() throws {
        let version = try toolchains.workshop.installKits(to: toolchains.installed) {}
        #expect(version == FakeToolchains.versions[0])
        let names = kits(toolchains.installed)
        #expect(names.count == Kit.installed.count)
        // Everybody may read it, whatever the umask is.
        for name in ["", "/" + names[0], "/\(names[0])/kit.o"] {
            let mode = try FileManager.default.attributesOfItem(atPath: toolchains.installed + name)[.posixPermissions]
            #expect(try #require(mode as? Int) & 0o044 == 0o044)
        }
        try FileManager.default.removeItem(atPath: toolchains.cache)
        let file = try toolchains.simulation()
        #expect(try toolchains.workshop.build(file.path, label: "mine.swift").module == Array("\(version)\n".utf8))
        #expect(kits(toolchains.cache + "/kit") == [])
        // Another toolchain compiles its own.
        try toolchains.choose(FakeToolchains.versions[1])
        let other = try toolchains.simulation("other")
        let module = try toolchains.workshop.build(other.path, label: "mine.swift").module
        #expect(module == Array("\(FakeToolchains.versions[1])\n".utf8))
        #expect(kits(toolchains.cache + "/kit").count == 1)
    }

    /// Whoever could write a kit could change everybody's results.
    @Test func aKitThatOthersCanWriteIsNotUsed() throws {
        _ = try toolchains.workshop.installKits(to: toolchains.installed) {}
        try FileManager.default.removeItem(atPath: toolchains.cache)
        for name in kits(toolchains.installed) { chmod("\(toolchains.installed)/\(name)/kit.o", 0o666) }
        let file = try toolchains.simulation()
        _ = try toolchains.workshop.build(file.path, label: "mine.swift")
        #expect(kits(toolchains.cache + "/kit").count == 1)
    }

    /// It replaces kits of earlier versions, and nothing else.
    @Test func installingAgainRemovesEarlierKitsAndNothingElse() throws {
        _ = try toolchains.workshop.installKits(to: toolchains.installed) {}
        let first = kits(toolchains.installed)
        _ = try toolchains.workshop.installKits(to: toolchains.installed) { Issue.record("it is compiled again") }
        try "mine".write(toFile: toolchains.installed + "/notes", atomically: true, encoding: .utf8)
        try toolchains.choose(FakeToolchains.versions[1])
        _ = try toolchains.workshop.installKits(to: toolchains.installed) {}
        let second = kits(toolchains.installed)
        #expect(second.contains("notes") && second.count == first.count + 1)
        #expect(Set(second).isDisjoint(with: first))
    }
}
