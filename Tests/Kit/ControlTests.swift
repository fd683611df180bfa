import PotluckKit
import Testing

/// Readings that need fewer trials: controls, mirrors and strata, and how much weights are worth.
@Suite struct ControlTests {
    private struct Probe: Simulation {
        static let name: StaticString = "probe"
        static let summary: StaticString = "Reads what it is given."
        static let means = [1.0 / 3, 0]

        struct Tally: SimulationTally {
            var one = Comoments<2>(), two = Comoments<3>()
            var pair = Moments(), strata = Moments(), weights = Moments()
            mutating func visit(_ visitor: inout some TallyVisitor) {
                visitor.field("one", &one)
                visitor.field("two", &two)
                visitor.field("pair", &pair)
                visitor.field("strata", &strata)
                visitor.field("weights", &weights)
            }
        }

        /// A skewed control x, whose square is added, a normal control y, and noise that grows with x.
        func value(_ random: inout RandomStream) -> (value: Double, x: Double, y: Double) {
            let (u, y) = (random.unit(), random.normal())
            return (2 + 3 * u * u + y / 2 + random.unit() * u, u * u, y)
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            let all = value(&random)
            tally.one.add([all.value, all.x])
            tally.two.add([all.value, all.x, all.y])
            var mirror = random.mirrored()
            tally.pair.add((value(&random).value + value(&mirror).value) / 2)
            var total = 0.0
            for part in 0..<8 { total += Maths.exp((Double(part) + random.unit()) / 8) }
            tally.strata.add(total / 8)
            // Exponential numbers with mean 1, drawn with mean 2: those above 3.
            let z = random.exponential(mean: 2)
            tally.weights.add(z > 3 ? 2 * Maths.exp(-z / 2) : 0)
        }

        static var readings: [ReadingRule<Probe>] {
            controlled("one control", { $0.one }, mean: { _ in means[0] })
            controlled("two controls", { $0.two }, means: { _ in means })
            mean("pair", { $0.pair })
            mean("strata", { $0.strata })
            mean("weights", { $0.weights })
            effective("effective", { $0.weights })
        }
    }

    private let probe = AnySimulation(Probe.self, source: "")

    private func read(_ tally: Probe.Tally, _ trials: Int) throws -> [String: Reading] {
        let probe = try probe.prepared([])
        let slots = tally.slots(probe.layout.slots)
        return Dictionary(uniqueKeysWithValues: probe.read(slots, UInt64(trials)).map { ($0.name, $0) })
    }

    @Test(arguments: Coverage.trials) func intervalsCoverAsOftenAsTheySay(trials: Int) throws {
        let truth = [
            "one control": 3.25, "two controls": 3.25, "pair": 3.25, "strata": Maths.exp(1) - 1,
            "weights": Maths.exp(-3),
        ]
        var hits: [String: Int] = [:]
        for run in 0..<Coverage.runs {
            var tally = Probe.Tally()
            var random = stream(UInt64(run), 94)
            for _ in 0..<trials { Probe().trial(&random, &tally) }
            let read = try read(tally, trials)
            for (name, truth) in truth {
                if try #require(read[name]?.interval, "\(name)").contains(truth) { hits[name, default: 0] += 1 }
            }
        }
        for (name, hits) in hits { #expect(Coverage.isFine(hits, name, trials), "\(name): \(hits)") }
    }

    /// The textbook's line through five points, and its interval with Student's t for three degrees of freedom.
    @Test func aControlIsARegressionAtItsTrueMean() throws {
        var tally = Probe.Tally()
        for (f, c) in [(1.0, 2.0), (2, 3), (4, 5), (5, 4), (9, 7)] { tally.one.add([f, c]) }
        let found = try #require(read(tally, 5)["one control"])
        // The sums of products of what they are off their means, which are 4.2.
        let (sxy, sxx, syy) = (22.8, 14.8, 38.8)
        let expected = 4.2 + sxy / sxx * (1.0 / 3 - 4.2)
        #expect((try #require(found.value) - expected).magnitude < 1e-12)
        let residual = (syy - sxy * sxy / sxx) / 3
        let off = 1.0 / 3 - 4.2
        let half = 3.182446305284264 * (residual * (1.0 / 5 + off * off / sxx)).squareRoot()
        #expect((try #require(found.halfWidth) / half - 1).magnitude < 1e-9)
    }

    /// A control that never varies, or that is a multiple of another, counts as none.
    @Test func aControlThatSaysNothingChangesNothing() throws {
        for seed in 0..<50 as Range<UInt64> {
            var (random, tally) = (stream(seed, 95), Probe.Tally())
            for _ in 0..<300 {
                let all = Probe().value(&random)
                tally.one.add([all.value, all.x])
                tally.two.add([all.value, all.x, seed % 2 == 0 ? 0 : 2 * all.x])
            }
            let read = try read(tally, 300)
            let (one, two) = (try #require(read["one control"]), try #require(read["two controls"]))
            #expect(one.value == two.value && one.interval == two.interval, "seed \(seed)")
        }
    }

    @Test func equalWeightsAreWorthAllTrialsAndOneThatRulesIsWorthOne() throws {
        var tally = Probe.Tally()
        #expect(try read(tally, 0)["effective"]?.value == 0)
        for _ in 0..<1000 { tally.weights.add(0.25) }
        #expect(try read(tally, 1000)["effective"]?.value == 1000)
        tally.weights.add(1e6)
        let few = try #require(read(tally, 1001)["effective"]?.value)
        #expect(few > 1 && few < 1.001)
        tally.weights.add(.nan)
        #expect(try #require(read(tally, 1002)["effective"]).isSpoilt)
    }

    @Test func tooFewTrialsHaveNoInterval() throws {
        var tally = Probe.Tally()
        #expect(try read(tally, 0)["two controls"]?.value == nil)
        for (trials, x) in [0.5, 0.25, 0.75, 1].enumerated() {
            tally.two.add([x, x * x, x * x * x])
            let found = try #require(read(tally, trials + 1)["two controls"])
            #expect(found.value != nil && (found.interval != nil) == (trials == 3), "\(trials)")
        }
        tally.two.add([1, .infinity, 0])
        #expect(try #require(read(tally, 5)["two controls"]).isSpoilt)
    }
}
