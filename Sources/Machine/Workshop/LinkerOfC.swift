import PotluckCore

extension Diagnostics {
    /// Returns what a program in C cannot use, from the linker's messages: each name once, in a line of its own.
    func linkerOfC(_ said: String) -> String {
        func names(after marker: String) -> [String] {
            var names: [String] = []
            for line in said.split(separator: "\n") {
                guard let found = line.firstRange(of: marker) else { continue }
                let name = String(line[found.upperBound...]).escapedForScreen
                if !names.contains(name) { names.append(name) }
            }
            return names
        }
        let missing = names(after: "undefined symbol: ")
        if !missing.isEmpty { return missing.map { "\(label): \(Self.absence(of: $0))" }.joined(separator: "\n") }
        if let name = names(after: "duplicate symbol: ").first {
            return "\(label): \(name) is defined in two files; declare it in one of them as static or extern"
        }
        if let name = names(after: "function signature mismatch: ").first {
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
