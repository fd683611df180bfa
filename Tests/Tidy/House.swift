/// Who may import whom, as the table in docs/ARCHITECTURE.md says: the one place where it is written down.
struct House {
    struct Row {
        let mayImport: Set<String>
        /// Modules of the system. A module with none is pure: it has no clock, no randomness and no way out of its own.
        let outside: Set<String>
        let mayImportAll: Bool

        var isPure: Bool { outside.isEmpty }
    }

    /// By folder.
    let rows: [String: Row]

    /// Reads the table under the header that begins with `| folder |`: a folder in backquotes, its job, the folders it may
    /// import, the system's modules.
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

    /// The row that a file answers to: `Sources/Kit/…` to `Kit`, `Plugins/Pi/…` to `Plugins/*`, the files beside those
    /// folders to `Catalogue`, `Benchmarks/…` to `Benchmarks/*`, `Tests/Lab/…` to `Tests/Lab`. Nil for a file of no module.
    static func folder(of path: String) -> String? {
        let parts = path.split(separator: "/").map(String.init)
        if parts.count > 2, parts[0] == "Sources" { return parts[1] }
        if parts.count > 1, parts[0] == "Plugins" { return parts.count > 2 ? "Plugins/*" : "Catalogue" }
        if parts.count > 1, parts[0] == "Benchmarks" { return "Benchmarks/*" }
        if parts.count > 2, parts[0] == "Tests", parts[1] == "Lab" { return "Tests/Lab" }
        return nil
    }

    /// Folders are called `Kit`, their modules `PotluckKit`; C modules have the folder's name. What people import is plain
    /// `Potluck`, what they run `potluck`.
    static func folder(ofModule module: String) -> String {
        switch module {
        case "Potluck": "Runtime"
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

    /// Every import stands in the table.
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

    /// Folders that lead back to themselves.
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
