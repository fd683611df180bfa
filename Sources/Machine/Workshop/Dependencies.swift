import Glibc

/// The files that a compiler has read for a file in C, from the list that it writes for `make`.
struct Dependencies {
    let paths: [String]

    /// Reads a list: `Author.o: Author.c /usr/include/a\ b.h \`, and more lines.
    init(_ list: String) {
        var paths: [String] = []
        var path = ""
        var rest = Substring(list)
        while let character = rest.popFirst() {
            switch (character, rest.first) {
            case ("\\", "\n"): rest.removeFirst()
            case ("\\", " "), ("\\", "#"), ("$", "$"): path.append(rest.removeFirst())
            case (" ", _), ("\n", _):
                if !path.isEmpty { paths.append(path) }
                path = ""
            default: path.append(character)
            }
        }
        if !path.isEmpty { paths.append(path) }
        // The first word is the target.
        self.paths = Array(paths.dropFirst())
    }

    /// Returns a file that is none of `own` and in none of the folders, also not by its real path; nil if there is none.
    func stranger(to folders: [String], own: [String]) -> String? {
        let real = folders.compactMap(Self.real)
        return paths.first { path in
            if own.contains(path) { return false }
            // Whether a path with `..` leads into a folder tells whether there are others.
            guard !path.split(separator: "/").contains(".."), folders.contains(where: { path.hasPrefix($0 + "/") })
            else { return true }
            return Self.real(path).map { path in !real.contains { path.hasPrefix($0 + "/") } } ?? true
        }
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
