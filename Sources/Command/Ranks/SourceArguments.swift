import PotluckCore
import PotluckMachine
import PotluckScreen

/// The arguments that say what a program in C is made of: its files, and the options that compilers for MPI have.
enum SourceArguments {
    private static let definition = Option(
        "define", short: "D", "NAME[=VALUE]", "define a macro for a program in C", in: .compute, repeats: true
    ) { (text) throws(ValueError) -> String in
        guard CSources.isDefinition(text) else {
            throw ValueError("must be NAME or NAME=VALUE, with a name of letters, digits and _")
        }
        return text
    }
    private static let folder = Option(
        "include", short: "I", "FOLDER", "look for headers of a program in C in this folder, too", in: .compute,
        repeats: true
    ) { (text) throws(ValueError) -> String in
        guard !text.isEmpty else { throw ValueError("name a folder") }
        return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }
    private static let library = Option(
        "library", short: "l", "NAME", "accepted as compilers accept it: m, the functions of math.h", in: .compute,
        repeats: true, values: .words(["m"])
    ) { (text) throws(ValueError) -> String in
        guard ["m", "c"].contains(text) else {
            throw ValueError("there are only m and c, which every program has; name the sources of other libraries")
        }
        return text
    }

    static let options = [definition.declaration, folder.declaration, library.declaration]

    /// The sources of a program in C; nil for another file. Its other files follow the first one, before a `--`.
    static func sources(_ arguments: Arguments) throws(UsageError) -> CSources? {
        let main = arguments[0] ?? ""
        let definitions = try arguments.all(definition)
        let folders = try arguments.all(folder)
        // A library is there whether it is named or not.
        _ = try arguments.all(library)
        guard main.hasSuffix(".c") else {
            let given = options.first { arguments.has($0) }
            if let given {
                throw UsageError("\(arguments.source(of: given)) is for programs in C; \(Spelling.path(main)) is none")
            }
            return nil
        }
        // A header is read where a file includes it. As an argument of the program, nobody means it.
        if let header = arguments.positionals.prefix(arguments.plain).first(where: { $0.hasSuffix(".h") }) {
            throw UsageError(
                "\(Spelling.path(header)) is a header, which is read where a file includes it; name only files that end with .c"
            )
        }
        let others = arguments.positionals.prefix(arguments.plain).dropFirst().prefix { $0.hasSuffix(".c") }
        return CSources(main, others: Array(others), folders: folders, definitions: definitions)
    }
}
