import Foundation
import PotluckCore
import Testing

@testable import PotluckMachine

/// The author of a file in C need not be trusted: its module has nothing of the person who compiles it.
@Suite struct HostileProgramTests {
    /// A secret file, and a program's folder below it, which are removed at the end.
    private final class Place {
        let treasure: HostileSource.Treasure
        let marker = "potluck-secret-\(UUID().uuidString)"
        var folder: String { treasure.folder }

        init() throws {
            let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
                .appending(path: "potluck-hostile-\(UUID().uuidString)").path
            treasure = HostileSource.Treasure(folder: folder, name: "treasure.h")
            try FileManager.default.createDirectory(atPath: folder + "/program", withIntermediateDirectories: true)
            try hide()
            let files = FileManager.default
            try files.createSymbolicLink(atPath: folder + "/program/link", withDestinationPath: treasure.path)
            try files.createSymbolicLink(atPath: folder + "/program/folder", withDestinationPath: folder)
            mkfifo(folder + "/program/pipe", 0o600)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Puts the secret into its place. It is C, and its bytes can also be embedded.
        func hide() throws {
            try "#define SECRET \"\(marker)\"\n".write(toFile: treasure.path, atomically: false, encoding: .utf8)
        }

        /// Returns a workshop that keeps what it makes in a folder here, and shares Potluck's MPI with other tests.
        func workshop(_ cache: String, isBoxed: Bool = true) throws -> Workshop {
            let shared = CProgramTests.shared + "/mpi"
            for path in [shared, "\(folder)/\(cache)"] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(cache)/mpi", withDestinationPath: shared)
            var workshop = Workshop(
                folder: "\(folder)/\(cache)", searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
            workshop.isBoxed = isBoxed
            return workshop
        }

        /// Returns what comes of a file: its module, if there is one, and everything else that the person gets.
        func outcome(_ text: String, _ workshop: Workshop) throws -> (module: [UInt8]?, said: String) {
            let path = folder + "/program/hostile.c"
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            do throws(WorkshopError) {
                let product = try workshop.buildC(CSources(path), label: "hostile.c")
                return (product.module, product.warnings + product.map)
            } catch {
                return (nil, error.message)
            }
        }

        /// The files below a folder that contain the secret.
        func leaks(in cache: String) -> [String] {
            let root = "\(folder)/\(cache)"
            let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            let needle = Data(marker.utf8)
            return files.filter { FileManager.default.contents(atPath: "\(root)/\($0)")?.range(of: needle) != nil }
        }
    }

    /// Where the kernel has no box, what the compiler sees must be enough.
    @Test(arguments: [true, false]) func noFileGetsIntoAModule(_ isBoxed: Bool) throws {
        let place = try Place()
        let workshop = try place.workshop("cache", isBoxed: isBoxed)
        /// `POTLUCK_COMPILES=1000` tries a thousand.
        let count = ProcessInfo.processInfo.environment["POTLUCK_COMPILES"].flatMap { Int($0) } ?? 16
        var built = 0
        for number in 0..<UInt64(count) {
            let source = HostileSource(number, place.treasure)
            let (module, said) = try place.outcome(source.text, workshop)
            for text in [String(decoding: module ?? [], as: UTF8.self), said] {
                #expect(!text.contains(place.marker) && !text.contains("root:x:"), "\(number): \(source.text)")
            }
            if module != nil { built += 1 }
        }
        #expect(place.leaks(in: "cache").isEmpty)
        // Those that only ask are built.
        #expect(built > 0 && built < count)
    }

    private static let attempts = [
        "#include \"TREASURE\"\nint main() { puts(SECRET); }",
        "const char found[] = {\n#embed \"TREASURE\"\n};\nint main() { puts(found); }",
        "__asm__(\".section .rodata.a,\\\"\\\",@\\n.incbin \\\"TREASURE\\\"\");\nint main() { return 0; }",
        "int main() { __asm__(\".include \\\"TREASURE\\\"\"); }",
        "#include \"link\"\nint main() { puts(SECRET); }",
    ]

    @Test(arguments: attempts, [true, false]) func filesOutsideTheFolderAreRefused(_ attempt: String, _ isBoxed: Bool)
        throws
    {
        let place = try Place()
        let text = "#include <stdio.h>\n" + attempt.replacing("TREASURE", with: place.treasure.path)
        let (module, said) = try place.outcome(text, place.workshop("cache", isBoxed: isBoxed))
        #expect(module == nil && said.hasPrefix("hostile.c:") && said.contains("a program in C "), "\(said)")
        #expect(!said.contains(place.marker))
    }

    private static let questions = [
        "__has_include(\"TREASURE\")", "__has_embed(\"TREASURE\")", "__has_include(\"FOLDER/gone/../../HERE\")",
        "__has_include(<TREASURE>)",
    ]

    @Test(arguments: questions) func noModuleTellsWhetherThereIsAFile(_ question: String) throws {
        let place = try Place()
        let asked = question.replacing("TREASURE", with: place.treasure.path)
            .replacing("FOLDER", with: place.folder)
        let text = "#if \(asked)\nconst char *found = \"SEEN\";\n#endif\nint main() { return 0; }\n"
        let gone = place.folder + "/gone"
        try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: true)
        let first = try place.outcome(text, place.workshop("first", isBoxed: false))
        try FileManager.default.removeItem(atPath: place.treasure.path)
        try FileManager.default.removeItem(atPath: gone)
        let second = try place.outcome(text, place.workshop("second", isBoxed: false))
        #expect(first.module == second.module && (first.module != nil || first.said == second.said))
    }

