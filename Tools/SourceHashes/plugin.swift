import Foundation
import PackagePlugin

/// Generates the SHA-256 of each simulation's source for the catalogue, which is a part of the simulation's identity:
/// for `Plugins/MontyHall/MontyHall.swift` it is `SourceHash.montyHall`.
@main struct SourceHashes: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let sources = target.sourceFiles(withSuffix: "swift").map(\.url).filter {
            $0.deletingLastPathComponent().lastPathComponent == $0.deletingPathExtension().lastPathComponent
        }.sorted { $0.path < $1.path }
        let script = context.package.directoryURL.appending(path: "Tools/SourceHashes/hash")
        let output = context.pluginWorkDirectoryURL.appending(path: "SourceHash.swift")
        return [
            .buildCommand(
                displayName: "Hashing the simulations' sources", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, output.path] + sources.map(\.path), inputFiles: sources + [script],
                outputFiles: [output])
        ]
    }
}
