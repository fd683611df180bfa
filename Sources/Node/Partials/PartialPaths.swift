import Glibc
import PotluckCore
import PotluckSystem

/// The partial files that a user named: files, and folders with files that end in `.part`.
package struct PartialPaths {
    /// How the names of partial files end where Potluck chooses them.
    package static let ending = ".part"

    package let given: [String]

    package init(given: [String]) { self.given = given }

    /// The files that are there now. A folder's files come in order of their names.
    package func files() throws(Failure) -> [String] {
        var files: [String] = []
        for path in given {
            var status = stat()
            guard stat(path, &status) == 0 else { throw Failure(cannot: "read \(Spelling.path(path))") }
            if status.st_mode & S_IFMT == S_IFDIR {
                files += names(inFolder: path).filter { $0.hasSuffix(Self.ending) }.sorted().map {
                    Self.path(of: $0, in: path)
                }
            } else {
                files.append(path)
            }
        }
        return files
    }

    /// Returns the path of a file in a folder that the user named.
    package static func path(of name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}

extension ShardNumber {
    /// The name of a shard's file, such as `shard-003-of-128.part`: in order when sorted as text.
    package var fileName: String {
        let zeros = String(repeating: "0", count: "\(count)".count - "\(index)".count)
        return "shard-\(zeros)\(index)-of-\(count)\(PartialPaths.ending)"
    }
}
