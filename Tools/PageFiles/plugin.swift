import Foundation
import PackagePlugin

/// Embeds the files of the page that browsers show in the program.
@main struct PageFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        let script = root.appending(path: "Tools/PageFiles/embed")
        let found = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "Pages"), includingPropertiesForKeys: nil)
        let files = found.filter { ["html", "css", "js", "svg"].contains($0.pathExtension) }.sorted {
            $0.path < $1.path
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPage.swift")
        return [
            .buildCommand(
                displayName: "Embedding the page", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, output.path] + files.map(\.path),
                inputFiles: files + [script], outputFiles: [output])
        ]
    }
}
