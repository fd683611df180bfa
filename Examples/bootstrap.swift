import PotluckKit

/// A bootstrap draws as many rows as there are, from themselves and again and again, and looks how much the median of such a
/// sample varies. The middle 95 % of the medians are a confidence interval.
struct Bootstrap: Simulation {
    static let name: StaticString = "bootstrap"
    static let summary: StaticString = "How sure are a median and a ratio of measured numbers?"

    static var inputs: [Input] {
        [Input("penguins", "their weights and the lengths of their wings", columns: "grams", "millimetres")]
    }

    private var grams: [Double] = [], millimetres: [Double] = []
    private var middle = 0.0, ratio = 0.0

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        (grams, millimetres) = (tables[0].column("grams"), tables[0].column("millimetres"))
        if grams.isEmpty { return "it needs numbers, such as --input penguins=Examples/penguins.csv" }
        middle = Self.median(of: grams)
        ratio = grams.reduce(0, +) / millimetres.reduce(0, +)
        return nil
    }

    // A sample draws each number, and sorts them.
    var blockSize: Int { Block.size(forTrialsOf: 20 * max(1, grams.count)) }

    // How far a sample is off the data. Quantiles are exact to a part of a number, so they say more of a small one.
    struct Tally: SimulationTally {
        var median = Quantiles(), ratio = Quantiles()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("median", &median)
            visitor.field("ratio", &ratio)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var sample = grams
        var (weight, length) = (0.0, 0.0)
        for place in sample.indices {
            let row = random.below(grams.count)
            sample[place] = grams[row]
            weight += grams[row]
            length += millimetres[row]
        }
        tally.median.add(Self.median(of: sample) - middle)
        tally.ratio.add(weight / length - ratio)
    }

    private static func median(of numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    static var readings: [ReadingRule<Bootstrap>] {
        derived("median, from", from: quantile("low", { $0.median }, 0.025), { $0.middle + $1 })
        derived("median, to", from: quantile("high", { $0.median }, 0.975), { $0.middle + $1 })
        derived("grams per mm, from", from: quantile("low", { $0.ratio }, 0.025), { $0.ratio + $1 })
        derived("grams per mm, to", from: quantile("high", { $0.ratio }, 0.975), { $0.ratio + $1 })
    }
}
