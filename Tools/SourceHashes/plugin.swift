import Foundation
import PackagePlugin

/// Generates the SHA-256 of each simulation's source for the catalogue, which is a part of the simulation's identity:
/// for `Plugins/MontyHall/MontyHall.swift` it is `SourceHash.montyHall`. `SourceHash.lanes` is that of the libraries of lanes.
@main struct SourceHashes: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let sources = target.sourceFiles(withSuffix: "swift").map(\.url).filter {
            $0.deletingLastPathComponent().lastPathComponent == $0.deletingPathExtension().lastPathComponent
        }.sorted { $0.path < $1.path }
        let root = context.package.directoryURL
        let scripts = ["SourceHashes/hash", "lanes-sources"].map { root.appending(path: "Tools/\($0)") }
        // What the libraries of lanes are made of besides the simulations.
        let kit = FileManager.default.enumerator(
            at: root.appending(path: "Sources/Kit"), includingPropertiesForKeys: nil)
        let lanes =
            (kit?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
            + [root.appending(path: "Tools/native/Lanes.swift")]
        let output = context.pluginWorkDirectoryURL.appending(path: "SourceHash.swift")
        return [
            .buildCommand(
                displayName: "Hashing the simulations' sources", executable: URL(filePath: "/bin/sh"),
                arguments: [scripts[0].path, output.path, root.path] + sources.map(\.path),
                inputFiles: sources + lanes + scripts,
                outputFiles: [output])
        ]
    }
}
