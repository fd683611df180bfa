import Dispatch
import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckNet
import PotluckScreen
import PotluckSystem

/// The simulations in Python that the host writes in its page. Each is a file in a folder of this machine.
final class HostScripts: Sendable {
    static let largest = PageLimits.script
    /// The most files: more than a list on a page is good for, and little on a disk.
    static let most = 100
    /// The most problems that a page shows, and the most characters of one.
    private static let mostProblems = 20
    private static let longestProblem = 300
    /// The name of a text that has none yet, for the compiler.
    private static let unnamed = "simulation.py"

    /// What the page can start, by the names of the files.
    private let runnable = Guarded<[String: ChosenSimulation]>([:])
    /// How many checks were asked for. Only the newest one is made.
    private let checks = Guarded(0)
    private let directory: StateDirectory
    private let limits: PluginLimits
    /// One compiler at a time, and no thread of a session waits for it.
    private let queue = DispatchQueue(label: "potluck-scripts")

    init(in directory: StateDirectory, _ limits: PluginLimits) { (self.directory, self.limits) = (directory, limits) }

    var folder: String { directory.path + "/simulations" }

    /// The simulation of a file as it was when the page saved it last; nil for one that cannot run.
    func simulation(_ name: String) -> ChosenSimulation? { runnable.with { $0[name] } }

    /// Does what the page asks for, and calls `reply` unless it is a check that a newer one has replaced.
    func take(_ request: ScriptRequest, reply: @escaping @Sendable (ScriptAnswer) -> Void) {
        let isCheck = if case .check = request { true } else { false }
        let number = checks.with { checks in
            if isCheck { checks += 1 }
            return checks
        }
        queue.async { [self] in
            if isCheck, number != checks.with({ $0 }) { return }
            do throws(Failure) {
                reply(try answer(request))
            } catch {
                reply(.refused(error.message))
            }
        }
    }

    private func answer(_ request: ScriptRequest) throws(Failure) -> ScriptAnswer {
        switch request {
        case .list: return .list(names)
        case .new(let kind, let name):
            let template = try Self.template(name)
            guard let text = Template.Kind(rawValue: kind).flatMap(template.python) else {
                throw Failure(message: "there is no template \(Spelling.quoted(kind)) in Python; choose dice or series")
            }
            return .text(text, name: name, print: nil)
        case .open(let name):
            _ = try Self.template(name)
            guard let octets = try read(name) else {
                throw Failure(message: "there is no file \(name) in \(folder); choose one of the list")
            }
            guard let text = String(validating: octets, as: UTF8.self), Self.fault(text) == nil else {
                throw Failure(message: "\(name) is not a text; open it in an editor")
            }
            return .text(text, name: name, print: SHA256.hash(octets))
        case .check(let text, let number):
            if let fault = Self.fault(text) { return .checked([fault], number: number) }
            do throws(WorkshopError) {
                _ = try PluginFiles.module(ofPython: Array(text.utf8), label: Self.unnamed, isKept: false)
                return .checked([], number: number)
            } catch {
                return .checked(Self.problems(error, Self.unnamed), number: number)
            }
        case .save(let text, let name, let print):
            _ = try Self.template(name)
            if let fault = Self.fault(text) {
                throw Failure(message: fault.line.map { "line \($0): \(fault.text)" } ?? fault.text)
            }
            try keep(Array(text.utf8), name, print)
            return describe(Array(text.utf8), name)
        }
    }

    // MARK: Texts

    /// Returns the template for a file. Throws unless the name is one that `potluck new` accepts, with `.py`: it is no path.
    private static func template(_ name: String) throws(Failure) -> Template {
        guard name.hasSuffix(".py"), let template = Template(String(name.dropLast(3))) else {
            throw Failure(
                message:
                    "invalid name \(Spelling.quoted(name)): use lower-case letters, digits and hyphens, beginning with a "
                    + "letter, at most \(Template.longestName) in all, and .py at the end")
        }
        return template
    }

