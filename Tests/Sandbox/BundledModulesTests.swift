import Foundation
import PotluckCatalogue
import PotluckKit
import Testing

@testable import PotluckMachine

/// The modules that come with the program.
@Suite struct BundledModulesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-modules-\(UUID().uuidString)")
        .path

    private func write(_ octets: [UInt8], as name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(octets).write(to: URL(filePath: "\(folder)/\(name).wasm"))
    }

    private func simulation(_ name: String, source: String) -> AnySimulation {
        AnySimulation(
            name: name, summary: "", source: source, parameters: [], layout: catalogue[0].layout, readings: []
        ) { _, _ in .failure(.wrongCount) }
    }

    @Test func onlyAModuleOfThatSourceIsMeant() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let modules = BundledModules(in: ["/nowhere", folder])
        let source = String(repeating: "ab", count: 32)
        #expect(modules.module(of: simulation("dice", source: source)) == nil)
        let octets = Array("\0asm and \(source) and more".utf8)
        try write(octets, as: "dice")
        let found = try #require(modules.module(of: simulation("dice", source: source)))
        #expect(found.octets == octets && found.hash.count == 64)
        #expect(modules.module(of: simulation("dice", source: String(repeating: "ac", count: 32))) == nil)
        // Every file contains an empty source hash.
        #expect(modules.module(of: simulation("dice", source: "")) == nil)
        #expect(modules.module(of: simulation("../dice", source: source)) == nil)
        try write([UInt8](repeating: 0, count: PluginLimits.largestModule) + octets, as: "dice")
        #expect(modules.module(of: simulation("dice", source: source)) == nil)
    }

    /// Modules that are made like those of `make build` have the identity of the native simulations.
    @Test(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"))
    func everyBuiltInIsFoundByItsIdentity() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, path) in CatalogueModuleTests.files { try write(Made.simulation(path), as: name) }
        let modules = BundledModules(in: [folder])
        for native in catalogue {
            let module = try #require(modules.module(of: native), "\(native.name)")
            let plugin = try Plugin(module.octets, label: native.name)
            #expect(plugin.hash == module.hash)
            #expect(plugin.simulation.name == native.name && plugin.simulation.source == native.source)
        }
    }

    /// Nodes that were built from the same source have the same module, wherever and whenever it was made.
    @Test func aModuleIsMadeOfItsSourceAlone() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try #require(CatalogueModuleTests.files.first).path
        #expect(try Made.simulation(path) == Made.simulation(path, cache: folder))
    }
}
