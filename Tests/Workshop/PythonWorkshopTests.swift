import Foundation
import PotluckKit
import PotluckSystem
import Testing

@testable import PotluckMachine

/// How a file in Python becomes a module. A stand-in takes the compiler's place; Python is that of this machine.
@Suite(.enabled(if: FakePython.canRun, "python3 is not here")) struct PythonWorkshopTests {
    private let fake: FakePython

    init() throws { fake = try FakePython() }

    @Test(arguments: [true, false]) func theCompilerMakesTheModule(_ isBoxed: Bool) throws {
        let workshop = fake.workshop(isBoxed: isBoxed)
        #expect(try fake.outcome(workshop).get() == "runtime text")
    }

    /// What takes a while is done once for each version of the compiler.
    @Test func theCompilerIsPreparedOnce() throws {
        var begun = 0
        for round in 0..<3 {
            try fake.save("text \(round)")
            #expect(try fake.outcome(fake.workshop()) { begun += 1 }.get() == "runtime text \(round)")
        }
        #expect(begun == 1)
        try fake.write("other ", to: "runtime.wasm")
        #expect(try fake.outcome(fake.workshop()) { begun += 1 }.get() == "other text 2")
        #expect(begun == 2)
        try fake.write("number = 2\n", to: "potluck/_language/other.py")
        try fake.save("text 3")
        _ = try fake.outcome(fake.workshop()) { begun += 1 }.get()
        #expect(begun == 3)
        let prepared = try FileManager.default.contentsOfDirectory(atPath: fake.cache + "/python")
        #expect(prepared.count == 3)
        for name in prepared {
            let part = "\(fake.cache)/python/\(name)/_language/__pycache__"
            #expect(try FileManager.default.contentsOfDirectory(atPath: part).contains { $0.hasPrefix("command.") })
        }
    }

    @Test func aKeptModuleNeedsNoPython() throws {
        let made = try fake.outcome(fake.workshop()).get()
        #expect(try fake.outcome(fake.workshop(python: "/nowhere")).get() == made)
        try fake.save("other")
        #expect(throws: PythonInterpreter.isMissing("dice.py")) {
            try fake.outcome(fake.workshop(python: "/nowhere")).get()
        }
    }

    /// The installer's proxy may start another Python by then; the one that was asked is still there.
    @Test func theInterpreterIsTheOneBehindTheProxy() throws {
        let real = try #require(PythonInterpreter.find(path: ProcessInfo.processInfo.environment["PATH"] ?? ""))
        let count = fake.root + "/count"
        let proxy = try fake.python("echo >>'\(count)'\nexec '\(real)' \"$@\"")
        for round in 0..<3 {
            try fake.save("text \(round)")
            #expect(try fake.outcome(fake.workshop(python: proxy)).get() == "runtime text \(round)")
        }
        #expect(try String(contentsOfFile: count, encoding: .utf8) == "\n")
    }

    @Test func anAuthorsMistakesNameTheFile() throws {
        try fake.save("mistake")
        let said = WorkshopError.compiler("dice.py:1:1: error: a mistake\ndice.py:2:1: note: here")
        #expect(throws: said) { try fake.outcome(fake.workshop()).get() }
        try fake.save("remark")
        #expect(try fake.outcome(fake.workshop()).get() == "dice.py:1:1: warning: a remarkruntime remark")
        // It is kept with the module.
        #expect(try fake.outcome(fake.workshop(python: "/nowhere")).get().hasPrefix("dice.py:1:1: warning: a remark"))
    }

    @Test func aMistakeOfTheCompilerIsOneLine() throws {
        try fake.save("broken")
        #expect(throws: WorkshopError.refused("dice.py: the compiler failed: KeyError: 'broken'")) {
            try fake.outcome(fake.workshop()).get()
        }
    }

    @Test(.enabled(if: Box.isEnforced, "this kernel has no Landlock")) func theCompilerReadsNoOtherFile() throws {
        try fake.write("what nobody may read", to: "secret")
        try fake.save("secret \(fake.root)/secret")
        #expect(throws: WorkshopError.self) { try fake.outcome(fake.workshop()).get() }
        let open = try fake.outcome(fake.workshop(isBoxed: false)).get()
        #expect(open == "runtime what nobody may read", "only the box keeps it away")
    }

    @Test(arguments: [
        ("printf '3.8\\n/bin/sh\\n/usr\\n' >about", "is Python 3.8; install Python 3.9 or later"),
        ("printf '2.7\\n/bin/sh\\n/usr\\n' >about", "is Python 2.7; install Python 3.9 or later"),
        ("echo 'no such version'; exit 1", "does not start: no such version; install Python 3.9 or later"),
        ("exit 1", "does not start: it says nothing; install Python 3.9 or later"),
        (
            "printf '3.9\\n/bin/sh\\n/usr\\n' >about; echo 'no module compileall'; exit 1",
            "cannot prepare the compiler: no module compileall; install Python 3.9 or later"
        ),
    ])
    func anUnfitPythonIsNamed(_ script: String, _ sentence: String) throws {
        let folder = try fake.python(script)
        let expected = WorkshopError.refused("cannot compile dice.py: \(folder)/python3 \(sentence)")
        #expect(throws: expected) { try fake.outcome(fake.workshop(python: folder)).get() }
        // Nothing is left behind.
        let left = try FileManager.default.contentsOfDirectory(atPath: fake.cache).sorted()
        #expect(left == ["python"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: fake.cache + "/python").isEmpty)
    }

    /// The prepared compiler runs outside of the sandbox.
    @Test func aCompilerThatOthersCouldWriteIsPreparedAgain() throws {
        var begun = 0
        #expect(try fake.outcome(fake.workshop()) { begun += 1 }.get() == "runtime text")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: fake.cache + "/python").first)
        for (round, part) in ["", "/_language", "/about", "/runtime.wasm"].enumerated() {
            let path = "\(fake.cache)/python/\(name)\(part)"
            chmod(path, 0o777)
            try fake.save("text \(round)")
            #expect(try fake.outcome(fake.workshop()) { begun += 1 }.get() == "runtime text \(round)")
            #expect(begun == round + 2, "\(part)")
        }
    }

    @Test func aCompilerThatOthersCanWriteIsNotUsed() throws {
        let path = fake.root + "/potluck/_language/other.py"
        chmod(path, 0o666)
        let expected = WorkshopError.refused(
            "cannot compile dice.py: the compiler's file \(path) is not used: another user can write it")
        #expect(throws: expected) { try fake.outcome(fake.workshop()).get() }
    }

    @Test func aMissingCompilerIsNamed() throws {
        var workshop = fake.workshop()
        workshop.pythonPlaces = [(fake.root + "/nowhere", fake.root + "/nowhere")]
        let error = #expect(throws: WorkshopError.self) { try fake.outcome(workshop).get() }
        #expect(error?.message.hasPrefix("cannot compile dice.py: the compiler for Python is missing") == true)
    }

    /// In a build folder the sources beside it are newer than what is installed.
    @Test func theCompilerIsBesideTheProgram() {
        let built = PythonCompiler.places(program: "/src/potluck/.build/release/potluck")
        #expect(built.first?.package == "/src/potluck/.build/../Python/potluck")
        #expect(built.first?.runtime == "/src/potluck/.build/python/runtime.wasm")
        let installed = PythonCompiler.places(program: "/opt/potluck/bin/potluck")
        #expect(installed.map(\.package).first == "/opt/potluck/lib/potluck/python/potluck" && installed.count == 2)
    }

    @Test(.enabled(if: Box.isEnforced, "this kernel has no Landlock")) func pythonPlaysTheFile() throws {
        let source = SHA256.hash(Array("text".utf8)).hexadecimal
        func play(_ source: String) throws(WorkshopError) -> PythonReply {
            try fake.workshop().playPython(
                fake.path, label: "dice.py", source: source, parameters: ["sides=6"],
                tables: [("a", Table(rows: 1, columns: 2, numbers: [1.5, -2])), ("b", .empty)], seed: 1, blocks: 0..<2,
                trials: 5)
        }
        // The bytes of the table that is given.
        #expect(try play(source) == .tally([16]))
        #expect(throws: WorkshopError.refused("dice.py has changed meanwhile")) { try play("") }
        try fake.write("number = 2\n", to: "potluck/_language/other.py")
        #expect(throws: WorkshopError.refused("Python says: the author's line")) { try play(source) }
    }

    @Test(
        arguments: [
            (
                #"{"slots": ["0", "18446744073709551615"], "failure": null, "conflict": null}"#,
                PythonReply.tally([0, .max])
            ),
            (
                #"{"slots": ["1"], "failure": null, "conflict": null, "unread": {"a": "line 3: b"}}"#,
                .tally([1], unread: ["a": "line 3: b"])
            ),
            (#"{"slots": [], "failure": "line 3: a division by zero"}"#, .failure("line 3: a division by zero")),
            (#"{"slots": [], "failure": null, "conflict": "too many doors"}"#, .failure("too many doors")),
            (#"{"slots": [1], "failure": null, "conflict": null}"#, nil),
            (#"{"slots": ["-1"], "failure": null, "conflict": null}"#, nil),
            (#"{"slots": null, "failure": null, "conflict": null}"#, nil), (#"{"slots": ["1"]}"#, nil), ("[]", nil),
            ("", nil),
        ] as [(String, PythonReply?)])
    func repliesAreRead(_ text: String, _ reply: PythonReply?) { #expect(PythonReply(text) == reply) }
}
