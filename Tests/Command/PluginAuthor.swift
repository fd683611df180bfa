import Foundation

/// A user who writes simulations, in a folder that is removed when this is deallocated.
final class PluginAuthor: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-author-\(UUID().uuidString)").path
    let environment: [String: String]

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            // Shared with the sandbox's tests, so that the kit is compiled once.
            "XDG_CACHE_HOME": root.appending(path: ".build/module-cache").path,
        ]
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Whether plugins can run here. They need the wasmtime library, which must have been downloaded.
    static let canRun: Bool = {
        let build = Child.program.components(separatedBy: "/.build/").first.map { $0 + "/.build/wasmtime" }
        return build.map { FileManager.default.fileExists(atPath: $0) } ?? false
    }()

    /// Whether files in Python can be compiled and run here.
    static let hasPython =
        canRun
        && (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/python3")
        }

    /// Writes a simulation in Python. `trial` is lines, without their indentation.
    func writePython(_ name: String, parameter: String = "", trial: String) throws -> String {
        let path = "\(folder)/\(name).py"
        let lines = trial.split(separator: "\n").map { "        \($0)\n" }.joined()
        let text = """
            import potluck
            from potluck import Count, Parameter, proportion


            class Mine(potluck.Simulation):
                \"""Counts something.\"""

                block_size = 1024
                \(parameter)
                hits = Count()

                def trial(self, random):
            \(lines)
                readings = [proportion("hits", hits)]

            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    func write(_ name: String, parameter: String = "", trial: String) throws -> String {
        let path = "\(folder)/\(name).swift"
        let text = """
            import PotluckKit

            struct Mine: Simulation {
                static let name: StaticString = "mine"
                static let summary: StaticString = "Counts something."
                var blockSize: Int { 1024 }
                \(parameter.isEmpty ? "" : parameter + "\n    ")struct Tally: SimulationTally {
                    var hits = Count()
                    mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("hits", &hits) }
                }
                func trial(_ random: inout RandomStream, _ tally: inout Tally) {
                    \(trial)
                }
                static var readings: [ReadingRule<Mine>] { proportion("hits", { $0.hits }) }
            }

            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }
}
