import Foundation
import Testing

/// Programs in C of several files, as users start them.
@Suite(.serialized, .enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"), .timeLimit(.minutes(60)))
struct SeveralSourcesTests {
    private let author: PluginAuthor
    private let program = EndToEndTests()

    init() throws {
        author = try PluginAuthor()
        try FileManager.default.createDirectory(
            atPath: author.folder + "/include/deep", withIntermediateDirectories: true)
        try write(
            "main.c",
            """
            #include <mpi.h>
            #include <stdio.h>
            #include <far.h>
            #include "util.h"
            int main(int argc, char **argv) {
                MPI_Init(&argc, &argv);
                for (int i = 1; i < argc; i++) printf("argument %s\\n", argv[i]);
                printf("%d\\n", twice(N) + FAR);
                return MPI_Finalize();
            }
            """)
        try write("util.h", "int twice(int);\n")
        try write("util.c", "#include \"util.h\"\nint twice(int x) { return 2 * x; }\n")
        try write("include/far.h", "#include \"deep/far.h\"\n")
        try write("include/deep/far.h", "#define FAR 100\n")
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(author.folder)/\(name)", atomically: false, encoding: .utf8)
    }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try program.run(
            line.replacing("@", with: author.folder + "/"), environment: author.environment)
    }

    @Test func theFilesOfAProgramAreOneProgram() throws {
        let whole = "launch -n 2 --plain --quiet @main.c @util.c"
        let outcome = try run("\(whole) -D N=5 -I @include -l m one -- util.c")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        let lines = outcome.stdout.split(separator: "\n").sorted()
        #expect(lines == ["110", "110", "argument one", "argument one", "argument util.c", "argument util.c"])
        // A changed header makes another program.
        try write("include/deep/far.h", "#define FAR 200\n")
        #expect(try run("\(whole) -DN=5 -I@include -lm").stdout == "210\n210\n")
        #expect(try run("\(whole) -DN=7 -I@include").stdout == "214\n214\n")
        let built = try run("build @main.c @util.c -D N=5 -I @include")
        #expect(built.code == 0 && built.stdout.contains("run it with: potluck launch "), "\(built.stderr)")
        #expect(try run("launch -n 1 @main.wasm --plain --quiet").stdout == "210\n")
    }

    @Test func errorsNameTheFile() throws {
        try write("calls.c", "int MPI_Sendreceive(void);\nint twice(int x) { return MPI_Sendreceive(); }\n")
        try write("again.c", "#include \"util.h\"\nint twice(int x) { return 3 * x; }\n")
        let wrong: [(String, Int32, String)] = [
            (
                "launch @main.c @calls.c -D N=5 -I @include", 1,
                "/calls.c: MPI_Sendreceive is not available; did you mean 'MPI_Sendrecv'?"
            ),
            ("launch @main.c @util.c @again.c -D N=5 -I @include", 1, "/again.c; declare it in one of them as static"),
            ("launch @main.c @util.c @util.h -D N=5 -I @include", 2, "util.h is a header, which is read where"),
            ("launch @main.c @util.c -D N=5", 1, "main.c:3:10: fatal error: 'far.h' file not found"),
            ("launch @main.c @util.c -D N=5", 1, "or in a folder that -I names"),
            ("launch @main.c -D N=5 -I @include", 1, "twice is not available; no header and no function of the named"),
            ("launch @main.c @gone.c -D N=5", 1, "gone.c: No such file or directory"),
            ("launch @main.c @util.c @util.c -I @include", 1, "util.c is named twice"),
            ("launch @main.c @util.c -D 5=N", 2, "must be NAME or NAME=VALUE"),
            ("launch @main.c -l pthread", 2, "there are only m and c"),
            ("launch @main.c -I @none -D N=1", 1, "cannot read the folder"),
            ("launch @main.wasm -D N=1", 2, "-D is for programs in C"),
            ("build @main.c N=5", 2, "unexpected argument 'N=5'"),
        ]
        for (line, code, why) in wrong {
            let outcome = try run(line)
            #expect(outcome.code == code && outcome.stderr.contains(why), "\(line): \(outcome.stderr)")
            #expect(outcome.stdout == "")
        }
        try write("util.c", "#include \"util.h\"\nint twice(int x) {\n    return x +;\n}\n")
        let outcome = try run("launch @main.c @util.c -D N=5 -I @include")
        let place = "util.c:3:15: error: "
        #expect(outcome.stderr.contains(place) && !outcome.stderr.contains("Author"), "\(outcome.stderr)")
    }

    @Test func aCrashNamesTheFile() throws {
        try write(
            "util.c", "#include \"util.h\"\nint twice(int x) {\n    return *(volatile int *)(0xffffff00u + x);\n}\n")
        let outcome = try run("launch -n 1 @main.c @util.c -D N=4 -I @include")
        #expect(outcome.code == 1 && outcome.stderr.contains("it crashed in line 3 of util.c"), "\(outcome.stderr)")
        try write("util.c", "#include \"util.h\"\nint twice(int x) {\n    return *(int *)(x - 4);\n}\n")
        let null = try run("launch -n 1 @main.c @util.c -D N=4 -I @include")
        #expect(null.code == 139 && null.stderr.contains("util.c:3: a null pointer is read"), "\(null.stderr)")
    }

    /// Each warning stands for a program that would compute something else than where a `long` has 64 bits.
    @Test(arguments: [
        ("long x = 1; printf(\"%ld\\n\", x << 40);", "shift count >= width of type"),
        ("long long x = 5; printf(\"%ld\\n\", x);", "type 'long' but the argument has type 'long long'"),
        ("for (long i = argc; i < 3000000000; i++) if (i > 5) break;", "is always true"),
        ("long long x = argc; long y = x * x; printf(\"%ld\\n\", y);", "implicit conversion loses integer precision"),
    ])
    func aLongOf64BitsIsWarnedOf(_ body: String, _ warning: String) throws {
        let text = "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv) {\n    MPI_Init(0, 0);\n"
        try write("long.c", text + "    \(body)\n    return MPI_Finalize();\n}\n")
        let outcome = try run("launch -n 1 @long.c")
        // A shift ends the program, too.
        #expect(outcome.code == (warning.hasPrefix("shift") ? 1 : 0))
        #expect(outcome.stderr.contains(warning), "\(outcome.stderr)")
        #expect(outcome.stderr.contains("long.c: a long has 32 bits here"), "\(outcome.stderr)")
    }

    @Test func aMacroThatClaimsALongOf64BitsIsWarnedOf() throws {
        try write("include/far.h", "#define FAR 0\n#define SIZEOF_LONG 8\n")
        let outcome = try run("launch -n 1 @main.c @util.c -D N=5 -D LONG_IS_64BITS=1 -I @include")
        #expect(outcome.code == 0)
        #expect(outcome.stderr.contains("-D LONG_IS_64BITS=1: a long has 32 bits here"), "\(outcome.stderr)")
        #expect(outcome.stderr.contains("far.h:2: SIZEOF_LONG: a long has 32 bits here"), "\(outcome.stderr)")
        // What does not depend on the width is not warned of.
        try write("include/far.h", "#include <stdlib.h>\n#include <time.h>\n#define FAR (srand(time(NULL)), 0)\n")
        #expect(try !run("launch -n 1 @main.c @util.c -D N=5 -I @include").stderr.contains("warning"))
    }

    @Test func aLongThatIsShiftedTooFarEndsTheProgram() throws {
        try write(
            "util.c",
            "#include \"util.h\"\nint twice(int x) {\n    long one = 1;\n    return one << (x + 30) > 7;\n}\n")
        let outcome = try run("launch -n 1 @main.c @util.c -D N=5 -I @include --quiet")
        #expect(outcome.code == 1 && outcome.stdout == "", "\(outcome.stdout)")
        let sentence = "util.c:4: a long is shifted by 35 bits, but it has 32 here"
        #expect(outcome.stderr.contains(sentence), "\(outcome.stderr)")
    }

    @Test func missingCallsAreNamedAllAtOnce() throws {
        try write(
            "typos.c",
            """
            #include <mpi.h>
            int main(int argc, char **argv) {
                MPI_Init(&argc, &argv);
                MPI_Bcats(&argc, 1, MPI_INT, 0, MPI_COMM_WORLD);
                MPI_Alreduce(&argc);
                return MPI_Finalise();
            }
            """)
        let outcome = try run("launch @typos.c")
        for (typed, meant) in [
            ("MPI_Bcats", "MPI_Bcast"), ("MPI_Alreduce", "MPI_Allreduce"), ("MPI_Finalise", "MPI_Finalize"),
        ] {
            let sentence = "typos.c: \(typed) is not available; did you mean '\(meant)'?"
            #expect(outcome.code == 1 && outcome.stderr.contains(sentence), "\(outcome.stderr)")
        }
    }
}
