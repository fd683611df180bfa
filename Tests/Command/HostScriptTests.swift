import Foundation
import Glibc
import Potluck
import PotluckCore
import PotluckDoubles
import PotluckMachine
import PotluckNet
import PotluckSystem
import Testing

@testable import PotluckCommand

/// What the host writes in its page: the compiler's sentences, the files, and the job that comes of them.
@Suite(
    .serialized, .enabled(if: PluginAuthor.hasPython, "wasmtime or python3 is not here"), .timeLimit(.minutes(60)))
struct HostScriptTests {
    private let room = Laptops()
    private let author: PluginAuthor
    private static let device = DeviceSecret([UInt8](repeating: 1, count: 16))

    init() throws { author = try PluginAuthor() }

    private var folder: String { room.folder("lab") + "/simulations" }
    private var environment: [String: String] { room.environment("lab").merging(author.environment) { $1 } }

    private func serve(_ more: String = "") throws -> (server: Child, output: Pipe) {
        let output = Pipe()
        let words = "serve Monty --name lab --json --web --cores 1 \(more)".split(separator: " ").map(String.init)
        let server = try Child(
            words, environment: environment, stdout: .descriptor(output.writer), stderr: .nothing)
        output.closeWriter()
        output.reader.read { $0.contains("\n") }
        return (server, output)
    }

