import Foundation
import Testing

@testable import PotluckMachine

/// Tests of programs with ranks in C, up to their modules.
@Suite struct CProgramTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let programs =
        ["hello", "ring", "pi", "trapezoid", "matrix"].map { "Examples/Ranks/C/\($0).c" } + [
            "Tests/Workshop/Programs/collectives.c", "Tests/Workshop/Programs/more.c",
            "Tests/Workshop/Programs/files.c",
        ]

    /// The folder of what tests compile.
    static let shared = root.appending(path: ".build/module-cache/potluck").path

    private static func workshop(_ folder: String = shared) -> Workshop {
        Workshop(folder: folder, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
    }

    private static func build(_ path: String, _ variant: Workshop.Variant = .plain) throws -> ModuleParts {
        try ModuleParts(workshop().buildC(CSources(root.appending(path: path).path), label: path, variant).module)
    }

    /// A folder that is removed at the end.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func file(_ name: String, _ text: String) throws -> String {
            try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
            return "\(path)/\(name)"
        }
    }

    private static func error(of text: String) throws -> WorkshopError {
        let folder = try Folder()
        let path = try folder.file("wrong.c", text)
        return try #require(throws: WorkshopError.self) { try workshop().buildC(CSources(path), label: "my/wrong.c") }
    }

    @Test(arguments: programs) func aModuleImportsOnlyCallsOfRanks(_ path: String) throws {
        let parts = try Self.build(path)
        #expect(Set(parts.imports.map(\.module)) == ["potluck_comm"])
        let ranks: Set = [
            "rank", "size", "time", "log", "error", "abort", "send", "isend", "receive", "ireceive", "probe", "wait",
            "test",
        ]
        #expect(ranks.isSuperset(of: parts.imports.map(\.name)))
    }

    @Test(arguments: programs) func aModuleExportsTheInterface(_ path: String) throws {
        #expect(
            try Self.build(path).exports.sorted() == [
                "memory", "potluck_abi", "potluck_alloc", "potluck_configure", "potluck_describe", "potluck_fault",
                "potluck_main",
            ])
    }

    /// The limit of the sandbox for a module is 512 KiB. Half of it is left for other versions of the C library.
    @Test(arguments: programs) func aModuleIsSmall(_ path: String) throws {
        #expect(try Self.build(path).bytes < 256 << 10)
    }

    @Test(arguments: programs) func aProgramHasItsExpectedOutput(_ path: String) throws {
        let text = Self.root.appending(path: path.dropLast(2) + ".txt")
        let lines = try String(contentsOf: text, encoding: .utf8).split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("[") })
    }

    @Test func aProgramIsCompiledOnce() throws {
        let folder = try Folder()
        let path = try folder.file("once.c", "#include <mpi.h>\nint main() { return MPI_Init(0, 0); }\n")
        let workshop = Self.workshop(folder.path + "/cache")
        var compiled = 0
        let first = try workshop.buildC(CSources(path), label: "once.c") { compiled += 1 }
        let second = try workshop.buildC(CSources(path), label: "once.c") { compiled += 1 }
        #expect(compiled == 1 && first.module == second.module)
        // Without a compiler, the kept module is as good.
        let bare = Workshop(folder: folder.path + "/cache", searchPath: "/nonexistent")
        #expect(try bare.buildC(CSources(path), label: "once.c").module == first.module)
        #expect(
            try workshop.buildC(CSources(path), label: "once.c", .traced) { compiled += 1 }.module.count
                > first.module.count)
        #expect(compiled == 2)
    }

    @Test func anErrorNamesTheAuthorsFileAndLine() throws {
        let message = try Self.error(of: "#include <mpi.h>\n\nint main() {\n    return nothing;\n}\n").message
        #expect(message.hasPrefix("my/wrong.c:4:12: error: use of undeclared identifier 'nothing'"))
        #expect(!message.contains("Author") && !message.contains("generated"))
    }

    @Test func aWarningDoesNotStopOldPrograms() throws {
        let folder = try Folder()
        let path = try folder.file(
            "old.c", "#include \"mpi.h\"\nmain(argc, argv) int argc; char **argv; {\n    printf(\"%d\\n\", argc);\n}\n")
        let product = try Self.workshop(folder.path + "/cache").buildC(CSources(path), label: "old.c")
        #expect(product.warnings.hasPrefix("old.c:2:1: warning: "))
        #expect(product.warnings.contains("old.c:3:5: warning: ") && !product.warnings.contains("generated"))
    }

    @Test(arguments: [
        ("#include <mpi.h>\nint f() { return 1; }\n", "my/wrong.c: there is no function main"),
        (
            "int MPI_Fly(void);\nint main() { return MPI_Fly(); }\n",
            "my/wrong.c: MPI_Fly is not available; programs with "
        ),
        (
            "int fly(void);\nint main() { return fly(); }\n",
            "my/wrong.c: fly is not available; no header and no function of the named files has it"
        ),
        (
            "#include <stdio.h>\nint main() { return !fopen(\"a\", \"r\"); }\n",
            "my/wrong.c: fopen is not available; programs with ranks have no files"
        ),
        ("int lseek();\nint main() { return lseek(1, 2, 3); }\n", "my/wrong.c: lseek is called with other parameters"),
    ])
    func aMissingSymbolIsOneLine(_ text: String, _ expected: String) throws {
        let message = try Self.error(of: text).message
        #expect(message.hasPrefix(expected) && !message.contains("\n"), "\(message)")
    }

    @Test(arguments: [
        "int main() { return MPI_File_write_shared(); }", "int main() { return MPI_Win_lock(); }",
        "int main() { return MPI_Mprobe(); }",
        "int main() { return MPI_Open_port(); }", "int main() { return MPI_Comm_spawn(); }",
    ])
    func unsupportedCallsAreNamed(_ text: String) throws {
        let message = try Self.error(of: "#include <mpi.h>\n" + text).message
        #expect(message.hasPrefix("my/wrong.c:2:") && message.contains("programs with ranks have no "), "\(message)")
    }

    @Test func aMissingLibraryIsOneLineWithAdvice() {
        #expect(CLibrary(root: "/nonexistent") == nil)
        let message = CLibrary.isMissing("mine.c").message
        #expect(message.hasPrefix("cannot compile mine.c: ") && message.contains("apt install wasi-libc"))
        #expect(!message.contains("\n"))
    }

    @Test(arguments: [
        ("hello.c", "hello"), ("a/b/mpi_trap1.c", "mpi_trap1"), ("my ring (2).c", "my-ring--2-"), ("-x.c", "x"),
        ("π.c", "program"), (".c", "program"), ("", "program"), ("x", "x"), ("a'b\"c\\\n.c", "a-b-c--"),
    ])
    func theNameIsAWord(_ label: String, _ name: String) { #expect(CProgram.name(of: label) == name) }

    @Test func aLongNameIsCut() {
        #expect(CProgram.name(of: String(repeating: "n", count: 300) + ".c").utf8.count == 64)
    }
}

/// What a module imports and exports.
private struct ModuleParts {
    let bytes: Int
    private(set) var imports: [(module: String, name: String)] = []
    private(set) var exports: [String] = []
    private var rest: ArraySlice<UInt8>

    init(_ module: [UInt8]) throws {
        bytes = module.count
        let header = 8
        rest = module.dropFirst(header)
        let (importSection, exportSection) = (2, 7)
        while !rest.isEmpty {
            let section = number()
            let size = number()
            let after = rest.dropFirst(size)
            if section == importSection {
                for _ in 0..<number() {
                    imports.append((text(), text()))
                    // A function and its type.
                    try #require(number() == 0)
                    _ = number()
                }
            } else if section == exportSection {
                for _ in 0..<number() {
                    exports.append(text())
                    _ = (number(), number())
                }
            }
            rest = after
        }
    }

    private mutating func number() -> Int {
        var (value, shift) = (0, 0)
        while let octet = rest.popFirst() {
            value |= Int(octet & 0x7f) << shift
            shift += 7
            if octet < 0x80 { break }
        }
        return value
    }

    private mutating func text() -> String {
        let length = number()
        defer { rest = rest.dropFirst(length) }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }
}
