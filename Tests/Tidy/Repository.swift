import Foundation
import Testing

/// A file people write, by its path from the top of the repository.
struct TextFile {
    let path: String
    let text: String

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isMarkdown: Bool { path.hasSuffix(".md") }
}

/// Something untidy: where, and what to do about it.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let what: String

    var description: String { "\(path):\(line): \(what)" }
}

/// The working tree this test was compiled from.
struct Repository {
    /// Every file and folder, without what git ignores.
    let paths: Set<String>
    let files: [TextFile]

    /// Built, fetched or git's own.
    static let skipped: Set<String> = [".build", ".git", ".cache", "dist", ".swiftpm"]

    /// Files by other extensions are data, and tables of numbers may be as long and as odd as they like.
    static let written: Set<String> = ["", "swift", "c", "h", "md", "sh", "js", "html", "css", "py"]

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init(root: URL = Self.root) throws {
        var paths: Set<String> = []
        var files: [TextFile] = []
        func walk(_ folder: String) throws {
            let entries = try FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: [.isDirectoryKey])
            for entry in entries.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
                let name = entry.lastPathComponent
                if Self.skipped.contains(name) { continue }
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
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
