import PotluckCore
import PotluckRanks
import Testing

@testable import PotluckScreen

/// The words and rows about a program with ranks.
@Suite struct ProgramViewTests {
    private func picture(_ show: RankShow, _ state: ProgramPicture.State = .running) -> ProgramPicture {
        ProgramPicture(show, state)
    }

    private func sentence(_ picture: ProgramPicture) -> String { picture.sentence.joined(separator: " ") }

    private func table(_ show: RankShow, columns: Int, height: Int) -> [String] {
        let canvas = Canvas(columns: columns, unicode: true, colour: false)
        return ProgramView(canvas: canvas).part(picture(show)).draw(height).map { $0.rendered(on: canvas) }
    }

    @Test func aSentenceDescribesAProgram() {
        #expect(
            sentence(picture(ProgramSample.heat()))
                == "heat by ana: 8 ranks on 3 laptops, 1 228 messages, 56 MB, 12 s")
        #expect(sentence(picture(ProgramSample.heat(), .silent(.seconds(7)))) == "heat by ana: no news for 7 s")
        #expect(
            sentence(picture(ProgramSample.heat(), .ended))
                == "heat by ana has ended after 12 s: 8 ranks on 3 laptops, 1 228 messages, 56 MB")
        #expect(
            sentence(picture(ProgramSample.heat(), .failed("rank 3: out of memory")))
                == "heat by ana failed after 12 s: rank 3: out of memory")
        let small = ProgramSample.show(
            elapsed: .zero, checkpoints: 1, rows: [ProgramSample.row(.computes, sent: 1, octets: 8)])
        #expect(sentence(picture(small)) == "heat by ana: 1 rank on 1 laptop, 1 message, 8 B, 1 checkpoint, 0 s")
    }

    @Test func linesSayHowItBeganAndEnded() {
        #expect(ProgramNews.began(ProgramSample.heat()).words == "ana runs heat on 8 ranks")
        #expect(
            ProgramNews.ended(ProgramSample.heat(.ended)).words
                == "heat has ended after 12 s: 8 ranks on 3 laptops, 1 228 messages, 56 MB")
        #expect(ProgramNews.ended(ProgramSample.heat(.failed("no cores"))).words == "heat failed: no cores")
        #expect(ProgramNews.lost(1, ProgramSample.heat()).words == "no news of heat by ana for 30 s")
    }

    @Test func aRowDescribesTheRanksOfALaptop() throws {
        let program = picture(ProgramSample.heat())
        #expect(program.laptops.map(\.name) == ["ana", "bob", "中文"])
        #expect(program.laptops.map(\.numbers) == ["0–2", "3–5", "6, 7"])
        #expect(
            program.laptops.map(\.facts) == [
                "2 compute, 1 waits, 21 MB sent", "2 compute, 1 waits, 21 MB sent", "1 waits, 1 has ended, 14 MB sent",
            ])
        #expect(
            program.laptops.map(\.wait?.words) == [
                nil, "rank 3 waits for rank 1, 2.1 s", "rank 6 waits at a checkpoint, 1.0 s",
            ])
        #expect(program.wait?.rank == 3)
        let scattered = ProgramSample.crowd(laptops: 3, ranks: 8)
        #expect(picture(scattered).laptops.map(\.numbers) == ["0, 3, 6", "1, 4, 7", "2, 5"])
    }

    /// With less room, the longest waits stay.
    @Test func thoseThatWaitAreShownFirst() {
        let crowd = ProgramSample.crowd(laptops: 30, ranks: 60)
        let whole = table(crowd, columns: 80, height: 100)
        #expect(whole.count == 32 && whole.contains { $0.contains("laptop 26") && $0.contains("55 s") })
        let part = table(crowd, columns: 80, height: 6)
        #expect(part.count == 6 && part.last == "and 27 more laptops")
        #expect(part.contains { $0.contains("rank 55 waits for any rank, 55 s") })
        #expect(table(crowd, columns: 80, height: 2).last == "and 30 more laptops")
        #expect(table(crowd, columns: 80, height: 1).count == 1)
        // Where its column does not fit, the longest wait has a line.
        #expect(table(crowd, columns: 40, height: 9).contains("  rank 55 waits for any rank, 55 s"))
    }

    /// A deadlock of many ranks has a long reason.
    @Test func aLongReasonIsCutWithAMark() {
        let canvas = Canvas(columns: 40, rows: 40, unicode: true, colour: false)
        let why = String(repeating: "rank 3 waits for rank 4, ", count: 80)
        let part = ProgramView(canvas: canvas).part(picture(ProgramSample.heat(), .failed(why)))
        let lines = part.draw(part.most).map { $0.rendered(on: canvas) }
        #expect(lines.count == 6 && lines.last?.hasSuffix("…") == true)
    }

    /// Whatever others say, a part keeps to its height, and every rank is counted once.
    @Test func everyPictureFits() {
        for seed in 0..<200 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let (show, canvas) = (dice.show(), dice.canvas())
            let program = picture(show, dice.pick([.running, .silent(dice.duration()), .ended, .failed(dice.name())]))
            #expect(program.size == show.rows.count)
            for laptop in program.laptops {
                let counts = ProgramPicture.Standing.allCases.map(laptop.count)
                #expect(counts.reduce(0, +) == laptop.ranks.count && !laptop.ranks.isEmpty)
            }
            let part = ProgramView(canvas: canvas).part(program)
            for height in [1, 2, 3, 5, part.most] where height <= part.most {
                let lines = part.draw(height)
                #expect(!lines.isEmpty && lines.count <= height, "seed \(seed)")
            }
        }
    }
}
