/// A variable of an author's file that outlives a trial, and the part of the module's memory that it takes.
public struct GlobalVariable: Sendable, Equatable {
    public let name: String
    public let place: Range<Int>

    /// The beginning of the symbols of an author's file.
    private static let own = "$e6Plugin"
    /// The beginning of the symbol of the variable in which the kit keeps the simulation and its answers.
    private static let kits = own + "6module33_"
    /// The sections of the memory that a module may change.
    private static let sections = [".data.", ".bss."]
    /// More than any simulation has.
    static let most = 1000

    /// A variable as the linker's map has it.
    struct Symbol: Equatable {
        let name: String
        let place: Range<Int>
    }

    /// Reads a map of `wasm-ld`, whose lines are like `   20064   0   4   plugin.o:(.bss.$e6Plugin7counterSivp)`:
    /// address, place in the file, size, and section.
    static func symbols(_ map: String) -> [Symbol] {
        var symbols: [Symbol] = []
        for line in map.split(separator: "\n") where symbols.count < most {
            guard let found = line.firstRange(of: "plugin.o:("), line.last == ")" else { continue }
            let section = line[found.upperBound...].dropLast()
            guard let prefix = sections.first(where: section.hasPrefix) else { continue }
            let name = section.dropFirst(prefix.count)
            let words = line[..<found.lowerBound].split(separator: " ")
            guard name.hasPrefix(own), !name.hasPrefix(kits), words.count == 3,
                let start = Int(words[0], radix: 16), let size = Int(words[2], radix: 16), start >= 0, size > 0
            else { continue }
            symbols.append(Symbol(name: String(name), place: start..<start + min(size, Int(Int32.max))))
        }
        return symbols
    }

    /// The name that the author gave a variable, from what `swift-demangle` says of its symbol: `Plugin.counter :
    /// Swift.Int`, `static hidden : Swift.Int in S #1 in …`, `outlined variable #0 of one-time initialization function
    /// for box`. Other words are returned as they are.
    static func name(_ demangled: String) -> String {
        var name = Substring(demangled)
        if let found = name.firstRange(of: " function for ") { name = name[found.upperBound...] }
        if let found = name.firstRange(of: " : ") { name = name[..<found.lowerBound] }
        for prefix in ["static ", "Plugin."] where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
        return String(name)
    }
}

extension Workshop {
    /// Returns the variables of a file that outlive a trial. They are those of the module that `build` makes.
    public func globalVariables(_ path: String, label: String) throws(WorkshopError) -> [GlobalVariable] {
        let symbols = GlobalVariable.symbols(try build(path, label: label).map)
        guard !symbols.isEmpty else { return [] }
        var names = symbols.map(\.name)
        if let compiler = Toolchain.compiler(path: searchPath), let scratch = try? makeScratch() {
            defer { File.removeFolder(scratch) }
            let toolchain = try toolchain(compiler, scratch)
            let said = try toolchain.start(
                "swift-demangle", ["-compact"] + names, in: scratch, said: scratch + "/names"
            ).wait(label)
            let lines = said.said.split(separator: "\n").map(String.init)
            if said.succeeded, lines.count == names.count { names = lines.map(GlobalVariable.name) }
        }
        return zip(names, symbols).map { GlobalVariable(name: $0, place: $1.place) }
    }
}
