/// The targets of Package.swift, parsed from its text: each is a call with the name first, then the dependencies.
struct Manifest {
    struct Target: Equatable {
        let name: String
        /// The row of the table of imports that applies to the target.
        let folder: String
        let isTest: Bool
        let dependencies: [String]
    }

    let targets: [Target]

    init(_ manifest: String) {
        let text = SwiftCode(manifest).withStrings
        let list = text.ranges(of: "targets: [").last?.upperBound ?? text.endIndex
        targets = Self.elements(text[list...]).compactMap { element in
            // A build tool is not part of the product.
            if element.hasPrefix(".plugin(") { return nil }
            let literals = Self.literals(element)
            guard let name = literals.first?.text else { return nil }
            // Paths, settings and resources follow the dependencies.
            let labels = ["path:", "features:", "resources:", "Settings:", "exclude:", "sources:", "plugins:"]
            let end = labels.compactMap { element.firstRange(of: $0)?.lowerBound }.min() ?? element.endIndex
            let path = element.firstRange(of: "path:").flatMap { label in
                literals.first { $0.start >= label.upperBound }.map(\.text)
            }
            return Target(
                name: name, folder: path.flatMap { House.folder(of: "\($0)/x") } ?? House.folder(ofModule: name),
                isTest: element.hasPrefix("tests(") || element.hasPrefix(".testTarget("),
                dependencies: literals.dropFirst().filter { $0.start < end }.map(\.text))
        }
    }

    /// Splits a bracketed list, up to its closing bracket.
    static func elements(_ list: Substring) -> [String] {
        var depth = 0
        var inString = false
        var elements = [""]
        loop: for character in list {
            switch character {
            case "\"": inString.toggle()
            case "(" where !inString, "[" where !inString: depth += 1
            case "]" where !inString && depth == 0: break loop
            case ")" where !inString, "]" where !inString: depth -= 1
            case "," where !inString && depth == 0:
                elements.append("")
                continue
            default: break
            }
            elements[elements.count - 1].append(character)
        }
        return elements.map { String($0.drop(while: \.isWhitespace)) }.filter { !$0.isEmpty }
    }

    static func literals(_ text: String) -> [(text: String, start: String.Index)] {
        var result: [(String, String.Index)] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "\"") {
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: "\"") else { break }
            result.append((String(inside[..<close]), open))
            rest = inside[inside.index(after: close)...]
        }
        return result
    }

    /// Checks that the table allows every dependency, and that every folder of sources has a target.
    func findings(_ house: House, folders: [String]) -> [Finding] {
        func finding(_ what: String) -> Finding { Finding(path: "Package.swift", line: 1, what: what) }
        var findings: [Finding] = []
        for target in targets where !target.isTest {
            let folder = target.folder
            if house.rows[folder] == nil { findings.append(finding("\(folder) has no row in docs/ARCHITECTURE.md")) }
            for dependency in target.dependencies where !house.allows(folder, toImport: dependency) {
                findings.append(finding("\(folder) may not depend on \(dependency) (docs/ARCHITECTURE.md)"))
            }
        }
        let known = Set(targets.filter { !$0.isTest }.map(\.folder))
        return findings + folders.filter { !known.contains($0) }.map { finding("no target for Sources/\($0)") }
    }

    /// Checks that every module of ours that a file imports is a direct dependency of its target. SwiftPM itself also
    /// accepts indirect ones.
    func findings(in file: TextFile, _ house: House) -> [Finding] {
        guard file.isSwift, let folder = House.folder(of: file.path) else { return [] }
        // A simulation is compiled as part of the catalogue.
        let owner = folder == "Plugins/*" ? "Catalogue" : folder
        let mine = targets.filter { !$0.isTest && $0.folder == owner }
        let declared = Set(mine.flatMap(\.dependencies).map(House.folder(ofModule:)))
        return imports(of: file).filter { house.rows[House.folder(ofModule: $0.module)] != nil }.filter {
            !declared.contains(House.folder(ofModule: $0.module))
        }.map {
            Finding(path: file.path, line: $0.line, what: "\($0.module) is no dependency of \(folder) in Package.swift")
        }
    }
}
