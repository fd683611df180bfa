import PotluckCore

extension Diagnostics {
    /// Returns what a program in C cannot use, from the linker's messages: each name once, in a line of its own. `units`
    /// are the names in the scratch folder of the author's files that were compiled, in order.
    func linkerOfC(_ said: String, units: [String]) -> String {
        let lines = said.split(separator: "\n")
        /// The author's file whose object file a line names.
        func file(in line: Substring) -> String? {
            units.indices.first { line.contains(CProgram.object($0)) }.flatMap { number in
                files.first { $0.name == units[number] }?.label
            }
        }
        func names(after marker: String) -> [(name: String, file: String?)] {
            var names: [(name: String, file: String?)] = []
            for line in lines {
                guard let found = line.firstRange(of: marker) else { continue }
                let name = String(line[found.upperBound...]).escapedForScreen
                if !names.contains(where: { $0.name == name }) { names.append((name, file(in: line))) }
            }
            return names
        }
        let missing = names(after: "undefined symbol: ")
        if !missing.isEmpty {
            return missing.map { "\($0.file ?? label): \(Self.absence(of: $0.name))" }.joined(separator: "\n")
        }
        if let (name, _) = names(after: "duplicate symbol: ").first {
            let definers = lines.filter { $0.contains("defined in") }.compactMap(file)
            let places = definers.count == 2 ? definers.joined(separator: " and in ") : "two files"
            return "\(label): \(name) is defined in \(places); declare it in one of them as static or extern"
        }
        if let (name, _) = names(after: "function signature mismatch: ").first {
            return "\(label): \(name) is called with other parameters than it has; include the header that declares it"
        }
        return "\(label): linker error: \(String(said.prefix(200)).escapedForScreen)"
    }

    /// Why there is no function of this name, and what to do.
    private static func absence(of name: String) -> String {
        let wrapped = "__wrap_"
        if name.hasPrefix(wrapped) {
            let own = name.dropFirst(wrapped.count)
            return "\(own) is not available; programs with ranks have no files but those of MPI_File"
        }
        if name == "main" || name == "__main_argc_argv" { return "there is no function main" }
        guard name.uppercased().hasPrefix("MPI_") else {
            return "\(name) is not available; no header and no function of the named files has it"
        }
        let hint = Spelling.hint(for: name, among: calls)
        return "\(name) is not available" + (hint.isEmpty ? "; programs with ranks lack this call of MPI" : hint)
    }

    /// The functions of MPI that programs have, from the header.
    private static let calls: [String] = {
        let headers = KitSources.mpi.filter { $0.name.hasSuffix(".h") && !$0.name.hasPrefix("library/") }
        return headers.flatMap { $0.text.split(separator: "\n") }.compactMap { line in
            guard let start = line.firstRange(of: "MPI_"), line.hasPrefix("int ") || line.hasPrefix("double "),
                !line.contains("POTLUCK_LACK"), let end = line.firstIndex(of: "("), start.lowerBound < end
            else { return nil }
            return String(line[start.lowerBound..<end])
        }
    }()
}
