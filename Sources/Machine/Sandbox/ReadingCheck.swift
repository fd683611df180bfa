import PotluckKit

/// Holds the readings of a simulation against their exact answers, and their intervals against how much the readings of parts
/// of the trials differ.
struct ReadingCheck {
    private(set) var findings: [LawCheck.Finding] = []

    private let simulation: PreparedSimulation
    /// The readings of each part of the trials, all of the same length; empty if there are too few for statistics.
    private var parts: [[Reading]] = []

    /// Errors beyond this many standard errors occur by chance once in two million times.
    private static let most = 5.0
    /// Fewer parts say too little about how much they differ.
    private static let fewestParts = 32
    /// More parts take longer to read than they are worth.
    private static let mostParts = 256
    /// Readings whose interval has no width, or which have none, may differ by this part of the exact answer: the last
    /// digits depend on the order of computing.
    private static let rounding = 1e-9
    /// Parts with so few events that some have none and one has several say nothing about an interval. Then the fourth power
    /// of their differences is larger than this many times the square of their variance.
    private static let mostKurtosis = 6.0
    /// The largest relative variance of a mean's variance with which its interval is to be trusted, as MCNP and OpenMC have
    /// it. About ten numbers that decide the mean have it.
    private static let mostVariance = 0.1

    /// `blocks` are tallies of `size` trials each, and `whole` is the one of all trials, of which there may be more.
    /// `ignoresSeed` computes whether another seed gives the same.
    init(
        _ simulation: PreparedSimulation, blocks: [[UInt64]], size: UInt64, whole: [UInt64], trials: UInt64,
        ignoresSeed: () -> Bool
    ) {
        self.simulation = simulation
        let readings = simulation.read(whole, trials)
        // A unit of a gathering is computed once in a run, so its blocks are no samples.
        let each =
            simulation.units == nil ? max(blocks.count / Self.mostParts, Self.blocksOfPart(size)) : blocks.count + 1
        let count = blocks.count / each
        if count >= Self.fewestParts {
            parts = (0..<count).map { part in
                let slots = blocks[part * each..<(part + 1) * each].reduce(into: simulation.layout.empty) {
                    simulation.layout.merge($1, into: &$0)
                }
                return simulation.read(slots, UInt64(each) * size)
            }
            if parts.contains(where: { $0.count != readings.count }) { parts = [] }
        }
        let part = UInt64(each) * size
        for (index, reading) in readings.enumerated() {
            let values = parts.compactMap { $0[index].value }
            let spread = values.count == parts.count && !parts.isEmpty ? Spread(values) : nil
            trust(reading, spread, sampled: Double(part) * Double(values.count) / Double(trials))
            let narrow = width(reading, spread, trials: trials, ofPart: part)
            guard simulation.units.map({ trials >= $0 }) ?? true else { continue }
            exactness(reading, spread, narrow, parts: Double(trials) / Double(part), ignoresSeed)
        }
    }

    /// The blocks of a part, so that intervals of few trials are no matter.
    private static func blocksOfPart(_ size: UInt64) -> Int { max(1, Int(Reading.fewTrials / size)) }

    /// How much the values of parts differ.
    private struct Spread {
        let count: Double
        let mean: Double
        let variance: Double
        let kurtosis: Double

        init(_ values: [Double]) {
            count = Double(values.count)
            // From the first value, so that large numbers that differ little keep their digits.
            let first = values[0]
            mean = first + values.reduce(0) { $0 + ($1 - first) } / count
            var (second, fourth) = (0.0, 0.0)
            for value in values {
                let square = (value - mean) * (value - mean)
                second += square
                fourth += square * square
            }
            variance = second / (count - 1)
            kurtosis = second > 0 ? count * fourth / (second * second) : 0
        }
    }

    private mutating func note(_ grade: LawCheck.Finding.Grade, _ text: String) {
        findings.append(LawCheck.Finding(grade: grade, text: text))
    }

    /// Returns the faults of readings that have no value.
    static func validity(_ readings: [Reading], _ trials: UInt64) -> [LawCheck.Finding] {
        readings.compactMap { reading in
            if reading.isSpoilt {
                return LawCheck.Finding(
                    grade: .broken,
                    text: reading.kind == .proportion
                        ? CheckText.tooMany(name: reading.name) : CheckText.invalid(name: reading.name))
            }
            guard reading.value == nil, reading.kind.isNumber else { return nil }
            return LawCheck.Finding(
                grade: .remark,
                text: CheckText.noValue(name: reading.name, trials: trials))
        }
    }

