import PotluckCore

/// Files in C that try to get something of the person who compiles them into their module. Each is drawn from a number.
struct HostileSource {
    /// What the files want. `text` is C, so that it can also be included.
    struct Treasure {
        /// The folder of the file, below which the program's folder is.
        let folder: String
        let name: String
        var path: String { "\(folder)/\(name)" }
    }

    let text: String

    /// A file that would compile, and would contain the treasure, if the compiler read it.
    init(_ number: UInt64, _ treasure: Treasure) {
        var draw = Draw(SeededGenerator(seed: number))
        let path = Self.path(treasure, &draw)
        let attempt =
            switch draw.below(4) {
            case 0: Self.include(path, &draw)
            case 1: Self.embed(path, &draw)
            case 2: Self.assemble(path, &draw)
            default: Self.ask(path, &draw)
            }
        let disguise = draw.one(["", "#line 1 \"/etc/passwd\"\n", "#pragma once\n", "\u{FEFF}", "/* \\\n */ "])
        text = """
            \(disguise)#include <mpi.h>
            \(attempt)
            #ifndef FOUND
            #define FOUND "nothing"
            #endif
            int main(int argc, char **argv) {
                MPI_Init(&argc, &argv);
                puts(FOUND);
                return MPI_Finalize();
            }

            """
    }

    private struct Draw {
        var generator: SeededGenerator
        init(_ generator: SeededGenerator) { self.generator = generator }
        mutating func below(_ bound: Int) -> Int { Int(generator.next(below: UInt64(bound))) }
        mutating func one(_ choices: [String]) -> String { choices[below(choices.count)] }
    }

    /// Ways to write the path of a file.
    private static func path(_ treasure: Treasure, _ draw: inout Draw) -> String {
        let up = String(repeating: "../", count: 1 + draw.below(24))
        let bare = String(treasure.path.dropFirst())
        return draw.one([
            treasure.path, treasure.path, treasure.path, "/" + treasure.path, "/." + treasure.path, up + bare,
            "./" + up + bare, "/proc/self/root" + treasure.path, "/proc/self/cwd/" + up + bare,
            "/usr/include/../.." + treasure.path, "/nonexistent/../" + bare, treasure.folder + "/./" + treasure.name,
            treasure.folder + "/program/../" + treasure.name, treasure.folder + "/program/link", "link",
            treasure.folder + "/program/folder/" + treasure.name, treasure.name, "../" + treasure.name,
            "-" + treasure.name, "@" + treasure.path, "file://" + treasure.path, "/dev/stdin", "/dev/fd/0",
            "/proc/self/environ", "/proc/self/cmdline", "/etc/passwd", "/dev/zero", treasure.folder + "/program/pipe",
            "about.c", "visible.json", "said",
        ])
    }

    private static func include(_ path: String, _ draw: inout Draw) -> String {
        let name = draw.one(["\"\(path)\"", "\"\(path)\"", "<\(path)>"])
        let word = draw.one([
            "#include", "#include", "#include_next", "#import", "%:include", "??=include", "#\\\ninclude",
            "# /* */ include",
        ])
        let direct = "\(word) \(name)"
        let computed = "#define WHERE \(name)\n\(word) WHERE"
        let guarded = "#if __has_include(\(name))\n\(direct)\n#endif"
        return draw.one([direct, direct, computed, guarded]) + "\n#ifdef SECRET\n#define FOUND SECRET\n#endif"
    }

    private static func embed(_ path: String, _ draw: inout Draw) -> String {
        let name = draw.one(["\"\(path)\"", "\"\(path)\"", "<\(path)>"])
        let limits = draw.one(["", " limit(4096)", " prefix(32,) suffix(,0)", " if_empty(0)"])
        return """
            static const char found[] = {
            #embed \(name)\(limits)
            ,0};
            #define FOUND found
            """
    }

    private static func assemble(_ path: String, _ draw: inout Draw) -> String {
        let word = draw.one(["__asm__", "asm", "__asm"])
        let line = draw.one([
            ".incbin \\\"\(path)\\\"", ".incbin \\\"\(path)\\\", 0, 64", ".include \\\"\(path)\\\"",
            ".section .rodata.found,\\\"\\\",@\\nfound:\\n.incbin \\\"\(path)\\\"\\n.size found, 64",
            ".section .custom_section.found,\\\"\\\",@\\n.incbin \\\"\(path)\\\"",
        ])
        return draw.one([
            "\(word)(\"\(line)\");",
            "void assemble(void) { \(word) volatile (\"\(line)\"); }",
            "void assemble(void) { \(word)(\"\(line)\" : : : \"memory\"); }",
            "#define WORD(x) x\nWORD(\(word))(\"\(line)\");",
            "__extension__ \(word)(\"\(line)\");",
        ])
    }

    /// Asks whether there is a file, or asks the compiler for other files.
    private static func ask(_ path: String, _ draw: inout Draw) -> String {
        let name = draw.one(["\"\(path)\"", "<\(path)>"])
        return draw.one([
            "#if __has_include(\(name))\n#define FOUND \"SEEN\"\n#endif",
            "#if __has_include_next(\(name))\n#define FOUND \"SEEN\"\n#endif",
            "#if __has_embed(\(name))\n#define FOUND \"SEEN\"\n#endif",
            "#pragma GCC dependency \(name)", "#pragma clang module import \(path)",
            "#pragma clang module build found\nmodule found { header \(name) }\n#pragma clang module endbuild",
            "#pragma clang module load \(name)", "#pragma GCC pch_preprocess \(name)",
            "#pragma include_alias(<mpi.h>, \(name))",
            "#pragma comment(lib, \(name))", "#pragma comment(linker, \"--whole-archive \(path)\")", "@import found;",
            "__attribute__((section(\".custom_section.linking\"))) const char found[] = \"\(path)\";",
            "int found(void) __attribute__((import_module(\"\(path)\"), import_name(\"found\")));",
        ])
    }
}
