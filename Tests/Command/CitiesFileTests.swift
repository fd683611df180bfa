import Foundation
import PotluckCatalogue
import PotluckKit
import Testing

@testable import Potluck
@testable import PotluckCommand
@testable import PotluckCore

/// The travelling salesman on cities with known shortest round trips.
@Suite struct CitiesFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cities")

    @Test(arguments: [
        ("burma14", 3323.0, true), ("ulysses16", 6859, true), ("gr17", 2085, false), ("fri26", 937, false),
        ("bays29", 2020, false),
    ])
    func theShortestRoundTripIsTheKnownOne(name: String, length: Double, hasPlaces: Bool) throws {
        let table = try TableFile.read(Self.folder.appending(path: "\(name).tsp").path, columns: [])
        let tsp = try #require(catalogue.first { $0.name == "tsp" })
        let prepared = try tsp.prepared(tsp.standardParameters, tables: [table])
        let reply = prepared.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
        #expect(prepared.read(reply.slots, SearchSpace.points).first?.value == length)
        let best = try #require(prepared.layout.best(in: reply.slots))
        let shown = String(decoding: try #require(prepared.search?.show(best)).octets, as: UTF8.self)
        let lines = shown.split(separator: "\n")
        let order = lines[0].split(separator: " ").compactMap { Int($0) }
        // Where places are known, the trip's follow, and it ends where it begins.
        #expect(
            lines.count == 1 + (hasPlaces ? table.rows + 1 : 0) && (!hasPlaces || lines[1] == lines[table.rows + 1]))
        #expect(order.sorted() == Array(1...table.rows) && order.first == 1)
        let steps = zip(order, order.dropFirst() + [1]).map { table.numbers[($0 - 1) * table.columns + $1 - 1] }
        #expect(steps.reduce(0, +) == length)
    }

    @Test func twoCitiesHaveTheDistanceOfTheFile() throws {
        let text =
            "DIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 5 5 0"
        let table = try CitiesFile.table(Array(text.utf8), label: "x")
        let tsp = try #require(catalogue.first { $0.name == "tsp" })
        let prepared = try tsp.prepared(tsp.standardParameters, tables: [table])
        let reply = prepared.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
        #expect(prepared.read(reply.slots, SearchSpace.points).first?.value == 10)
    }

    private static func head(_ type: String, _ rest: String) -> [UInt8] {
        Array("NAME: x\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: \(type)\n\(rest)\nEOF\n".utf8)
    }

    @Test func everyFormatGivesTheSameTable() throws {
        let formats = [
            ("FULL_MATRIX", "0 1 2\n1 0 3\n2 3 0"), ("LOWER_DIAG_ROW", "0 1 0 2 3 0"), ("LOWER_ROW", "1\n2 3"),
            ("UPPER_DIAG_ROW", "0 1 2 0 3 0"), ("UPPER_ROW", "1 2 3"),
        ]
        for (format, numbers) in formats {
            let file = Self.head("EXPLICIT", "EDGE_WEIGHT_FORMAT: \(format)\nEDGE_WEIGHT_SECTION\n\(numbers)")
            #expect(try TableFile.table(file, label: "x").numbers == [0, 1, 2, 1, 0, 3, 2, 3, 0], "\(format)")
        }
    }

    @Test func distancesAreRoundedAsTheirTypeSays() throws {
        let places = "NODE_COORD_SECTION\n1 0 0\n2 1 1\n3 10 0"
        for (type, expected) in [("EUC_2D", [1.0, 10, 9]), ("CEIL_2D", [2, 10, 10]), ("ATT", [1, 4, 3])] {
            let numbers = try TableFile.table(Self.head(type, places), label: "x").numbers
            #expect([numbers[1], numbers[2], numbers[7]] == expected, "\(type)")
        }
    }

    /// The places follow the distances. Those of the earth are degrees and minutes, with the latitude first.
    @Test(arguments: [("EUC_2D", 10.375), ("CEIL_2D", 10.375), ("ATT", 10.375), ("GEO", 10.625)])
    func placesFollowTheDistances(type: String, north: Double) throws {
        let table = try TableFile.table(
            Self.head(type, "NODE_COORD_SECTION\n1 10.375 20\n2 1 1\n3 10 0"), label: "x")
        #expect(table.columns == 5 && table.rows == 3)
        let place = Array(table.numbers[3..<5])
        #expect(place == (type == "GEO" ? [20, north] : [north, 20]))
        let tsp = try #require(catalogue.first { $0.name == "tsp" })
        let search = try #require(try tsp.prepared(tsp.standardParameters, tables: [table]).search)
        let reply = search.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
        let shown = try #require(search.show(SearchTally(slots: reply.slots).best))
        let texts = String(decoding: shown.octets, as: UTF8.self).split(separator: "\n")
        #expect(texts[1].split(separator: " ").compactMap { Double($0) } == place)
    }

    private static func read(_ text: String) throws -> Table {
        try TableFile.table(Array(text.utf8), label: "x", hasRowNames: true)
    }

    private static func shown(_ table: Table, distance: UInt64 = 0) throws -> (best: Best, lines: [String]) {
        let tsp = try #require(catalogue.first { $0.name == "tsp" })
        var slots = tsp.standardParameters
        slots[try #require(tsp.parameters.firstIndex { $0.label == "distance" })] = distance
        let prepared = try tsp.prepared(slots, tables: [table])
        let reply = prepared.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
        let best = try #require(prepared.layout.best(in: reply.slots))
        let octets = try #require(prepared.search?.show(best)).octets
        return (best, String(decoding: octets, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// The round trip through cities with names is that through the same cities without, and says their names.
    @Test func theRoundTripHasTheNamesOfTheCities() throws {
        let plain = "0 0\n9.5 0.25\n0 9\n9 9\n5 11\n"
        let names = ["Köln", "A", "Bonn, Süd", "San José", "Sechse"]
        let rows = zip(names, plain.split(separator: "\n")).map { name, row in
            "\"\(name)\"," + row.split(separator: " ").joined(separator: ",")
        }
        let bare = try Self.shown(Self.read(plain))
        for text in ["name,x,y\n" + rows.joined(separator: "\n"), rows.joined(separator: "\r\n") + "\r\n"] {
            let named = try Self.shown(Self.read(text))
            #expect(named.best == bare.best && named.lines.dropFirst() == bare.lines.dropFirst())
            let order = bare.lines[0].split(separator: " ").compactMap { Int($0) }
            #expect(named.lines[0] == order.map { names[$0 - 1] }.joined(separator: ", "))
        }
    }

    /// On the earth each leg has its kilometres, and so has the whole.
    @Test func legsHaveTheirKilometres() throws {
        let table = try Self.read("Berlin;52.52;13.40\nParis;48.86;2.35\nWien;48.21;16.37\n")
        let lines = try Self.shown(table, distance: 1).lines
        #expect(
            lines.prefix(5) == [
                "Berlin, Paris, Wien", "Berlin – Paris: 877 km", "Paris – Wien: 1033 km",
                "Wien – Berlin: 523 km", "in all: 2434 km",
            ])
    }

    /// Only an input that takes names gets them, and no number of a file is taken for a part of one.
    @Test(arguments: [
        ("A,1,2\nB,3\n", "line 2: expected 3 cells as in line 1, found 2"),
        ("x,y,z\nA,B,2\n", "line 2: 'A' and 'B' are no numbers; a row has one name"),
        ("A,1,2\n,3,4\n", "line 2: the name is missing"),
        ("A,1,2\n5,3,4\n", "line 2: '5' is a number in the place of a name"),
        ("A,1,2\nB,3,x\n", "line 2: 'x' is not a number"), ("A,1,2\nB,9e307,4\n", "line 2: '9e307' is not a number"),
        ("1,2\n9e307,4\n", "has a number beyond 8.9e307"),
        ("A,1,2\n\u{202e}B,3,4\n", "is not plain text"),
    ])
    func aWrongNameIsRefused(_ text: String, _ message: String) throws {
        let error = #expect(throws: Failure.self) { try Self.read(text) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func anotherInputTakesNoNames() {
        #expect(throws: Failure.self) { try TableFile.table(Array("A,1,2\nB,3,4\n".utf8), label: "x") }
    }

    @Test func aWrongFileIsRefusedWithItsReason() {
        let wrong = [
            ("GEO", "NODE_COORD_SECTION\n1 0 0", "three numbers for each of 3 cities"),
            ("MAN_2D", "", "EDGE_WEIGHT_TYPE 'MAN_2D' is unknown"),
            ("EXPLICIT", "EDGE_WEIGHT_FORMAT: LOWER_ROW\nEDGE_WEIGHT_SECTION\n1 2", "has 2 numbers instead of 3"),
            ("EXPLICIT", "EDGE_WEIGHT_FORMAT: ROUND", "EDGE_WEIGHT_FORMAT 'ROUND' is unknown"),
            ("EUC_2D", "NODE_COORD_SECTION\n1 0 zero", "line 5: 'zero' is not a number"),
        ]
        for (type, rest, message) in wrong {
            do {
                _ = try TableFile.table(Self.head(type, rest), label: "x")
                Issue.record("\(message): the file was read")
            } catch {
                #expect(error.message.contains(message), "\(error.message)")
            }
        }
    }
}