    /// Warns of a mean that a few trials decide: the next of them would move it by more than its interval. The relative
    /// variance of its variance tells: the excess kurtosis of a trial divided by the trials, or that of a part divided by
    /// the parts. `sampled` is the part of all trials that is in the parts.
    private mutating func trust(_ reading: Reading, _ spread: Spread?, sampled: Double) {
        guard let spread, reading.kind == .mean, spread.variance > 0 else { return }
        let variance = (spread.kurtosis - 3) / spread.count * min(1, sampled)
        guard variance > Self.mostVariance else { return }
        note(
            .remark,
            "the interval of \(reading.name) cannot be trusted, because a few trials decide the mean: the variance of its "
                + "variance is \(Self.brief(variance)), more than \(Self.mostVariance); compute more trials, or make the rare "
                + "ones frequent and weigh them")
    }

    /// Compares the variance of the parts with the one that the interval tells. They are equal if the additions of one
    /// trial are independent of all others. Returns how many times it is too narrow, or 1.
    private mutating func width(_ reading: Reading, _ spread: Spread?, trials: UInt64, ofPart part: UInt64) -> Double {
        guard let spread, let half = reading.halfWidth, half > 0, spread.variance > 0,
            spread.kurtosis < Self.mostKurtosis
        else { return 1 }
        let error = half / Reading.standardErrors
        let ratio = spread.variance / (error * error * Double(trials) / Double(part))
        // Wilson and Hilferty's approximation of the distribution of a variance.
        let freedom = spread.count - 1
        let scale = 2 / (9 * freedom)
        let limit = pow(1 - scale + Self.most * scale.squareRoot(), 3)
        guard ratio > limit else {
            note(.kept, CheckText.wide(name: reading.name, times: Self.brief(limit.squareRoot())))
            return 1
        }
        note(.broken, CheckText.narrow(name: reading.name, times: Self.brief(ratio.squareRoot())))
        return ratio.squareRoot()
    }

    /// Compares a reading with its exact answer. `parts` is how many times the trials of a part there were.
    private mutating func exactness(
        _ reading: Reading, _ spread: Spread?, _ narrow: Double, parts count: Double, _ ignoresSeed: () -> Bool
    ) {
        guard let value = reading.value, let exact = reading.exact else { return }
        let rounding = Self.rounding * max(exact.magnitude, value.magnitude)
        var error = reading.halfWidth.map { narrow * $0 / Reading.standardErrors } ?? 0
        if error == 0, let spread {
            // The value of all trials is the mean of the parts', unless it is a sum that grows with the trials.
            let isSum = (spread.mean * count - value).magnitude < (spread.mean - value).magnitude
            if isSum { return note(.remark, CheckText.grows(name: reading.name)) }
            error = (spread.variance / count).squareRoot()
        }
        let off = (value - exact).magnitude
        // Without parts nobody knows how much a reading without an interval may be off, unless the seed does not matter.
        if error == 0, parts.isEmpty, reading.interval == nil {
            guard simulation.units != nil, off <= rounding || ignoresSeed() else { return }
        }
        guard off > Self.most * error + rounding else {
            let visible =
                error == 0 || exact == 0
                ? ""
                : CheckText.visible(error: Self.percent(Self.most * error / exact.magnitude))
            return note(.kept, CheckText.agrees(name: reading.name, visible: visible))
        }
        let distance = error > 0 ? CheckText.errors(count: Int(min(off / error, 1e6))) : "not"
        note(.broken, CheckText.off(name: reading.name, value: value, distance: distance, exact: exact))
    }

    private static func brief(_ ratio: Double) -> String {
        ratio < 10 ? "\((ratio * 10).rounded() / 10)" : "\(Int(min(ratio, 1e6)))"
    }

    /// A share with one digit that counts, rounded up.
    private static func percent(_ share: Double) -> String {
        var percent = share * 100
        guard percent < 1 else { return "\(Int(min(percent.rounded(.up), 1e6))) %" }
        var zeros = ""
        while percent < 0.1, zeros.count < 12 {
            percent *= 10
            zeros += "0"
        }
        return "0.\(zeros)\(Int((percent * 10).rounded(.up))) %"
    }
}
