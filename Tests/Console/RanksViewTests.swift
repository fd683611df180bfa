import PotluckCore
import PotluckRanks
import Testing

@testable import PotluckScreen

/// What people see of a program with ranks.
@Suite struct RanksViewTests {
    private func picture(_ laptops: [String]) -> RankPicture {
        var waits = RankWaits()
        waits.add(.seconds(2), for: 1)
        let traffic = RankTraffic(messagesSent: 1, octetsSent: 1000)
        return RankPicture(
            elapsed: .seconds(3),
            ranks: [
                .init(
                    activity: .waiting(.message(RankPattern(source: 1, tag: 0, context: 0)), since: .start),
                    traffic: traffic, waits: waits),
                .init(activity: .computing, traffic: RankTraffic(), waits: RankWaits()),
            ], checkpoints: 0, now: .start + .seconds(1), laptops: laptops)
    }

    private let canvas = Canvas(columns: 200, unicode: true, colour: false)

    /// The words of each line after the first `skipped`.
    private func words(_ lines: [StyledLine], _ skipped: Int) -> [[String]] {
        lines.dropFirst(skipped).map { line in
            let text = line.pieces.map(\.text).joined()
            return text.replacing("  ", with: "\n").split(separator: "\n").map { String($0).trimmed }
                .filter { !$0.isEmpty }
        }
    }

    @Test func ranksOfASessionHaveALaptop() {
        let (here, there) = (picture([]), picture(["ana", "bob b"]))
        let table = words(RanksView.table(there, on: canvas), 0)
        #expect(table[0].prefix(3) == ["rank", "laptop", "sent"])
        #expect(table[1].prefix(3) == ["0", "ana", "1"] && table[2].prefix(3) == ["1", "bob b", "0"])
        let live = words(RanksView.live(there, on: canvas), 1)
        #expect(live[0].prefix(2) == ["rank", "laptop"] && live[0].last == "now")
        #expect(live[1].last == "waits for a message of rank 1 with tag 0, 1.0 s")
        #expect(live[2].prefix(2) == ["1", "bob b"] && live[2].last == "computes")
        // Without laptops there is no such column. The rest is the same.
        let alone = words(RanksView.table(here, on: canvas), 0)
        #expect(alone == table.map { [$0[0]] + $0.dropFirst(2) })
        #expect(RanksView.summary(here) == RanksView.summary(there))
    }

    /// Where little room is, what a rank does now stays, and no line is longer than the screen.
    @Test func theStateOfARankStaysOnNarrowScreens() {
        let there = picture(["ana", "bob b"])
        for columns in 40...120 {
            let canvas = Canvas(columns: columns, unicode: true, colour: false)
            for (lines, last) in [
                (RanksView.live(there, on: canvas), "now"), (RanksView.table(there, on: canvas), "mostly for"),
            ] {
                let texts = lines.map { $0.pieces.map(\.text).joined() }
                #expect(texts.allSatisfy { $0.count <= columns }, "\(columns) columns")
                #expect(texts.contains { $0.trimmed.hasSuffix(last) }, "\(columns) columns: \(texts)")
            }
        }
        let narrow = Canvas(columns: 80, unicode: true, colour: false)
        let live = words(RanksView.live(there, on: narrow), 1)
        #expect(live[0] == ["rank", "laptop", "sent", "received", "waited", "mostly for", "now"])
        #expect(live[1].last == "waits for rank 1, 1.0 s")
    }
}
