import Foundation
import Glibc
import Testing

@testable import PotluckMachine

/// Native code comes only from folders and files that nobody else can have written.
@Suite struct NativeCacheTests {
    private let toolchains: FakeToolchains
    private let file: (path: String, source: String)
    private static let version = FakeToolchains.versions[0] + "\n"
    private static let advice = "; set XDG_CACHE_HOME to a folder of your own"
    /// The user and group `nobody`.
    private static let stranger: uid_t = 65534

    init() throws {
        toolchains = try FakeToolchains()
        file = try toolchains.simulation()
    }

    /// A native program, and whether it has just been compiled.
    private struct Program: Equatable {
        let path: String
        let isCompiled: Bool
    }

    private func native() throws -> Program {
        var isCompiled = false
        let path = try toolchains.workshop.native(file.path, label: "mine.swift", source: file.source) {
            isCompiled = true
        }
        return Program(path: path, isCompiled: isCompiled)
    }

    private func error() throws -> String {
        try #require(throws: WorkshopError.self) {
            try toolchains.workshop.native(file.path, label: "mine.swift", source: file.source) {
                Issue.record("it is compiled")
            }
        }.message
    }

    private func make(_ folder: String, mode: mode_t = 0o700) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, mode)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func owner(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The folder of the only kit.
    private func kit() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: toolchains.cache + "/kit")
        try #require(names.count == 1)
        return "\(toolchains.cache)/kit/\(names[0])"
    }

    @Test func aProgramIsCompiledOnceAndOnlyItsUserCanWriteToIt() throws {
        let path = try native().path
        #expect(try text(path) == Self.version)
        #expect(try native() == Program(path: path, isCompiled: false))
        for made in [path, try kit(), try kit() + "/kit.o", try kit() + "/PotluckKit.swiftmodule"] {
            #expect(try mode(made) & 0o077 == 0, "\(made)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: toolchains.cache).sorted() == ["built", "kit"])
    }

    @Test func aFileThatTheAuthorHasSavedSinceIsRefused() throws {
        for _ in 0..<2 {
            _ = try toolchains.simulation("later")
            #expect(try error() == "mine.swift changed while it was compiled; run it again")
            // The second time the program of the earlier source is kept.
            _ = try toolchains.simulation()
            _ = try native()
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileThatIsAnotherUsersByNowIsRefused() throws {
        try #require(chown(file.path, Self.stranger, Self.stranger) == 0)
        #expect(try error() == "mine.swift belongs to another user; run it without --native")
    }

    @Test(arguments: ["", "/built", "/kit"])
    func aFolderThatOthersCanWriteToIsTightened(_ name: String) throws {
        let folder = toolchains.cache + name
        for (before, after) in [(0o755, 0o755), (0o775, 0o755), (0o777, 0o755), (0o700, 0o700)] as [(mode_t, Int)] {
            try make(folder, mode: before)
            _ = try native()
            #expect(try mode(folder) == after)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: ["", "/built", "/kit"])
    func aFolderOfAnotherUserIsRefused(_ name: String) throws {
        let folder = toolchains.cache + name
        try make(folder, mode: 0o777)
        try #require(chown(folder, Self.stranger, Self.stranger) == 0)
        #expect(try error() == "\(folder) belongs to another user" + Self.advice)
    }

    @Test(arguments: ["", "/built", "/kit"]) func aLinkIsRefused(_ name: String) throws {
        let folder = toolchains.cache + name
        try make(folder + ".elsewhere")
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: folder + ".elsewhere")
        #expect(try error() == "\(folder) is not a folder" + Self.advice)
    }

    @Test func aProgramThatOthersCanWriteToIsCompiledAgain() throws {
        let path = try native().path
        try "planted".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try native() == Program(path: path, isCompiled: false))
        chmod(path, 0o770)
        #expect(try native() == Program(path: path, isCompiled: true))
        #expect(try text(path) == Self.version)
        #expect(try native() == Program(path: path, isCompiled: false))

        // A link could lead to any program.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/true")
        #expect(try native() == Program(path: path, isCompiled: true))
        #expect(try text(path) == Self.version)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aProgramOfAnotherUserIsCompiledAgain() throws {
        let path = try native().path
        try #require(chown(path, Self.stranger, Self.stranger) == 0)
        #expect(try native() == Program(path: path, isCompiled: true))
        #expect(try owner(path) == 0)
    }

    @Test func aKitThatOthersCanWriteToIsCompiledAgain() throws {
        let path = try native().path
        let kit = try kit()
        for (name, mode) in [("", 0o770), ("/kit.o", 0o660), ("/PotluckKit.swiftmodule", 0o660)] as [(String, mode_t)] {
            try "planted".write(toFile: kit + "/kit.o", atomically: false, encoding: .utf8)
            chmod(kit + name, mode)
            try FileManager.default.removeItem(atPath: path)
            _ = try native()
            #expect(try self.kit() == kit)
            #expect(try text(kit + "/kit.o") == Self.version)
            #expect(try self.mode(kit + name) & 0o022 == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: toolchains.cache).sorted() == ["built", "kit"])
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["", "/kit.o", "/module.modulemap"])
    func aKitOfAnotherUserIsCompiledAgain(_ name: String) throws {
        let path = try native().path
        let kit = try kit()
        if !name.isEmpty { try "planted".write(toFile: kit + name, atomically: false, encoding: .utf8) }
        try #require(chown(kit + name, Self.stranger, Self.stranger) == 0)
        try FileManager.default.removeItem(atPath: path)
        _ = try native()
        #expect(try owner(self.kit()) == 0)
        #expect(try text(kit + "/kit.o") == Self.version)
        #expect(!FileManager.default.fileExists(atPath: kit + "/module.modulemap"))
    }
}