    /// Says why a text is not compiled; nil if nothing speaks against it.
    static func fault(_ text: String) -> ScriptAnswer.Problem? {
        let size = text.utf8.count
        if size > largest {
            return .init(
                nil,
                "the text has \(size) bytes, and the page keeps at most \(largest); write it in an editor and start the "
                    + "server with --offer FILE")
        }
        var line = 1
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                line += 1
            } else if scalar != "\t", !scalar.isFitForScreen {
                return .init(line, "this line has a control character, which nobody can see; write the line again")
            }
        }
        return nil
    }

    /// What the compiler says of a text that it calls `label`, by its lines.
    static func problems(_ error: WorkshopError, _ label: String) -> [ScriptAnswer.Problem] {
        let lines = error.message.split(separator: "\n").prefix(mostProblems)
        return lines.map { said in
            let parts = said.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0] == label, let line = Int(parts[1]) else {
                return .init(nil, String(said.prefix(longestProblem)))
            }
            let text = parts[3].drop { $0 == " " }
            let isError = text.hasPrefix("error: ")
            return .init(line, String(text.dropFirst(isError ? 7 : 0).prefix(longestProblem)))
        }
    }

    /// Compiles a file that is kept, and describes its simulation.
    private func describe(_ octets: [UInt8], _ name: String) -> ScriptAnswer {
        func saved(_ problems: [ScriptAnswer.Problem], _ chosen: ChosenSimulation? = nil) -> ScriptAnswer {
            runnable.with { $0[name] = chosen }
            return .saved(
                name: name, print: SHA256.hash(octets), problems,
                simulation: chosen.map { SimulationJSON.value($0.simulation, module: nil) })
        }
        let module: [UInt8]
        do throws(WorkshopError) {
            module = try PluginFiles.module(ofPython: octets, label: name, isKept: true)
        } catch {
            return saved(Self.problems(error, name))
        }
        do {
            return saved([], try ChosenSimulation("\(folder)/\(name)", module: module, limits))
        } catch let failure as Failure {
            return saved([.init(nil, String(failure.message.prefix(Self.longestProblem)))])
        } catch {
            return saved([.init(nil, "\(error)")])
        }
    }

    // MARK: Files

    private var names: [String] {
        let all = PotluckSystem.names(inFolder: folder).filter { (try? Self.template($0)) != nil }
        return Array(all.sorted().prefix(Self.most))
    }

    /// Returns what is in a file; nil if there is none.
    private func read(_ name: String) throws(Failure) -> [UInt8]? {
        let path = "\(folder)/\(name)"
        // A link could name any file, and a pipe has no end.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(cannot: "read \(path)")
        }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw Failure(message: "\(path) is no file; choose another name")
        }
        guard found.st_size <= Self.largest else {
            throw Failure(message: "\(path) has more than \(Self.largest) bytes; open it in an editor")
        }
        var octets = [UInt8](repeating: 0, count: Int(found.st_size))
        let count = Glibc.read(descriptor, &octets, octets.count)
        guard count >= 0 else { throw Failure(cannot: "read \(path)") }
        return Array(octets.prefix(count))
    }

    /// Writes a file. Throws if it would replace something that the page does not know.
    private func keep(_ octets: [UInt8], _ name: String, _ print: [UInt8]?) throws(Failure) {
        guard !directory.isEphemeral else {
            throw Failure(message: "this node keeps nothing on disk; start it without --ephemeral")
        }
        let old = try read(name)
        guard old != octets else { return }
        if old != nil, print == nil {
            throw Failure(message: "there is already a file \(name); open it, or choose another name")
        }
        if let old, SHA256.hash(old) != print {
            throw Failure(message: "\(name) has changed since this page had it; open it again, or choose another name")
        }
        if old == nil, names.count >= Self.most {
            throw Failure(message: "there are already \(Self.most) files in \(folder); remove some that nobody needs")
        }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Failure(cannot: "create the folder \(folder)") }
        try directory.write(String(decoding: octets, as: UTF8.self), to: "\(folder)/\(name)")
    }
}
