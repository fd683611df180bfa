import Foundation
import Testing

/// The table of docs/HISTORY.md has the members of a run's JSON, whoever prints it.
@Suite(.serialized, .timeLimit(.minutes(60))) struct RunSchemaTests {
    private let room = Laptops()

    /// A row of the table.
    private struct Member {
        let name: String
        /// The kinds of work that have it.
        let kinds: Set<String>
        let isOptional: Bool
        let printers: Set<String>
        /// The first words of its value.
        let type: String
    }

    private static let members: [Member] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/HISTORY.md")
        let lines = ((try? String(contentsOf: path, encoding: .utf8)) ?? "").split(separator: "\n")
        return lines.drop { $0 != "| member | of | printed by | value |" }.dropFirst(2).prefix { $0.hasPrefix("| ") }
            .map {
                let cells = $0.dropFirst(2).dropLast(2).components(separatedBy: " | ")
                let kinds = cells[1].components(separatedBy: ", ").filter { !$0.hasPrefix("if ") }
                return Member(
                    name: cells[0].trimmingCharacters(in: ["`"]), kinds: Set(kinds),
                    isOptional: cells[1].contains(", if "),
                    printers: Set(cells[2].components(separatedBy: ", ")), type: cells[3])
            }
    }()

    /// Compares an object with the members of such work that this printer writes.
    private func check(_ object: [String: Any], _ kind: String, _ printer: String, extra: Set<String> = []) {
        let own = Self.members.filter {
            !$0.kinds.isDisjoint(with: ["all", kind]) && !$0.printers.isDisjoint(with: ["all", printer])
        }
        let (names, needed) = (Set(own.map(\.name)), Set(own.filter { !$0.isOptional }.map(\.name)))
        #expect(needed.subtracting(object.keys).isEmpty && Set(object.keys).subtracting(extra).isSubset(of: names))
        for member in own {
            guard let value = object[member.name] else { continue }
            let fits =
                switch member.type.prefix(while: { $0 != ":" && $0 != " " }) {
                case "text": value is String || member.type.contains("or null") && value is NSNull
                case "whole": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
                case "number": value is NSNumber || member.type.contains("or null") && value is NSNull
                case "truth": value is Bool
                case "object": value is [String: Any]
                case "list": value is [Any]
                default: false
                }
            #expect(fits, "\(member.name) of \(kind) by \(printer): \(value)")
        }
    }

    private static let runs = [
        ("trials", "run monty-hall --trials 1e5 --seed 1"), ("units", "run primes -p limit=1000"),
        ("search", "run tsp -p cities=6"),
    ]

    @Test func aRunHasTheMembersOfTheTable() throws {
        #expect(Self.members.count > 30)
        for (kind, line) in Self.runs {
            let own = try object(try room.run("\(line) --json", "ana").stdout)
            check(own, kind, "run")
            #expect(own["schema"] as? Int == 1)
            check(try object(try room.run("history show last --json", "ana").stdout), kind, "history")
        }
        let points = try room.run("run monty-hall -p doors=3,4 --trials 1000 --seed 1 --json", "ana").stdout
        for line in points.split(separator: "\n") {
            var point = try object(line)
            #expect(point.removeValue(forKey: "point") is Int && point.removeValue(forKey: "sweepSeed") is Int)
            point["id"] = 1
            check(point, "trials", "history")
        }
    }

    @Test func aSessionHasTheMembersOfTheTable() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        for (kind, line) in Self.runs {
            let outcome = try room.run("\(line) --session Monty --json", "eve")
            #expect(outcome.code == 0, "\(outcome.stderr)")
            check(try object(outcome.stdout), kind, "session")
        }
        end(server.child)
    }
}
