import Foundation
import Testing

/// A text file, with its path relative to the repository.
struct TextFile {
    let path: String
    let text: String
    let code: SwiftCode

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        code = SwiftCode(path.hasSuffix(".md") ? "" : text)
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isMarkdown: Bool { path.hasSuffix(".md") }
}

/// A violation of a rule: its place, and what to do about it.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let what: String

    var description: String { "\(path):\(line): \(what)" }
}

/// The working tree that this test was compiled from.
struct Repository {
    /// Every file and folder except ignored ones.
    let paths: Set<String>
    let files: [TextFile]

    /// Read once for all rules.
    static let current = Result { try Repository(root: root) }

    /// Folders with built or downloaded files, and git's own, by their paths.
    static let skipped: Set<String> = [".build", ".git", ".cache", "dist", ".swiftpm"]
    /// Folders that Python and its type checker leave anywhere, by their names.
    static let skippedAnywhere: Set<String> = ["__pycache__", ".mypy_cache"]

    /// The extensions of the files to check. Other files are data, such as tables of numbers, to which the rules do not
    /// apply.
    static let written: Set<String> = ["", "swift", "c", "h", "md", "sh", "js", "html", "css", "py"]

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private init(root: URL) throws {
        var paths: Set<String> = []
        var files: [TextFile] = []
        func walk(_ folder: String) throws {
            let entries = try FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: [.isDirectoryKey])
            for entry in entries.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
                let name = entry.lastPathComponent
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                if Self.skipped.contains(path) || Self.skippedAnywhere.contains(name) { continue }
                paths.insert(path)
                if try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
                    try walk(path)
                } else if Self.written.contains(entry.pathExtension),
                    let text = try? String(contentsOf: entry, encoding: .utf8)
                {
                    files.append(TextFile(path, text))
                }
            }
        }
        try walk("")
        self.paths = paths
        self.files = files
    }

    func file(_ path: String) throws -> TextFile {
        try #require(files.first { $0.path == path }, "there is no \(path)")
    }
}
