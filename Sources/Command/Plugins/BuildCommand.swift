import Glibc
import PotluckArguments
import PotluckModel
import PotluckWorkshop

/// `potluck build`: an author's file to a module.
enum BuildCommand {
    private static let output = Option("output", short: "o", "FILE", "where to put the module") {
        (text) throws(ValueError) -> String in
        guard text.hasSuffix(".wasm") else { throw ValueError("a module's name ends in .wasm") }
        return text
    }

    static let verb = Verb(
        declaration: Command(
            "build", "compile a simulation to a module that runs on every laptop",
            positionals: [Positional("FILE.swift", "the simulation")], options: [output.declaration],
            details: [
                "The module lies beside the source unless -o says otherwise. It takes the Swift toolchain and nothing else; "
                    + "who runs the module needs not even that.",
                "potluck run FILE.swift does this by itself.",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let path = arguments[0] ?? ""
        guard path.hasSuffix(".swift") else {
            throw UsageError("\(Spelling.path(path)) is no Swift source: its name must end in .swift")
        }
        let product = try PluginFiles.build(path)
        if !product.warnings.isEmpty { try? Output.write(product.warnings + "\n", to: STDERR_FILENO) }
        let target = try arguments[output] ?? String(path.dropLast("swift".count)) + "wasm"
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
            "\(Spelling.path(target)): \(product.module.count) bytes; potluck run \(ShellWord.quoted(target)) runs it\n"
        )
        return .success
    }
}
