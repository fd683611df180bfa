import Foundation
import PotluckKit

/// Statistical tests of a source of 32-bit words. Each result says how far the words are from random, as a normally
/// distributed number: positive if counts are too uneven, negative if they are too even.
struct Battery {
    typealias Source = () -> UInt32

    /// The number of words in each test.
    static let words = 1 << 15

    static func results(_ source: Source) -> [(test: String, surprise: Double)] {
        let words = (0..<Self.words).map { _ in source() }
        var results: [(String, Double)] = []
        for shift in [0, 8, 12, 20, 24] as [UInt32] {
            results.append(("bytes at bit \(shift)", surprise(cells(words.map { Int($0 >> shift & 0xff) }, 256))))
        }
        for shift in [0, 14, 28] as [UInt32] {
            let nibbles = words.map { Int($0 >> shift & 0xf) }
            let pairs = zip(nibbles, nibbles.dropFirst()).map { $0 * 16 + $1 }
            results.append(("pairs at bit \(shift)", surprise(cells(pairs, 256))))
            // Words sixteen apart, which are neighbours of the same lane when lanes are interleaved.
            let distant = zip(nibbles, nibbles.dropFirst(16)).map { $0 * 16 + $1 }
            results.append(("distant pairs at bit \(shift)", surprise(cells(distant, 256))))
        }
        results.append(("ones", ones(words)))
        results.append(("runs", lengths(words.map { $0 >> 31 == 1 }, probability: 0.5)))
        results.append(("gaps between high words", lengths(gaps(words) { $0 >> 29 == 5 }, probability: 0.125)))
        results.append(("gaps between low bits", lengths(gaps(words) { $0 & 7 == 5 }, probability: 0.125)))
        results.append(("order of five", orders(words)))
        for lag in [1, 2, 16] { results.append(("bits that stay after \(lag)", stays(words, lag: lag))) }
        results.append(("birthday spacings", birthdays(words)))
        results.append(("birthday spacings of low halves", birthdays(words.map { $0 << 16 | $0 >> 16 })))
        return results
    }

    private static func cells(_ values: [Int], _ count: Int) -> [Int] {
        var cells = [Int](repeating: 0, count: count)
        for value in values { cells[value] += 1 }
        return cells
    }

    /// The number of bits set in a word, which is binomially distributed. The rare ends are merged.
    private static func ones(_ words: [UInt32]) -> Double {
        var probabilities = [Double](repeating: 0, count: 17)
        for ones in 0...32 {
            let ways =
                Foundation.lgamma(33) - Foundation.lgamma(Double(ones + 1))
                - Foundation.lgamma(Double(33 - ones))
            probabilities[min(16, max(0, ones - 8))] += Foundation.exp(ways - 32 * M_LN2)
        }
        return surprise(
            cells(words.map { min(16, max(0, $0.nonzeroBitCount - 8)) }, 17), probabilities: probabilities)
    }

    /// The lengths of the gaps between words for which `isMeant` is true.
    private static func gaps(_ words: [UInt32], _ isMeant: (UInt32) -> Bool) -> [Int] {
        var lengths: [Int] = []
        var length = 0
        for word in words {
            length += 1
            if isMeant(word) {
                lengths.append(length)
                length = 0
            }
        }
        return lengths
    }

    private static func lengths(_ flags: [Bool], probability: Double) -> Double {
        var lengths: [Int] = []
        var length = 1
        for (flag, next) in zip(flags, flags.dropFirst()) {
            if flag == next {
                length += 1
            } else {
                lengths.append(length)
                length = 1
            }
        }
        return Self.lengths(lengths, probability: probability)
    }

    /// Tests lengths that end at each step with this probability.
    private static func lengths(_ lengths: [Int], probability: Double) -> Double {
        guard lengths.count > 1000 else { return 1000 }
        let longest = probability < 0.5 ? 40 : 9
        var probabilities = (0..<longest).map { probability * Foundation.pow(1 - probability, Double($0)) }
        probabilities[longest - 1] = Foundation.pow(1 - probability, Double(longest - 1))
        return surprise(cells(lengths.map { min($0, longest) - 1 }, longest), probabilities: probabilities)
    }

    /// The order of five successive words, of which there are 120.
    private static func orders(_ words: [UInt32]) -> Double {
        var orders: [Int] = []
        for start in stride(from: 0, to: words.count - 4, by: 5) {
            var order = 0
            for a in 0..<5 {
                var rank = 0
                for b in a + 1..<5 where words[start + b] < words[start + a] { rank += 1 }
                order = order * (5 - a) + rank
            }
            orders.append(order)
        }
        return surprise(cells(orders, 120))
    }

    /// How often each of the 32 bits has the same value again `lag` words later.
    private static func stays(_ words: [UInt32], lag: Int) -> Double {
        var stays = [Int](repeating: 0, count: 32)
        // This takes 32 times the work of the other tests, so it uses fewer words.
        let count = words.count / 4
        for (word, later) in zip(words.prefix(count), words.dropFirst(lag)) {
            let same = ~(word ^ later)
            for bit in 0..<32 { stays[bit] += Int(same >> UInt32(bit) & 1) }
        }
        // 32 independent counts, each with probability 1/2: the sum of their squares
        // is chi-square with 32 degrees of freedom.
        let squares = stays.map {
            4 * (Double($0) - Double(count) / 2) * (Double($0) - Double(count) / 2) / Double(count)
        }
        let freedom = 32.0
        return normalised(chiSquare: squares.reduce(0, +), freedom: freedom)
    }

    /// Marsaglia's birthday spacings: 4096 birthdays in a year of 2³² days have 4 equal spacings on average.
    private static func birthdays(_ words: [UInt32]) -> Double {
        var equal = 0
        let rooms = words.count / 4096
        for room in 0..<rooms {
            let birthdays = words[(room * 4096)..<(room * 4096 + 4096)].sorted()
            let spacings = zip(birthdays, birthdays.dropFirst()).map { $1 - $0 }.sorted()
            equal += zip(spacings, spacings.dropFirst()).count { $0 == $1 }
        }
        let expected = 4 * Double(rooms)
        return (Double(equal) - expected) / expected.squareRoot()
    }
}
