import PotluckKit

/// By how much a reading differs between two settings whose trials met the same random numbers.
///
/// The interval is a jackknife's over the groups, so it holds for every reading: also for one that is computed from the
/// whole tally, and for a quantile. For a mean it is Student's interval of the groups' differences.
package struct PairedDifference: Sendable {
    /// The difference, with its interval: the second setting's value less the first one's.
    package let reading: Reading
    /// Half the width of the interval that the same trials would give if the settings' random numbers had nothing in
    /// common; nil if there is none.
    package let unpairedHalfWidth: Double?
    /// How many times the variance of the difference is smaller for the pairing; nil if one of them is 0 or unknown.
    package let gain: Double?

    /// The differences of all readings with a value, by their places among the readings. Both must be readings of one
    /// simulation with equally many groups.
    package static func all(_ first: GroupedReadings, _ second: GroupedReadings) -> [(place: Int, PairedDifference)] {
        first.all.indices.compactMap { place in
            first.all[place].kind.isNumber ? (place, PairedDifference(first, second, place)) : nil
        }
    }

    private init(_ first: GroupedReadings, _ second: GroupedReadings, _ place: Int) {
        let (one, other) = (first.all[place], second.all[place])
        let exact = one.exact.flatMap { before in other.exact.map { $0 - before } }
        guard let before = one.value, let after = other.value,
            let lacks = Self.values(first, place), let others = Self.values(second, place)
        else {
            let value = one.value.flatMap { before in other.value.map { $0 - before } }
            reading = Reading(
                name: one.name, kind: .derived, value: value, exact: exact, isSpoilt: one.isSpoilt || other.isSpoilt)
            (unpairedHalfWidth, gain) = (nil, nil)
            return
        }
        let paired = Self.pseudo(after - before, zip(lacks, others).map { $1 - $0 })
        let alone = [Self.pseudo(before, lacks), Self.pseudo(after, others)]
        let half = paired.halfWidth
        let value = after - before
        let varies = alone.contains { ($0.variance ?? 0) > 0 }
        reading = Reading(
            name: one.name, kind: .derived, value: value, interval: half.map { value - $0...value + $0 }, exact: exact,
            varies: varies)
        let halves = alone.compactMap(\.halfWidth)
        let unpaired = halves.count == 2 && varies ? Self.length(halves) : nil
        unpairedHalfWidth = unpaired
        gain = half.flatMap { half in unpaired.flatMap { half > 0 ? ($0 / half) * ($0 / half) : nil } }
    }

    /// The values without each group; nil if one is missing.
    private static func values(_ readings: GroupedReadings, _ place: Int) -> [Double]? {
        let values = readings.without.compactMap { $0[place].value }
        return values.count == readings.without.count ? values : nil
    }

    /// The moments of the jackknife's pseudo-values: what each group adds to the value.
    private static func pseudo(_ value: Double, _ without: [Double]) -> Moments {
        let count = Double(without.count)
        var moments = Moments()
        for rest in without { moments.add(count * value - (count - 1) * rest) }
        return moments
    }

    private static func length(_ sides: [Double]) -> Double { sides.reduce(0) { $0 + $1 * $1 }.squareRoot() }
}
