import PotluckKit

/// Makes every draw that docs/RANDOM.md defines, and adds to every kind of accumulator. `recompute.py` computes the same
/// in Python.
struct EveryDraw: Simulation {
    static let name: StaticString = "every-draw"
    static let summary: StaticString = "Makes every draw and adds to every kind of tally"

    @Parameter("sides", "a whole number", in: 1...1_000_000) var sides = 6
    @Parameter("mean", "a real number", in: 0.1...10) var mean = 2.5
    @Parameter("half", "a flag") var half = false
    @Parameter("kind", "a choice") var kind = Kind.first

    enum Kind: ParameterChoice {
        case first, second, third
        var name: StaticString {
            switch self {
            case .first: "first"
            case .second: "second"
            case .third: "third"
            }
        }
        var factor: Int { self == .first ? 1 : self == .second ? 2 : 3 }
    }

    struct Tally: SimulationTally {
        var whole = Moments(), real = Moments(), sum = ExactSum(), least = Minimum(), most = Maximum()
        var spread = Histogram<7>(from: -1.5, to: 2.25)
        var heads = Count()
        var both = Comoments<2>(), pairs = Pairs(), quantiles = Quantiles()
        var third = Counts<3>(), course = Series<3>()
        var cells = Histogram2D<5, 3>(x: -0.5..<2, y: 0..<7.5)
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("whole", &whole)
            visitor.field("real", &real)
            visitor.field("sum", &sum)
            visitor.field("least", &least)
            visitor.field("most", &most)
            visitor.field("spread", &spread)
            visitor.field("heads", &heads)
            visitor.field("both", &both)
            visitor.field("pairs", &pairs)
            visitor.field("quantiles", &quantiles)
            visitor.field("third", &third)
            visitor.field("course", &course)
            visitor.field("cells", &cells)
        }
    }

    let wheel = WeightedChoice([1, 0, 2.5, 0.125, 7, 3])
    let measured = Empirical([2.5, -1.25, 1e-3, 7, 2.5]), single = Empirical([-0.5])

    var blockSize: Int { 1024 }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        tally.whole.add(random.below(sides))
        tally.whole.add(Int(random.below(3_000_000_000 as UInt32) % 1_000_003))
        tally.whole.add(Int(random.below(7_000_000_000_000_000_000 as UInt64) % 1_000_003))
        tally.whole.add(random.integer(in: -7...sides))
        let (m, n) = random.pair(below: 40_000, 50_000)
        tally.whole.add(m - n)
        tally.whole.add(Int(random.next() % 1_000_003))
        tally.whole.add(Int(random.next64() % 1_000_003))
        tally.heads.add(random.coin())
        tally.heads.add(random.chance(half ? 0.25 : 0.75))
        reals(&random, &tally)
        var deck = Array(0..<10)
        random.shuffle(&deck)
        var order = 0
        for (place, card) in deck.enumerated() { order += (place + 1) * card }
        tally.whole.add(order)
        tally.whole.add(random.choice(of: deck) ?? 0)
        for card in random.choices(3, of: deck) { tally.whole.add(card * kind.factor) }
        for card in random.sample(4, of: deck) { tally.whole.add(card * kind.factor) }
        for card in random.sample(10, of: deck) { tally.whole.add(card * kind.factor) }
        tally.whole.add(wheel.draw(&random))
        tally.real.add(measured.pick(&random) + 2 * measured.interpolate(&random))
        tally.real.add(single.pick(&random) + 2 * single.interpolate(&random))
        composed(&random, &tally)
    }

    private func reals(_ random: inout RandomStream, _ tally: inout Tally) {
        let x = random.normal(mean: 1, deviation: 0.5)
        tally.spread.add(x)
        tally.least.add(x)
        tally.most.add(random.normal())
        tally.real.add(random.real(in: -3..<5))
        let y = random.exponential(mean: mean)
        tally.real.add(y)
        tally.both.add([x, Maths.exp(-y * 8)])
        tally.pairs.add(x, y)
        tally.quantiles.add(x)
        tally.quantiles.add(Maths.exp(y * 8 - 40))
        tally.third.add(x < 0.75 ? 0 : x < 1.25 ? 1 : 2)
        tally.course.add(0, x)
        tally.course.add(2, y * 1e-30)
        tally.course.add(x < 1 ? 1 : 2, -7)
        tally.cells.add(x, y)
        tally.sum.add(random.exponential() * -1e-25)
        tally.sum.add(Maths.exp(-y * 30))
        tally.sum.add(Maths.log(random.unit() + 1e-300) * 1e15)
    }

    private func composed(_ random: inout RandomStream, _ tally: inout Tally) {
        tally.real.add(random.logNormal(mean: 0.5, deviation: 0.25))
        tally.real.add(random.weibull(shape: 1.5, scale: mean))
        tally.real.add(random.triangular(from: -1, mode: 0.5, to: 4))
        tally.real.add(random.gamma(shape: 0.5) + random.gamma(shape: mean, scale: 3))
        tally.real.add(random.beta(0.3, mean))
        tally.real.add(random.chiSquared(freedom: 3))
        tally.real.add(random.studentT(freedom: 7))
        tally.whole.add(random.geometric(0.2))
        tally.whole.add(random.poisson(mean: mean) + random.poisson(mean: 20 * mean))
        tally.whole.add(random.binomial(sides, 0.3))
        tally.whole.add(random.binomial(40, 0.7))
        tally.whole.add(random.negativeBinomial(mean, 0.4))
        many(&random, &tally)
    }

    private let factor = cholesky([[4, 2, 0.5], [2, 3, -1], [0.5, -1, 2]])

    private func many(_ random: inout RandomStream, _ tally: inout Tally) {
        let (x, y) = random.inDisc()
        let (a, b, c) = random.onSphere()
        tally.real.add(x + 2 * y)
        tally.real.add(a + 2 * b + 3 * c)
        let shares = random.dirichlet([0.5, mean, 2])
        tally.real.add(shares[0] + 2 * shares[1] + 3 * shares[2])
        for count in random.multinomial(sides, [1, 0, 2.5, mean]) { tally.whole.add(count) }
        for number in random.normals(factor) { tally.real.add(number) }
        let lattice = random.lattice(64, dimensions: 16)
        for place in 0..<16 { tally.real.add(lattice.unit(sides % 64, place) + lattice.normal(4 * place, place)) }
        streams(&random, &tally)
    }

    private func streams(_ random: inout RandomStream, _ tally: inout Tally) {
        var arrivals = random.stream("arrivals"), others = random.stream("an ünusual name")
        tally.real.add(arrivals.unit() + 2 * others.unit())
        var mirror = random.mirrored(), back = arrivals.mirrored()
        tally.real.add(mirror.normal() - random.normal())
        tally.whole.add(mirror.below(sides))
        tally.whole.add(Int(mirror.below(3_000_000_000 as UInt32) % 1_000_003))
        tally.real.add(back.unit() + 2 * arrivals.unit())
    }

    static var readings: [ReadingRule<EveryDraw>] {
        mean("whole", { $0.whole })
        mean("real", { $0.real })
        histogram("spread") { $0.spread }
        ratio("ratio", { $0.both })
        correlation("correlation", { $0.pairs })
        slope("slope", { $0.pairs })
        median("median", { $0.quantiles })
        expectedShortfall("shortfall", { $0.quantiles }, 0.1)
        proportions(["low", "middle", "high"]) { $0.third }
        series("course") { $0.course }
        histogram("cells") { $0.cells }
    }
}
