import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck build`: compiles a simulation to a WebAssembly module.
enum BuildCommand {
    private static let output = Option(
        "output", short: "o", "FILE", "write the module to this file", in: .output, default: "beside the source"
    ) { (text) throws(ValueError) -> String in
        guard text.hasSuffix(".wasm") else { throw ValueError("the name must end in .wasm") }
        return text
    }

    private static let kit = Option(
        "kit", "FOLDER", "compile the kit, which every file in Swift needs, for all users of this machine", in: .output,
        CommonOptions.text)

    static let verb = Verb(
        declaration: Command(
            "build", "compile a simulation or a program with ranks to a WebAssembly module",
            positionals: [
                Positional(
                    "FILE", "the simulation or program: a file in Swift, Python, or C with MPI's calls", required: false
                ),
                Positional(
                    "MORE", "more files of a program in C", required: false, repeats: true, values: .files([".c"])),
            ],
            options: [output.declaration, kit.declaration] + SourceArguments.options,
            details: [
                "Compiling needs the Swift toolchain, or python3 for a file in Python; running the module needs neither. "
                    + "'potluck run FILE' compiles automatically."
            ],
            examples: ["build doublets/doublets.swift", "build main.c util.c -D N=5"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        if let folder = try arguments[kit] { return try installKits(to: folder, arguments) }
        guard let path = arguments[0] else { throw UsageError("missing argument FILE; usage: potluck build FILE") }
        guard let ending = PluginFiles.sources.first(where: path.hasSuffix) else {
            throw UsageError(
                "\(Spelling.path(path)) is neither a file in Swift (.swift) or Python (.py) nor a program with ranks in C (.c)"
            )
        }
        let sources = try SourceArguments.sources(arguments)
        if let stray = arguments.rest(after: 1 + (sources?.others.count ?? 0)).first {
            throw UsageError(
                "unexpected argument \(Spelling.quoted(stray)); only a program in C has more files, which end in .c")
        }
        let product = try PluginFiles.build(path, sources: sources)
        if !product.warnings.isEmpty { try? Output.write(product.warnings + "\n", to: STDERR_FILENO) }
        let target = try arguments[output] ?? String(path.dropLast(ending.count)) + ".wasm"
        let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(Spelling.path(target))") }
        defer { close(descriptor) }
        var rest = product.module[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(cannot: "write \(Spelling.path(target))") }
            rest = rest.dropFirst(count)
        }
        try Output.write(
            "\(Spelling.path(target)): \(product.module.count) bytes; run it with: potluck "
                + "\(Workshop.hasRanks(path) ? "launch" : "run") \(ShellWord.quoted(target))\n"
        )
        return .success
    }

    private static func installKits(to folder: String, _ arguments: Arguments) throws -> ExitCode {
        if let file = arguments[0] {
            throw UsageError("--kit compiles no file; leave out \(Spelling.path(file)), or build it without --kit")
        }
        if arguments.has(output.declaration) { throw UsageError("--kit names a folder; leave out --output") }
        let version = try PluginFiles.installKits(to: folder)
        try Output.write("\(Spelling.path(folder)): the kit for \(version)\n")
        return .success
    }
}