    /// The host's page, on a connection of its own: one connection may ask sixteen times at once.
    private func hostPage(client: UInt8 = 2) throws -> PageSocket {
        let text = try EndToEndTests().run("web Monty --host", environment: environment).stdout
        let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: "#")
        try #require(parts.count == 2)
        let port = try #require(UInt16(parts[0].split(separator: ":")[2].dropLast()))
        let ticket = try #require(PageTicket(text: String(parts[1])))
        let page = PageSocket(to: port, ticket, device: Self.device)
        #expect(try page.join("teacher", client: client) == nil)
        return page
    }

    private func ask(_ request: ScriptRequest, _ page: PageSocket) throws -> JSON {
        page.say(.host(.script(request)))
        return try answer(page)
    }

    private func answer(_ page: PageSocket) throws -> JSON {
        while let arrival = try page.next() {
            guard case .message(let json) = arrival, let kind = json["is"]?.asString else { continue }
            if ["scripts", "script", "checked", "saved", "unwritten"].contains(kind) { return json }
        }
        throw POSIXError(.ECONNRESET)
    }

    private func kind(_ json: JSON) -> String { json["is"]?.asString ?? "" }
    private func problems(_ json: JSON) -> [[JSON]] { (json["problems"]?.asArray ?? []).map { $0.asArray ?? [] } }
    private func print(_ json: JSON) throws -> [UInt8] {
        let digits = try #require(json["print"]?.asString)
        return try #require([UInt8](hexadecimal: digits))
    }

    @Test func aSimulationIsWrittenSavedAndStarted() throws {
        let (server, output) = try serve()
        let page = try hostPage()
        #expect(try ask(.list, page)["names"]?.asArray?.isEmpty == true)
        let fresh = try ask(.new(kind: "dice", name: "three-dice.py"), page)
        let text = try #require(fresh["text"]?.asString)
        #expect(text.contains(#"name = "three-dice""#) && fresh["print"] == nil)
        #expect(try problems(ask(.check(text, number: 1), page)).isEmpty)
        // The compiler's sentence, at its line.
        let wrong = text.replacing("random.below(self.sides)", with: "random.bellow(self.sides)")
        let line = 1 + text[..<text.firstRange(of: "random.below")!.lowerBound].count { $0 == "\n" }
        let told = try ask(.check(wrong, number: 2), page)
        #expect(told["number"]?.asCount == 2 && problems(told).first?[0].asCount == line, "\(told.text)")
        #expect(problems(told).first?[1].asString?.contains("bellow") == true, "\(told.text)")
        // A file is kept with its mistakes, and does not run.
        let kept = try ask(.save(wrong, name: "three-dice.py", print: nil), page)
        #expect(kind(kept) == "saved" && problems(kept).first?[0].asCount == line && kept["simulation"] == nil)
        page.say(.host(.start(HostStart("three-dice.py", trials: "1e4"))))
        #expect(try page.message("answer")?["refused"] == .bool(true))
        let saved = try ask(.save(text, name: "three-dice.py", print: print(kept)), page)
        #expect(problems(saved).isEmpty && saved["simulation"]?["parameters"]?.asArray?.count == 2, "\(saved.text)")
        #expect(try String(contentsOfFile: "\(folder)/three-dice.py", encoding: .utf8) == text)
        page.say(.host(.start(HostStart("three-dice.py", parameters: [.init("sides", "20")], trials: "1e4"))))
        let started = try #require(try page.message("answer")?["text"]?.asString)
        #expect(started.hasPrefix("started three-dice as job "), "\(started)")
        output.reader.read { text in
            text.firstRange(of: #""digest":""#).map { text[$0.upperBound...].contains("\n") } ?? false
        }
        let lines = output.reader.text.split(separator: "\n").compactMap { try? object($0) }
        let result = try #require(lines.compactMap { $0["result"] as? [String: Any] }.first)
        let alone = try EndToEndTests().run(
            "run \(folder)/three-dice.py -p sides=20 --trials 1e4 --seed \(try #require(result["seed"])) --json",
            environment: environment)
        #expect(try object(alone.stdout)["digest"] as? String == result["digest"] as? String, "\(alone.stderr)")
        page.attended { end(server) }
    }

    @Test func noFileIsReplacedUnlessThePageKnowsIt() throws {
        var (server, _) = try serve()
        var page = try hostPage()
        let first = try ask(.save("x = 1\n", name: "walk.py", print: nil), page)
        #expect(kind(first) == "saved")
        func refusal(_ request: ScriptRequest) throws -> String? { try ask(request, page)["text"]?.asString }
        #expect(try refusal(.save("x = 2\n", name: "walk.py", print: nil))?.contains("there is already a file") == true)
        // The same text again changes nothing, and needs no print.
        #expect(try kind(ask(.save("x = 1\n", name: "walk.py", print: nil), page)) == "saved")
        #expect(try kind(ask(.save("x = 3\n", name: "walk.py", print: print(first)), page)) == "saved")
        #expect(try refusal(.save("x = 4\n", name: "walk.py", print: print(first)))?.contains("has changed") == true)
        #expect(try String(contentsOfFile: "\(folder)/walk.py", encoding: .utf8) == "x = 3\n")
        // It is there when the server returns.
        page.attended { end(server) }
        (server, _) = try serve()
        page = try hostPage(client: 3)
        #expect(try ask(.list, page)["names"]?.asArray?.map(\.asString) == ["walk.py"])
        let opened = try ask(.open(name: "walk.py"), page)
        #expect(opened["text"]?.asString == "x = 3\n")
        #expect(try kind(ask(.save("x = 5\n", name: "walk.py", print: print(opened)), page)) == "saved")
        // Another file that a link names is neither read nor written.
        try "secret".write(toFile: author.folder + "/secret", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link.py", withDestinationPath: author.folder + "/secret")
        mkfifo("\(folder)/pipe.py", 0o600)
        for name in ["link.py", "pipe.py"] {
            #expect(try kind(ask(.open(name: name), page)) == "unwritten")
            #expect(try kind(ask(.save("x = 6\n", name: name, print: nil), page)) == "unwritten")
        }
        #expect(try String(contentsOfFile: author.folder + "/secret", encoding: .utf8) == "secret")
        page.attended { end(server) }
    }

    @Test func hostileRequestsGetOneSentence() throws {
        let (server, _) = try serve()
        let names = ["../x.py", "/etc/passwd", "x.txt", ".py", ".x.py", "X.py", "a b.py", "a\0.py", "x/y.py", "ü.py"]
        for (place, name) in names.enumerated() {
            let page = try hostPage(client: UInt8(10 + place))
            for request in [
                ScriptRequest.open(name: name), .save("x = 1\n", name: name, print: nil),
                .new(kind: "dice", name: name),
            ] {
                let answer = try ask(request, page)
                #expect(kind(answer) == "unwritten" && answer["text"]?.asString?.hasPrefix("invalid name") == true)
            }
        }
        let page = try hostPage(client: 3)
        #expect(try kind(ask(.new(kind: "search", name: "x.py"), page)) == "unwritten")
        #expect(try problems(ask(.check("x = 1\ny = \0\n", number: 1), page)).first?[0].asCount == 2)
        let long = String(repeating: "#", count: HostScripts.largest + 1)
        let told = try ask(.check(long, number: 2), page)
        #expect(problems(told).count == 1 && problems(told)[0][1].asString?.contains("at most 24576") == true)
        #expect(try kind(ask(.save(long, name: "x.py", print: nil), page)) == "unwritten")
        #expect(!FileManager.default.fileExists(atPath: folder))
        // Of many checks at once the newest is made. Others may be, if they came first.
        for number in 3...12 { page.say(.host(.script(.check("x = \(number)\n", number: number)))) }
        var last = 0
        while last < 12 {
            let number = try #require(try answer(page)["number"]?.asCount)
            #expect(number > last)
            last = number
        }
        // A message that is longer than any ends the page, and only the page.
        page.say(.host(.script(.check(String(repeating: "#", count: 1 << 20), number: 13))))
        _ = try? page.closed()
        #expect(try kind(ask(.list, hostPage(client: 4))) == "scripts")
        end(server)
    }

    @Test func whatTheCompilerSaysHasLines() {
        let said = "a.py:3:5: error: no: really\na.py:4:1: note: here\na.py: error: nothing\nb.py:1:1: error: other"
        #expect(
            HostScripts.problems(.compiler(said), "a.py") == [
                .init(3, "no: really"), .init(4, "note: here"), .init(nil, "a.py: error: nothing"),
                .init(nil, "b.py:1:1: error: other"),
            ])
        #expect(HostScripts.problems(.refused("no python3"), "a.py") == [.init(nil, "no python3")])
        #expect(HostScripts.fault("a\tb\n\u{202e}") == .init(2, HostScripts.fault("\u{202e}")!.text))
        #expect(HostScripts.fault("ü 👩‍👩‍👧 # fine\n") == nil)
    }
}
