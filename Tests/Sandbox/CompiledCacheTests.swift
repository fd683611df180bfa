import Foundation
import Testing

@testable import PotluckMachine

/// The cache returns machine code only if this user's nodes wrote it and nobody changed it.
@Suite struct CompiledCacheTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-cache-\(UUID().uuidString)")
        .path

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
    }

    private func keep(_ octets: [UInt8], of hash: String, in cache: CompiledCache) {
        octets.withUnsafeBytes { cache.keep($0, of: hash) }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func cachedCodeReadsBackAndIsPrivate() throws {
        let cache = try #require(CompiledCache(in: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(cache.code(of: "a") == nil)
        keep([1, 2, 3], of: "a", in: cache)
        #expect(cache.code(of: "a") == [1, 2, 3])
        #expect(cache.code(of: "b") == nil)
        #expect(try mode(folder) == 0o700)
        #expect(try files().map(mode) == [0o600])
    }

    @Test func codeThatOthersCanWriteIsNotRead() throws {
        let cache = try #require(CompiledCache(in: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        keep([1, 2, 3], of: "a", in: cache)
        let file = try #require(try files().first)
        try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: file)
        #expect(cache.code(of: "a") == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(cache.code(of: "a") == [1, 2, 3])

        // A symbolic link could lead to any file.
        try FileManager.default.moveItem(atPath: file, toPath: folder + "/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: folder + "/elsewhere")
        #expect(cache.code(of: "a") == nil)
    }

    @Test func halfAFileIsNone() throws {
        let cache = try #require(CompiledCache(in: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        keep([UInt8](repeating: 7, count: 1000), of: "a", in: cache)
        let file = URL(filePath: try #require(try files().first))
        let whole = try Data(contentsOf: file)
        for broken in [whole.dropLast(1), whole.dropFirst(1), Data(), whole + [0]] {
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: broken)
            try handle.close()
            #expect(cache.code(of: "a") == nil)
        }
    }

    @Test func itHoldsOnlySoMany() throws {
        let cache = try #require(CompiledCache(in: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for number in 0..<CompiledCache.most + 20 { keep([1], of: "\(number)", in: cache) }
        #expect(try files().count == CompiledCache.most)
    }

    @Test(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"))
    func aModuleFromTheCacheIsTheSame() throws {
        let cache = try #require(CompiledCache(in: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let octets = try Made.hostile("fine")
        let fresh = try Plugin(octets, label: "fine", cache: cache)
        #expect(cache.code(of: fresh.hash) != nil)
        let again = try Plugin(octets, label: "fine", cache: cache)
        #expect(again.hash == fresh.hash && again.simulation.layout == fresh.simulation.layout)
        // Other content is ignored, and the module is compiled again.
        keep([1, 2, 3, 4], of: fresh.hash, in: cache)
        #expect(try Plugin(octets, label: "fine", cache: cache).hash == fresh.hash)
        #expect(cache.code(of: fresh.hash)?.count != 4)
        // A module with imports is refused the first time, too.
        for _ in 0..<2 {
            #expect(throws: SandboxError.imports) { try Plugin(Made.hostile("imports"), label: "x", cache: cache) }
        }
    }
}
