/// The table of allowed imports in docs/ARCHITECTURE.md, which is the only place where they are defined.
struct House {
    struct Row {
        let mayImport: Set<String>
        /// The system's modules that the folder may import. A module with none, or only with the compiler's own
        /// operations, is pure: it has no clock, no randomness and no input or output.
        let outside: Set<String>
        let mayImportAll: Bool

        var isPure: Bool { outside.isSubset(of: ["Builtin"]) }
    }

    /// The rows of the table, by folder.
    let rows: [String: Row]

    /// Reads the table whose header begins with `| folder |`. Its columns are the folder in backquotes, its job, the
    /// folders that it may import, and the system's modules.
    init(architecture: String) {
        var rows: [String: Row] = [:]
        var inTable = false
        for line in architecture.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                inTable = false
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                $0.filter { $0 != " " && $0 != "`" }
            }
            if cells.first == "folder" { inTable = true }
            guard inTable, cells.count == 4, line.hasPrefix("| `") else { continue }
            func list(_ cell: String) -> Set<String> {
                cell == "–" ? [] : Set(cell.split(separator: ",").map(String.init))
            }
            rows[cells[0]] = Row(mayImport: list(cells[2]), outside: list(cells[3]), mayImportAll: cells[2] == "all")
        }
        self.rows = rows
    }

    /// Returns the row that applies to a file: `Kit` for `Sources/Kit/…`, `Plugins/*` for `Plugins/Pi/…`, `Catalogue`
    /// for files beside those folders, `Benchmarks/*` for `Benchmarks/…`, and `Tests/Lab` for `Tests/Lab/…`. Returns
    /// nil for a file outside of all modules.
    static func folder(of path: String) -> String? {
        let parts = path.split(separator: "/").map(String.init)
        if parts.count > 2, parts[0] == "Sources" { return parts[1] }
        if parts.count > 1, parts[0] == "Plugins" { return parts.count > 2 ? "Plugins/*" : "Catalogue" }
        if parts.count > 1, parts[0] == "Benchmarks" { return "Benchmarks/*" }
        if parts.count > 2, parts[0] == "Tests", parts[1] == "Lab" { return "Tests/Lab" }
        return nil
    }

    /// Returns the folder of a module: `Kit` for `PotluckKit`. A C module has its folder's name. The library for other
    /// programs is `Potluck`, and the program `potluck`.
    static func folder(ofModule module: String) -> String {
        switch module {
        case "Potluck": "Node"
        case "potluck": "Command"
        default: module.hasPrefix("Potluck") ? String(module.dropFirst("Potluck".count)) : module
        }
    }

    func isPure(_ path: String) -> Bool { Self.folder(of: path).flatMap { rows[$0] }?.isPure ?? false }

    func allows(_ folder: String, toImport module: String) -> Bool {
        guard let row = rows[folder] else { return false }
        let name = Self.folder(ofModule: module)
        return row.outside.contains(module) || row.mayImport.contains(name) || row.mayImportAll && rows[name] != nil
    }

    /// Checks that the table allows every import of a file.
    func findings(in file: TextFile) -> [Finding] {
        guard file.isSwift, let folder = Self.folder(of: file.path) else { return [] }
        guard rows[folder] != nil else {
            return [Finding(path: file.path, line: 1, what: "\(folder) has no row in docs/ARCHITECTURE.md")]
        }
        return imports(of: file).filter { !allows(folder, toImport: $0.module) }.map {
            Finding(
                path: file.path, line: $0.line, what: "\(folder) may not import \($0.module) (docs/ARCHITECTURE.md)")
        }
    }

    /// The folders that can import themselves through others.
    var cycles: [String] {
        rows.keys.sorted().filter { start in
            var reached: Set<String> = []
            var next = rows[start]?.mayImport ?? []
            while let folder = next.popFirst() {
                if reached.insert(folder).inserted { next.formUnion(rows[folder]?.mayImport ?? []) }
            }
            return reached.contains(start)
        }
    }
}
