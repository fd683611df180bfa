import Glibc
import PotluckCore
import PotluckSystem

/// The files of a program in C, as the compiler gets them. It sees these and no others: the author's files, and those
/// that they include by name from their own folders or from a folder of headers.
///
/// The main file has a name of its own. All others are below a folder for each folder of the author's, `Author0` being
/// that of the main file.
struct CFiles {
    struct Entry {
        /// The name in the scratch folder.
        let name: String
        let octets: [UInt8]
        /// The path, as messages show it.
        let label: String
    }

    /// The name of the main file in the scratch folder.
    static let main = "Author.c"
    /// The most files of a program, and the most bytes of all. Nobody writes more by hand.
    private static let (mostFiles, mostBytes) = (256, 4 << 20)
    /// The endings of files that can be included. Other files of the person who compiles are not a program's.
    private static let endings = [".h", ".c", ".inc"]
    /// What a program may include, as messages say it.
    static let allowance =
        "a program in C can include mpi.h, the headers of C, and files that end in .h, .c or .inc, beside its own or in "
        + "a folder that -I names, without '..'"

    private(set) var entries: [Entry] = []
    /// The names of the files that are compiled.
    private(set) var units: [String] = []
    /// The numbers of the folders of headers.
    let folders: [Int]
    let definitions: [String]

    /// The author's folders: those of the files, then those of headers.
    private let roots: [String]

    init(_ sources: CSources, label: String) throws(WorkshopError) {
        let files = [sources.main] + sources.others
        var roots: [String] = []
        for folder in files.map(Self.folder) + sources.folders where !roots.contains(folder) { roots.append(folder) }
        self.roots = roots
        folders = sources.folders.compactMap(roots.firstIndex)
        definitions = sources.definitions
        for folder in sources.folders where access(folder.isEmpty ? "." : folder, R_OK | X_OK) != 0 {
            throw File.cannot("read the folder \(Spelling.path(folder))")
        }
        for (number, path) in files.enumerated() {
            let shown = number == 0 ? label : Spelling.path(path)
            guard let source = File.read(path) else { throw File.cannot("read \(shown)") }
            guard source.count <= Workshop.largestSource else { throw .refused("\(shown) is not C source") }
            let folder = Self.folder(path)
            guard let root = roots.firstIndex(of: folder) else { continue }
            let own = String(path.dropFirst(folder.count).drop { $0 == "/" })
            let name = number == 0 ? Self.main : Self.name(root, own)
            guard !units.contains(name) else { throw .refused("\(shown) is named twice") }
            units.append(name)
            try add(Entry(name: name, octets: source, label: shown), label)
        }
        var next = 0
        while next < entries.count {
            let entry = entries[next]
            next += 1
            for included in Self.included(by: entry.octets) { try follow(included, from: entry, label) }
        }
    }

    /// The hash of all that the author wrote.
    var hash: String {
        guard entries.count > 1 || !definitions.isEmpty || !folders.isEmpty else {
            return SHA256.hash(entries.first?.octets ?? []).hexadecimal
        }
        let parts = entries.map { $0.name + "\u{0}" + SHA256.hash($0.octets).hexadecimal } + units + definitions
        return SHA256.hash(Array((parts + folders.map(String.init)).joined(separator: "\u{0}").utf8)).hexadecimal
    }

    /// The compiler's flags for headers and macros.
    var flags: [String] {
        definitions.map { "-D" + $0 } + ["-iquote", Self.name(0, "")] + folders.flatMap { ["-I", Self.name($0, "")] }
    }

    private static func name(_ root: Int, _ path: String) -> String { "Author\(root)/\(path)" }

    private static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    private mutating func add(_ entry: Entry, _ label: String) throws(WorkshopError) {
        entries.append(entry)
        guard entries.count <= Self.mostFiles, entries.reduce(0, { $0 + $1.octets.count }) <= Self.mostBytes else {
            throw .refused(
                "\(label): the program has more than \(Self.mostFiles) files or \(Self.mostBytes >> 20) MiB; name fewer"
            )
        }
    }

    /// Adds a file that another one includes, if it is the author's.
    private mutating func follow(_ included: Included, from entry: Entry, _ label: String) throws(WorkshopError) {
        let parts = included.path.split(separator: "/").filter { $0 != "." }
        let path = parts.joined(separator: "/")
        guard !included.path.hasPrefix("/"), !parts.contains(".."), Self.endings.contains(where: path.hasSuffix),
            // Our header is the one that fits our library.
            !KitSources.mpi.contains(where: { $0.name == path })
        else { return }
        var places = folders.map { (root: $0, path: path) }
        if included.isQuoted {
            let here = entry.name == Self.main ? Self.name(0, "") : entry.name
            let root = here.dropFirst("Author".count).prefix { $0 != "/" }
            let inner = here.split(separator: "/").dropFirst().dropLast(entry.name == Self.main ? 0 : 1)
            places.insert((0, path), at: 0)
            places.insert((Int(root) ?? 0, (inner.map(String.init) + [path]).joined(separator: "/")), at: 0)
        }
        for place in places {
            let name = Self.name(place.root, place.path)
            if entries.contains(where: { $0.name == name }) { return }
            guard let octets = Self.read(place.path, in: roots[place.root]) else { continue }
            let root = roots[place.root] == "." ? "" : roots[place.root] + "/"
            try add(Entry(name: name, octets: octets, label: Spelling.path(root + place.path)), label)
            return
        }
    }

    /// The contents of a file, if it is below the folder by its real path, too.
    private static func read(_ path: String, in root: String) -> [UInt8]? {
        guard let inside = real(root), let found = real("\(root)/\(path)"),
            found.hasPrefix(inside == "/" ? inside : inside + "/"), let octets = File.read(found),
            octets.count <= Workshop.largestSource
        else { return nil }
        return octets
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private struct Included {
        let path: String
        let isQuoted: Bool
    }

    /// The files that a text names in lines such as `#include "util.h"`, also those that a condition leaves out.
    private static func included(by octets: [UInt8]) -> [Included] {
        octets.split { $0 == 10 || $0 == 13 }.compactMap { line in
            var rest = line.drop { $0 == 32 || $0 == 9 }
            guard rest.popFirst() == UInt8(ascii: "#") else { return nil }
            rest = rest.drop { $0 == 32 || $0 == 9 }
            let word = "include".utf8
            guard rest.starts(with: word) else { return nil }
            rest = rest.dropFirst(word.count).drop { $0 == 32 || $0 == 9 }
            let isQuoted = rest.first == UInt8(ascii: "\"")
            guard isQuoted || rest.first == UInt8(ascii: "<") else { return nil }
            let end = isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ">")
            let path = rest.dropFirst().prefix { $0 != end }
            return String(validating: path, as: UTF8.self).map { Included(path: $0, isQuoted: isQuoted) }
        }
    }
}
