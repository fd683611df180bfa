import Glibc
import PotluckSystem

/// This machine's Python, and the compiler as it starts fastest with it: in a folder of this user's own, with Python's
/// byte code beside the sources.
struct PythonInterpreter {
    /// The path of the interpreter. The program in the search path may be an installer's proxy.
    private let program: String
    /// The folders of Python's own library and of the libraries that it needs.
    private let folders: [String]
    /// The folder of the compiler.
    private let compiler: String
    /// What it may do besides.
    private let limits: Box.Limits
    private let isBoxed: Bool

    /// The oldest version that the compiler and the package `potluck` run in.
    private static let oldest = (3, 9)
    /// The names within the compiler's folder.
    private static let about = "about", runtime = "runtime.wasm"
    /// Without the user's variables and packages, and without writing byte code. Text is UTF-8 in every locale.
    private static let isolated = ["-I", "-S", "-B", "-X", "utf8"]

    /// Writes the version, the interpreter and the folders of its library into a file, and makes the byte code. Every Python 3
    /// can read it.
    private static let survey = """
        import os, sys
        with open("\(about)", "w") as file:
            for line in ["%d.%d" % sys.version_info[:2], os.path.realpath(sys.executable)]:
                file.write(line + "\\n")
            for folder in sorted({sys.base_prefix, sys.base_exec_prefix}):
                file.write(os.path.realpath(folder) + "\\n")
        if sys.version_info[:2] >= \(oldest):
            import compileall
            sys.exit(not compileall.compile_dir("\(PythonCompiler.part)", quiet=1))
        """

    /// Returns the path of `python3` in the search path, or nil.
    static func find(path: String) -> String? {
        path.split(separator: ":").map { "\($0)/python3" }.first { access($0, X_OK) == 0 }
    }

    static func isMissing(_ label: String) -> WorkshopError {
        .refused(
            "cannot compile \(label): python3 is not installed; install Python \(oldest.0).\(oldest.1) or later (apt install "
                + "python3), or run 'potluck build' on another machine and run the module here")
    }

    /// Takes the compiler from a workshop's folder, or brings it there first and calls `begin`.
    init(
        _ python: String, _ compiler: PythonCompiler, in workshop: Workshop, _ label: String, begin: () -> Void
    ) throws(WorkshopError) {
        let kept = "\(workshop.folder)/python/\(Kit.name(of: [compiler.name, Kit.stamp(python), Self.survey]))"
        if Self.read(kept) == nil { try Self.prepare(kept, python, compiler, workshop, label, begin) }
        guard let found = Self.read(kept) else { throw File.cannot("use \(kept)") }
        (program, folders, self.compiler) = (found.program, found.folders, kept)
        (limits, isBoxed) = (workshop.limits, workshop.isBoxed)
    }

    private static func prepare(
        _ kept: String, _ python: String, _ compiler: PythonCompiler, _ workshop: Workshop, _ label: String,
        _ begin: () -> Void
    ) throws(WorkshopError) {
        try workshop.makeOwnFolders(["python"])
        begin()
        let work = try workshop.makeScratch()
        defer { File.removeFolder(work) }
        try File.makeFolder("\(work)/\(PythonCompiler.part)")
        for file in compiler.sources { try File.write(file.octets, to: "\(work)/\(PythonCompiler.part)/\(file.name)") }
        try File.write(compiler.runtime, to: "\(work)/\(runtime)")
        // It reads no file of an author, and an installer's proxy reads its own.
        let surveyed = try Subprocess(
            python, ["-I", "-S", "-X", "utf8", "-c", survey], in: work, output: "\(work)/said",
            Box(readable: nil, limits: workshop.limits)
        ).wait(label)
        func refused(_ what: String) -> WorkshopError {
            .refused("cannot compile \(label): \(python) \(what); install Python \(oldest.0).\(oldest.1) or later")
        }
        let said = (surveyed.said.split(separator: "\n").last.map(String.init) ?? "it says nothing").escapedForScreen
        guard let lines = lines("\(work)/\(about)") else { throw refused("does not start: \(said)") }
        let version = lines[0].split(separator: ".").compactMap { Int($0) }
        guard version.count == 2, (version[0], version[1]) >= oldest else { throw refused("is Python \(lines[0])") }
        guard surveyed.succeeded else { throw refused("cannot prepare the compiler: \(said)") }
        // If the rename fails, another process was faster and made the same, or others could write what is there.
        if rename(work, kept) == 0 || read(kept) != nil { return }
        let old = work + ".old"
        if rename(kept, old) == 0 { File.removeFolder(old) }
        guard rename(work, kept) == 0 || read(kept) != nil else { throw File.cannot("keep \(kept)") }
    }

    /// Reads what a folder says of the interpreter. Returns nil if there is no such folder of this user's own, or if the
    /// interpreter is gone.
    private static func read(_ folder: String) -> (program: String, folders: [String])? {
        let folders = [folder, "\(folder)/\(PythonCompiler.part)"]
        let files = ["\(folder)/\(about)", "\(folder)/\(runtime)"]
        guard folders.allSatisfy({ isOwn($0, S_IFDIR) }), files.allSatisfy({ isOwn($0, S_IFREG) }),
            let lines = lines(files[0]), access(lines[1], X_OK) == 0
        else { return nil }
        return (lines[1], lines[2...].flatMap { prefix in ["bin", "lib", "lib64"].map { "\(prefix)/\($0)" } })
    }

    /// The version of Python, the path of the interpreter and one or two folders.
    private static func lines(_ path: String) -> [String]? {
        guard let said = File.read(path) else { return nil }
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.count >= 3 ? lines : nil
    }

    /// Starts the compiler in a folder, into which it may write, with the words of one of its verbs. What it says goes to the file
    /// `said` there.
    ///
    /// - Parameter package: the folder of the package `potluck`, for a verb that runs an author's file in Python itself.
    func start(
        _ words: [String], in folder: String, said: String, package: String? = nil, limits: Box.Limits? = nil
    ) throws(WorkshopError) -> Subprocess {
        // To import the whole package would take longer than compiling.
        let (root, module) =
            package.map { ("\($0)/..", "potluck.\(PythonCompiler.part)") } ?? (compiler, PythonCompiler.part)
        let call =
            "import sys; sys.path.insert(0, sys.argv.pop(1)); from \(module).command import main; main(sys.argv[1:])"
        return try Subprocess(
            program, Self.isolated + ["-c", call, root] + words, in: folder, output: "\(folder)/\(said)",
            Box(readable: isBoxed ? folders + [root] : nil, limits: limits ?? self.limits))
    }

    /// The path of the runtime that modules are linked with.
    var runtimePath: String { "\(compiler)/\(Self.runtime)" }
}
