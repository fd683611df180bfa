import Foundation
import PackagePlugin

/// Embeds the kit's sources, our MPI and the texts of `potluck new` and `potluck check` in the program, so that it can compile
/// simulations and programs without a checkout.
@main struct KitSources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        let script = root.appending(path: "Tools/KitSources/embed")
        let fixed = ["wasm/runtime.c", "wasm/Entry.swift", "wasm/RankEntry.swift", "native/Entry.swift"].map {
            root.appending(path: "Tools/\($0)")
        }
        let folder = root.appending(path: "Sources/Kit")
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let kit = (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
        let mpi = try ["", "/library"].flatMap { inner in
            let folder = root.appending(path: "Examples/Ranks/C\(inner)")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "h" || (!inner.isEmpty && $0.pathExtension == "c") }
                .sorted { $0.path < $1.path }
        }
        let texts = root.appending(path: "Python/potluck/_command/texts")
        let sentences = texts.appending(path: "check.txt")
        let templates = try [root.appending(path: "Tools/Templates"), texts].flatMap { folder in
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.lastPathComponent != sentences.lastPathComponent }.sorted { $0.path < $1.path }
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "KitSources.swift")
        let said = context.pluginWorkDirectoryURL.appending(path: "CheckText.swift")
        let constants = root.appending(path: "Tools/KitSources/sentences")
        let lists: [[URL]] = [fixed + kit, mpi, templates]
        let arguments = lists.map { list in list.map(\.path) }.joined(separator: ["--"])
        return [
            .buildCommand(
                displayName: "Embedding the kit's sources", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, output.path] + arguments, inputFiles: lists.flatMap { $0 } + [script],
                outputFiles: [output]),
            .buildCommand(
                displayName: "Embedding the sentences of 'potluck check'", executable: URL(filePath: "/bin/sh"),
                arguments: [constants.path, said.path, sentences.path], inputFiles: [sentences, constants],
                outputFiles: [said]),
        ]
    }
}