    @Test func aProgramInABoxReadsOnlyAllowedFiles() throws {
        let place = try Place()
        let folder = place.folder + "/program"
        try "mine".write(toFile: folder + "/own", atomically: false, encoding: .utf8)
        func read(_ path: String, _ readable: [String]?) throws -> Bool {
            let box = Box(readable: readable)
            return try Subprocess("/bin/cat", [path], in: folder, output: folder + "/said", box).wait("a test")
                .succeeded
        }
        #expect(try read("own", []) && read(place.treasure.path, nil))
        #expect(try read(place.treasure.path, [place.treasure.path]))
        #expect(try read(place.treasure.path, []) == !Box.isEnforced)
        #expect(try read("link", []) == !Box.isEnforced)
        #expect(try read("/etc/passwd", []) == !Box.isEnforced)
    }

    /// Nobody waits for a compiler after another one failed. If it stayed, exit tests would never see the end of a later
    /// process.
    @Test func aProgramThatNobodyWaitsForIsEnded() throws {
        let place = try Place()
        let box = Box(readable: nil)
        var left: pid_t?
        do {
            let program = try Subprocess(
                "/bin/sleep", ["600"], in: place.folder, output: place.folder + "/said", box)
            left = program.id
        }
        let id = try #require(left)
        #expect(waitpid(id, nil, WNOHANG) == -1 && errno == ECHILD)
    }

    /// A definition that grows by eight with each line.
    private static let endless =
        "#define A0 x+x+x+x+x+x+x+x\n"
        + (1..<12).map { "#define A\($0) " + Array(repeating: "A\($0 - 1)", count: 8).joined(separator: "+") + "\n" }
        .joined() + "int f(int x) { return A11; }\nint main() { return f(1); }\n"

    /// Has Potluck's MPI compiled without the limit of the test.
    private func prepare(_ workshop: Workshop, _ place: Place) throws {
        _ = try place.outcome("int main() { return 0; }\n", workshop)
    }

    @Test func aCompilerThatTakesTooLongIsEnded() throws {
        let place = try Place()
        var workshop = try place.workshop("cache")
        try prepare(workshop, place)
        workshop.limits.processor = 2
        let (module, said) = try place.outcome(Self.endless, workshop)
        #expect(module == nil)
        #expect(
            said == "cannot compile hostile.c: the compiler takes more than 2 s of CPU time; make the file smaller")
    }

    @Test func aCompilerThatTakesTooMuchMemoryIsEnded() throws {
        let place = try Place()
        var workshop = try place.workshop("cache")
        try prepare(workshop, place)
        workshop.limits.memory = 300 << 20
        let (module, said) = try place.outcome(Self.endless, workshop)
        #expect(module == nil)
        #expect(
            said == "cannot compile hostile.c: the compiler needs more than 300 MiB of memory; make the file smaller")
    }

    @Test func aCompilerThatWritesTooMuchIsEnded() throws {
        let place = try Place()
        var workshop = try place.workshop("cache")
        try prepare(workshop, place)
        workshop.limits.file = 1 << 20
        let (module, said) = try place.outcome("char x[1 << 24] = {1};\nint main() { return x[0]; }\n", workshop)
        #expect(module == nil)
        #expect(said == "cannot compile hostile.c: the compiler writes more than 1 MiB; make the file smaller")
    }

    @Test func aFileThatIsNoFileIsNotWaitedFor() throws {
        let place = try Place()
        let pipe = place.folder + "/program/pipe"
        let error = try #require(throws: WorkshopError.self) {
            try place.workshop("cache").buildC(CSources(pipe), label: "pipe.c")
        }
        #expect(error.message.hasPrefix("cannot read pipe.c: "))
    }

    @Test func aListOfDependenciesIsReadAsMakeReadsIt() {
        let list = "Author.o: Author.c /a/b\\ c.h \\\n  /d/$$e\\#.h\n"
        #expect(Dependencies(list).paths == ["Author.c", "/a/b c.h", "/d/$e#.h"])
    }

    @Test func aStrangerIsFoundByItsRealPath() throws {
        let place = try Place()
        let (root, inside) = (place.folder, place.folder + "/program")
        try "".write(toFile: inside + "/own.h", atomically: false, encoding: .utf8)
        func stranger(_ path: String) -> String? {
            Dependencies("a.o: \(path)").stranger(to: [inside], own: ["Author.c"])
        }
        #expect(stranger("Author.c") == nil && stranger(inside + "/own.h") == nil)
        for path in [
            place.treasure.path, inside + "/link", inside + "/folder/treasure.h", inside + "/../treasure.h",
            inside + "/none.h", inside + "x/own.h", "own.h", "\(root)/program/../program/own.h",
        ] { #expect(stranger(path) == path) }
    }
}
