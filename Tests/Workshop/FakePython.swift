import Foundation
import PotluckSystem

@testable import PotluckMachine

/// A compiler for Python that only pretends to compile, in a folder that is removed at the end, and programs that pretend to
/// be Python.
final class FakePython: Sendable {
    let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "potluck-python-\(UUID().uuidString)").path
    var cache: String { root + "/cache" }
    /// Whether this machine has Python.
    static let canRun = PythonInterpreter.find(path: ProcessInfo.processInfo.environment["PATH"] ?? "") != nil
    let path: String

    /// Copies the author's file, and does what some words in the file say.
    private static let compiler = """
        import sys
        from . import other

        def main(words):
            value = dict(zip(words[2::2], words[3::2]))
            text = open(words[1]).read()
            label = value["--label"]
            if words[0] == "reference":
                print("the author's line")
                sizes = [len(open(word.split("=")[0] + ".table", "rb").read()) for word in words if word == "a=2"]
                print('{"slots": ["%d"], "failure": null, "conflict": null}' % sizes[0] if other.number == 1 else "")
                return
            if "mistake" in text:
                sys.exit(label + ":1:1: error: a mistake\\n" + label + ":2:1: note: here")
            if "broken" in text:
                raise KeyError("broken")
            if "secret" in text:
                text = open(text.split()[1]).read()
            if "remark" in text:
                print(label + ":1:1: warning: a remark")
            open(value["--out"], "w").write(open(value["--runtime"]).read() + text)

        """

    init() throws {
        path = root + "/author/dice.py"
        try write("from . import nothing\n", to: "potluck/_language/__init__.py")
        try write("", to: "potluck/_language/nothing.py")
        try write("", to: "potluck/__init__.py")
        try write("number = 1\n", to: "potluck/_language/other.py")
        try write(Self.compiler, to: "potluck/_language/command.py")
        try write("runtime ", to: "runtime.wasm")
        try save("text")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// A workshop with this compiler. `python` is the folder of a `python3`; nil stands for the user's own.
    func workshop(python: String? = nil, isBoxed: Bool = true) -> Workshop {
        var workshop = Workshop(
            folder: cache, searchPath: python ?? ProcessInfo.processInfo.environment["PATH"] ?? "")
        workshop.pythonPlaces = [(root + "/nowhere", root + "/nowhere"), (root + "/potluck", root + "/runtime.wasm")]
        workshop.isBoxed = isBoxed
        return workshop
    }

    /// Writes the author's file.
    func save(_ text: String) throws { try write(text, to: "author/dice.py") }

    func write(_ text: String, to name: String) throws {
        let path = "\(root)/\(name)"
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Makes a program `python3` of a shell script. Returns its folder.
    func python(_ script: String) throws -> String {
        let folder = "\(root)/bin-\(UUID().uuidString)"
        try FakeToolchains.install("#!/bin/sh\n\(script)\n", at: "\(folder)/python3")
        return folder
    }

    /// What comes of the author's file: its module, or what the author is told.
    func outcome(_ workshop: Workshop, begin: () -> Void = {}) -> Result<String, WorkshopError> {
        do throws(WorkshopError) {
            let product = try workshop.buildPython(path, label: "dice.py", begin: begin)
            return .success(product.warnings + String(decoding: product.module, as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }
}
