import PotluckCore
import PotluckKit
import PotluckSystem

extension Workshop {
    /// The name of an author's file in Python in the scratch folder.
    private static let pythonFile = "author.py"

    /// Builds the module of a file in Python, which messages call `label`. Calls `begin` if that takes a while: the compiler
    /// is prepared once.
    public func buildPython(
        _ path: String, label: String, begin: () -> Void = {}
    ) throws(WorkshopError) -> Product {
        guard let source = File.read(path) else { throw File.cannot("read \(label)") }
        return try buildPython(source, label: label, begin: begin)
    }

    /// Builds the module of a text in Python, which messages call `label`. `isKept` means that it is likely to be built again.
    public func buildPython(
        _ source: [UInt8], label: String, isKept: Bool = true, begin: () -> Void = {}
    ) throws(WorkshopError) -> Product {
        guard source.count <= Self.largestSource else { throw .refused("\(label) is not Python source") }
        let compiler = try PythonCompiler.find(in: pythonPlaces, label)
        // The module depends on nothing else, so a kept one needs no Python.
        let key = Kit.name(of: [SHA256.hash(source).hexadecimal, compiler.name, ModuleStack.rule])
        if let product = kept(key) { return product }
        let python = try interpreter(compiler, label, begin)
        if isKept { try makeFolderForModules() }
        let scratch = try makeScratch()
        defer { File.removeFolder(scratch) }
        try File.write(source, to: "\(scratch)/\(Self.pythonFile)")
        let compiled = try python.start(
            [
                "compile", Self.pythonFile, "--label", label, "--runtime", python.runtimePath, "--out", "module.wasm",
            ], in: scratch, said: "said"
        ).wait(label)
        let said = compiled.said.split(separator: "\n").map { String($0).escapedForScreen(keeping: ["\t"]) }
        guard compiled.succeeded, let module = File.read("\(scratch)/module.wasm") else {
            // A mistake of the author's begins with the file's name.
            guard said.contains(where: { $0.hasPrefix("\(label):") }) else {
                throw .refused("\(label): the compiler failed: \(said.last ?? "it says nothing")")
            }
            throw .compiler(said.joined(separator: "\n"))
        }
        let product = Product(module: ModuleStack.counted(module), warnings: said.joined(separator: "\n"), map: "")
        if isKept { keep(product, [key]) }
        return product
    }

    /// Plays blocks of a simulation in Python itself, with the reference that is a part of the package `potluck`. Throws if
    /// that is not possible here. The file runs outside of the sandbox, so it runs only where the kernel keeps it in a box.
    ///
    /// - Parameters:
    ///   - source: the SHA-256 of the source that the module was made of. The author may have saved the file since.
    ///   - parameters: the words `name=value` of the parameters.
    ///   - tables: the tables that it reads, by their names. One without numbers counts as not given.
    ///   - trials: in all of these blocks. Only the last one has fewer than the others.
    public func playPython(
        _ path: String, label: String, source hash: String, parameters: [String],
        tables: [(name: String, table: Table)], seed: UInt64, blocks: Range<UInt64>, trials: UInt64
    ) throws(WorkshopError) -> PythonReply {
        guard Box.isEnforced else { throw .refused("this kernel keeps no program in a box (Landlock)") }
        guard let source = File.read(path) else { throw File.cannot("read \(label)") }
        guard SHA256.hash(source).hexadecimal == hash else { throw .refused("\(label) has changed meanwhile") }
        let compiler = try PythonCompiler.find(in: pythonPlaces, label)
        let python = try interpreter(compiler, label) {}
        let scratch = try makeScratch()
        defer { File.removeFolder(scratch) }
        try File.write(source, to: "\(scratch)/\(Self.pythonFile)")
        var parameters = parameters
        for (name, table) in tables where !table.isEmpty {
            // A file of the scratch folder with the numbers, eight bytes each, and how many a row has.
            try File.write(table.numbers.map(\.bitPattern).octets, to: "\(scratch)/\(name).table")
            parameters.append("\(name)=\(table.columns)")
        }
        let words = [
            "reference", Self.pythonFile, "--label", label, "--seed", "\(seed)", "--first", "\(blocks.lowerBound)",
            "--blocks",
            "\(blocks.count)", "--trials", "\(trials)",
        ]
        let (succeeded, said, excess) = try python.start(
            words + parameters.flatMap { ["-p", $0] }, in: scratch, said: "said", package: compiler.package,
            limits: Self.playLimits
        ).finish()
        if let excess { throw .refused("Python \(excess) for \(trials) trials") }
        let last = said.split(separator: "\n").last.map(String.init) ?? "nothing"
        guard succeeded, let reply = PythonReply(last) else {
            throw .refused("Python says: \(last.escapedForScreen)")
        }
        return reply
    }

    /// A check takes some seconds, and Python a hundred times as long as a module.
    private static let playLimits = Box.Limits(processor: 60, patience: 300)

    /// Returns the interpreter with the compiler.
    private func interpreter(
        _ compiler: PythonCompiler, _ label: String, _ begin: () -> Void
    ) throws(WorkshopError) -> PythonInterpreter {
        guard let python = PythonInterpreter.find(path: searchPath) else { throw PythonInterpreter.isMissing(label) }
        return try PythonInterpreter(python, compiler, in: self, label, begin: begin)
    }
}
