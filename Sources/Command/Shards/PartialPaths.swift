import Glibc
import Potluck
import PotluckCore
import PotluckSystem

/// The partial files that a user named: files, and folders with files that end in `.part`.
struct PartialPaths {
    let given: [String]

    /// The files that are there now. A folder's files come in order of their names.
    func files() throws(Failure) -> [String] {
        var files: [String] = []
        for path in given {
            var status = stat()
            guard stat(path, &status) == 0 else { throw Failure(cannot: "read \(Spelling.path(path))") }
            if status.st_mode & S_IFMT == S_IFDIR {
                files += names(inFolder: path).filter { $0.hasSuffix(ShardPlan.ending) }.sorted().map {
                    ShardPlan.path(of: $0, in: path)
                }
            } else {
                files.append(path)
            }
        }
        return files
    }
}
