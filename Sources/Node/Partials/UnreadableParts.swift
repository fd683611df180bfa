import PotluckCore
import PotluckSystem

/// The partial files that `merge --watch` cannot read. A file that is being copied changes until it is whole. A file
/// that stays the same is damaged, or no partial file.
package struct UnreadableParts {
    /// How often a file must be found unchanged before the user is told. With the pause between two looks that is three
    /// seconds, because a copy over a network may halt.
    static let patience = 6

    private struct Part {
        /// Nil if the file is missing.
        let version: FileVersion?
        let trouble: PartialFile.ReadError
        /// How often the file was found unchanged.
        var looks: Int
        /// What the user was told; nil if nothing yet.
        let told: PartialFile.ReadError?
    }

    private var parts: [String: Part] = [:]

    package init() {}

    /// Reads a file; nil if it cannot be read. Calls `tell` with a line for the user when a file stays unreadable.
    package mutating func read(_ path: String, tell: (String) -> Void) -> PartialFile? {
        // Find the version first: a write while the file is read must count as a change.
        let version = FileVersion(path)
        let before = parts[path]
        let looks = before.map { $0.version == version ? $0.looks + 1 : 0 } ?? 0
        // Do not read it again while it is the same, except before telling the user: where times are coarse, it may
        // have changed after it was read, within the same tick.
        if let before, looks > 0, looks != Self.patience, !before.trouble.isPassing {
            parts[path]?.looks = looks
            return nil
        }
        do throws(PartialFile.ReadError) {
            let file = try PartialFile(path)
            parts[path] = nil
            return file
        } catch {
            let isNews = looks >= Self.patience && before?.told != error
            if isNews { tell("\(Spelling.path(path)) \(error). The merge waits, and reads it again when it changes.") }
            parts[path] = Part(
                version: version, trouble: error, looks: looks, told: isNews ? error : before?.told)
            return nil
        }
    }
}
