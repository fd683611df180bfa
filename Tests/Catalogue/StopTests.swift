import PotluckCore
import PotluckKit
import Testing

/// A run that stops as soon as its interval is narrow enough may have been precise by chance, so its interval might
/// contain the truth less often than the claimed 95 %. At the checkpoints where runs can stop, the coverage is the same
/// to half a percent as for runs of a fixed length. (Over 20 000 runs of each job below: 94.5 to 95.5 %.)
@Suite struct StopTests {
    /// Has cheap trials in the smallest blocks, so that a run stops at its first checkpoints, where chance matters
    /// most.
    struct Source: Simulation {
        static let name: StaticString = "source"
        static let summary: StaticString = "Something whose mean is known."
        @Parameter("kind", "of number") var kind = Kind.coin
        @Parameter("mean", "of the numbers", in: 0...100) var mean = 0.5
        var blockSize: Int { Block.smallest }

        enum Kind: ParameterChoice {
            case coin, normal, exponential
            var name: StaticString {
                switch self {
                case .coin: "coin"
                case .normal: "normal"
                case .exponential: "exponential"
                }
            }
        }

        struct Tally: SimulationTally {
            var hits = Count(), numbers = Moments()
            mutating func visit(_ visitor: inout some TallyVisitor) {
                visitor.field("hits", &hits)
                visitor.field("numbers", &numbers)
            }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            switch kind {
            case .coin: tally.hits.add(random.chance(mean))
            case .normal: tally.numbers.add(random.normal(mean: mean))
            case .exponential: tally.numbers.add(random.exponential(mean: mean))
            }
        }

        static var readings: [ReadingRule<Source>] {
            proportion("hits", { $0.hits }, exact: { $0.mean })
            mean("mean", { $0.numbers }, exact: { $0.mean })
        }
    }

    struct Job: CustomTestStringConvertible {
        let kind: Source.Kind
        let mean: Double
        let precision: Precision
        var testDescription: String { "\(kind) of \(mean) until \(precision)" }
    }

    /// Returns how often the interval contained the truth when the run stopped, and the mean number of trials until
    /// then.
    static func coverage(_ job: Job, runs: Int) throws -> (coverage: Double, trials: Double) {
        let kind = try #require(Source.Kind.allCases.firstIndex(of: job.kind))
        let source = try AnySimulation(Source.self, source: "").prepared([UInt64(kind), job.mean.bitPattern])
        var covered = 0
        var total = 0.0
        for seed in 0..<UInt64(runs) {
            var tally = [UInt64](repeating: 0, count: source.layout.slots)
            var (checkpoint, done) = (0, 0 as UInt64)
            while true {
                let blocks = Checkpoint.blocks(checkpoint)
                let reply = source.run(ChunkRequest(seed: seed, blocks: done..<blocks, trials: nil)) { false }
                source.layout.merge(reply.slots, into: &tally)
                (checkpoint, done) = (checkpoint + 1, blocks)
                // The source fills one of the two fields.
                let reading = source.read(tally, blocks * UInt64(source.blockSize))[job.kind == .coin ? 0 : 1]
                guard job.precision.isReached(by: [reading]) else { continue }
                covered += reading.interval?.contains(job.mean) == true ? 1 : 0
                total += Double(blocks) * Double(source.blockSize)
                break
            }
        }
        return (Double(covered) / Double(runs), total / Double(runs))
    }

    @Test(arguments: [
        Job(kind: .coin, mean: 0.5, precision: .absolute(0.03)),
        Job(kind: .coin, mean: 0.1, precision: .absolute(0.02)),
        Job(kind: .coin, mean: 0.1, precision: .relative(0.2)),
        Job(kind: .coin, mean: 0.02, precision: .relative(0.4)),
        Job(kind: .normal, mean: 1, precision: .absolute(0.07)),
        Job(kind: .normal, mean: 1, precision: .relative(0.07)),
        Job(kind: .exponential, mean: 1, precision: .absolute(0.07)),
        Job(kind: .exponential, mean: 1, precision: .relative(0.07)),
    ])
    func coverageWhereRunsStop(job: Job) throws {
        let runs = 2000
        let (coverage, trials) = try Self.coverage(job, runs: runs)
        #expect(trials > 256, "no run went beyond the first checkpoint")
        let error = (0.95 * 0.05 / Double(runs)).squareRoot()
        #expect((coverage - 0.95).magnitude < 4.5 * error, "\(coverage) at \(trials) trials")
    }
}
