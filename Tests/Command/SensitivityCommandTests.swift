import Foundation
import Testing

@Suite struct SensitivityCommandTests {
    private func run(_ line: String) throws -> EndToEndTests.Outcome { try EndToEndTests().run(line) }

    @Test func anyNumberOfCoresGivesTheSame() throws {
        let line = "sensitivity gamblers-ruin -p stake=5..15 -p p=0.45..0.55 --rows 100 --trials 1e3 --seed 7 --json"
        let outcome = try run("\(line) --cores 1")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        for cores in 2...3 { #expect(try run("\(line) --cores \(cores)").stdout == outcome.stdout) }
        let found = try object(outcome.stdout)
        #expect(found["rows"] as? Int == 128 && found["points"] as? Int == 512 && found["trials"] as? Int == 1000)
        let readings = try #require(found["readings"] as? [[String: Any]])
        #expect(readings.map { $0["name"] as? String } == ["won", "rounds"])
        let won = try #require(readings[0]["parameters"] as? [[String: Any]])
        #expect(won.map { $0["name"] as? String } == ["stake", "p"])
        // Both matter for who wins, and p more.
        let totals = try won.map { try #require($0["total"] as? Double) }
        #expect(totals[0] > 0.05 && totals[1] > totals[0])
    }

    @Test func theRowsHaveTheNumbersOfTheObject() throws {
        let line =
            "sensitivity gamblers-ruin -p stake=5..15 -p p=0.45..0.55 --rows 64 --trials 100 --seed 7 --reading won"
        let rows = try run("\(line) --csv").stdout.components(separatedBy: "\r\n")
            .map { $0.components(separatedBy: ",") }
        #expect(rows.map(\.count) == [6, 6, 6, 1])
        let readings = try #require(try object(try run("\(line) --json").stdout)["readings"] as? [[String: Any]])
        let parameters = try #require(readings[0]["parameters"] as? [[String: Any]])
        for (row, parameter) in zip(rows.dropFirst(), parameters) {
            #expect(row[0] == "won" && row[1] == parameter["name"] as? String)
            for (head, cell) in zip(rows[0], row).dropFirst(2) {
                let number = try #require(parameter[head] as? Double)
                // Foundation reads JSON's numbers to the last bit but one.
                #expect(try abs(#require(Double(cell)) / number - 1) < 1e-15, "\(head)")
            }
        }
    }

    @Test func theTableNamesEachParameter() throws {
        let line =
            "sensitivity gamblers-ruin -p stake=5..15 -p p=0.45..0.55 -p goal=30 --rows 64 --reading won --seed 7"
        let lines = try run("\(line) --trials 1e3").stdout.split(separator: "\n")
        #expect(
            lines[0].hasPrefix("gamblers-ruin: the part of the variance") && lines.last?.hasSuffix("--seed 7") == true)
        #expect(lines.contains { $0.hasPrefix("won") } && !lines.contains { $0.hasPrefix("rounds") })
        for name in ["stake", "p"] {
            #expect(lines.contains { $0.split(separator: " ").first.map(String.init) == name })
        }
    }

    @Test(arguments: [
        ("sensitivity gamblers-ruin", "no range to draw from"),
        ("sensitivity gamblers-ruin -p p=0.5", "no range to draw from"),
        ("sensitivity gamblers-ruin -p p=0.5..0.4", "goes up, as in 0..1"),
        ("sensitivity gamblers-ruin -p p=0.5..2", "invalid value '2' for parameter 'p'"),
        ("sensitivity gamblers-ruin -p p=0.4..0.5 -p p=0.5", "parameter 'p' is given twice"),
        ("sensitivity gamblers-ruin -p stake=5..x", "invalid value 'x' for parameter 'stake'"),
        ("sensitivity gamblers-ruin -p q=0..1", "unknown parameter 'q'"),
        ("sensitivity gamblers-ruin -p stake=5..500 --rows 64 --seed 1", "the goal must be above the stake"),
        ("sensitivity gamblers-ruin -p p=0.4..0.5 --rows 10", "must be from 64 to 1000000"),
        ("sensitivity gamblers-ruin -p p=0.4..0.5 --rows 900000", "more than 1000000 points"),
        ("sensitivity gamblers-ruin -p p=0.4..0.5 --reading wo", "has no reading 'wo' with a value"),
        ("sensitivity gamblers-ruin -p p=0.4..0.5 --nodes ana", "--nodes applies to a session"),
        ("sensitivity option-price -p kind=call..put", "unknown parameter 'kind'"),
        ("sensitivity primes -p limit=10..100", "primes draws no trials"),
        ("sensitivity", "missing argument NAME"),
    ])
    func wrongUsageIsOneLine(line: String, message: String) throws {
        let outcome = try run(line)
        #expect(outcome.code == 2 && outcome.stdout.isEmpty, "\(outcome.stderr)")
        #expect(
            outcome.stderr.contains(message) && outcome.stderr.filter { $0 == "\n" }.count == 1, "\(outcome.stderr)")
    }
}
