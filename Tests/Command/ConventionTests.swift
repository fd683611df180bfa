import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckCommand

/// What users of other programs expect.
@Suite struct ConventionTests {
    /// A proportion stops at its precision before the last number of trials, whatever its value is.
    @Test(arguments: [0.3, 0.01, 0.0001])
    func untilEndsAlsoIfSomethingNeverHappens(limit: Double) throws {
        let simulation = try #require(catalogue.first { $0.name == "percolation" })
        let cap = try #require(JudgedReadings.cap(.absolute(limit), simulation, blockSize: 256))
        let checkpoints = (0...Checkpoint.last).map { Checkpoint.blocks($0) }.prefix { $0 * 256 < cap }
        let last = try #require(checkpoints.last)
        // The widest interval of any proportion, at the last checkpoint before the end.
        let trials = Double(last * 256)
        let widest = 1.959963984540054 / (2 * (trials + 3.841458820694124).squareRoot())
        #expect(widest <= limit || cap == Checkpoint.blocks(1) * 256, "\(widest)")
        #expect(JudgedReadings.cap(.relative(limit), simulation, blockSize: 256) == nil)
        let named = Precision.named([ReadingLimit(reading: simulation.readings[0].name, limit: .absolute(limit))])
        #expect(JudgedReadings.cap(named, simulation, blockSize: 256) == cap)
        let means = try #require(catalogue.first { $0.name == "gamblers-ruin" })
        #expect(JudgedReadings.cap(.absolute(limit), means, blockSize: 256) == nil)
    }

    @Test func theLogGoesToAFile() throws {
        let path = NSTemporaryDirectory() + "potluck-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let tests = EndToEndTests()
        let outcome = try tests.run("run pi --trials 1000 --seed 1 --ephemeral -q --log-file \(path)")
        #expect(outcome.code == 0 && outcome.stderr.isEmpty && FileManager.default.fileExists(atPath: path))
        let wrong = try tests.run("run pi --trials 1000 --log-level loud")
        #expect(wrong.code == 2 && wrong.stderr.contains("must be one of error, warning, notice, info, debug"))
    }

    @Test func moreCoresThanThereAreAreNamed() throws {
        let outcome = try EndToEndTests().run("run pi --trials 1000 --seed 1 --ephemeral --cores 999")
        #expect(outcome.code == 0)
        #expect(outcome.stderr.hasSuffix(", so --cores 999 does not make it faster\n"), "\(outcome.stderr)")
    }
}
