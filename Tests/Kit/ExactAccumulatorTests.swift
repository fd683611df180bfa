import PotluckKit
import Testing

/// `ExactSum` and `Moments` against what they are defined to be, slot by slot. Numbers wait in the accumulators before
/// they are added, so these tests add more than can wait.
@Suite struct ExactAccumulatorTests {
    /// The definition: every number is added at once, bit by bit.
    private struct Definition {
        var count: UInt64 = 0
        var sum = BitSum()
        var squares = BitSum()
        var sumIsSpoilt = false
        var squaresAreSpoilt = false

        mutating func add(_ x: Double) {
            count += 1
            if x.magnitude < 0x1p63 { sum.add(x) } else { sumIsSpoilt = true }
            if x * x < 0x1p63 { squares.addSquare(of: x) } else { squaresAreSpoilt = true }
        }

        var sumSlots: [UInt64] { sum.words + [sumIsSpoilt ? 1 : 0] }
        var slots: [UInt64] { sumSlots + [count] + sumSlots + squares.words + [squaresAreSpoilt ? 1 : 0] }
    }

    private struct Both: SimulationTally {
        var sum = ExactSum(), moments = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("sum", &sum)
            visitor.field("moments", &moments)
        }

        static let layout = TallyLayout(of: Both.self)
        var slots: [UInt64] { slots(Self.layout.slots) }

        mutating func add(_ x: Double) {
            sum.add(x)
            moments.add(x)
        }
    }

    /// The kinds of numbers that the accumulators treat differently, and the limits between them.
    private enum Kind: CaseIterable {
        case usual, whole, zero, subnormal, tiny, small, large, limit, tooLarge, notANumber, anything

        func number(_ random: inout RandomStream) -> Double {
            let sign: FloatingPointSign = random.coin() ? .plus : .minus
            func real(_ exponents: ClosedRange<Int>) -> Double {
                let significand = [1, 2.0.nextDown, 1 + random.unit()][random.below(3)]
                return Double(sign: sign, exponent: random.integer(in: exponents), significand: significand)
            }
            switch self {
            case .usual: return real(-12...30)
            case .whole: return Double(random.integer(in: -1000...1000))
            case .zero: return sign == .plus ? 0 : -0.0
            case .subnormal: return .leastNonzeroMagnitude * Double(random.integer(in: -9...9))
            case .tiny: return real(-1022 ... -77)
            case .small: return real(-77 ... -12)
            case .large: return real(31...62)
            case .limit:
                let limits = [-128, -77, -76, -65, -64, -63, -12, 31, 52, 63]
                let limit = Double(sign: sign, exponent: limits[random.below(limits.count)], significand: 1)
                return [limit, limit.nextUp, limit.nextDown, 3_037_000_499.97605][random.below(4)]
            case .tooLarge: return real(63...1023)
            case .notANumber: return [Double.nan, -.nan, .infinity, -.infinity][random.below(4)]
            case .anything: return Double(bitPattern: random.next64())
            }
        }
    }

    /// Numbers of one to all kinds; half of the seeds have none that spoils a sum.
    private func numbers(_ random: inout RandomStream, spoiling: Bool) -> [Double] {
        let kinds = Kind.allCases.filter { kind in
            switch kind {
            case .tooLarge, .notANumber, .anything: spoiling && random.coin()
            default: random.coin()
            }
        }
        guard !kinds.isEmpty else { return [] }
        var numbers = (0..<random.below(700)).map { _ in kinds[random.below(kinds.count)].number(&random) }
        // Let what was added cancel.
        if random.coin() { numbers += numbers.map(-) }
        if !spoiling { numbers = numbers.filter { $0.magnitude < 3e9 } }
        for index in numbers.indices { numbers.swapAt(index, random.below(numbers.count)) }
        return numbers
    }

    @Test(arguments: [false, true]) func accumulatorsMatchTheirDefinition(spoiling: Bool) {
        for seed in 0..<80 as Range<UInt64> {
            var random = stream(seed, 30)
            let numbers = numbers(&random, spoiling: spoiling)
            var definition = Definition()
            var whole = Both()
            var parts = [Both](repeating: Both(), count: 1 + random.below(5))
            for number in numbers {
                definition.add(number)
                whole.add(number)
                let part = random.below(parts.count)
                parts[part].add(number)
                // A copy continues where the first one was.
                if random.below(50) == 0 { parts[part] = Both(slots: parts[part].slots) }
            }
            let slots = definition.slots
            #expect(whole.slots == slots, "seed \(seed)")
            var merged = Both().slots
            for part in parts { Both.layout.merge(part.slots, into: &merged) }
            #expect(merged == slots, "seed \(seed) in parts")
        }
    }

    /// Code that reads or writes the properties of moments between two numbers gets exact ones.
    @Test func propertiesAreExactAtAnyTime() {
        for seed in 0..<40 as Range<UInt64> {
            var random = stream(seed, 31)
            var definition = Definition()
            var both = Both()
            for number in numbers(&random, spoiling: false) {
                definition.add(number)
                both.sum.add(number)
                switch random.below(8) {
                case 0:
                    // By hand, through copies.
                    both.moments.count += 1
                    both.moments.sum.add(number)
                    both.moments.squares.addSquare(of: number)
                case 1:
                    let sum = both.moments.sum
                    both.moments.add(number)
                    var other = Moments()
                    (other.count, other.sum, other.squares) = (both.moments.count, sum, both.moments.squares)
                    other.sum.add(number)
                    #expect(other == both.moments)
                    both.moments = other
                default: both.moments.add(number)
                }
            }
            #expect(both.slots == definition.slots, "seed \(seed)")
            #expect(both.moments.count == definition.count && both.moments.sum == both.sum)
        }
    }

    /// Integers and reals in turns, of which more than can wait are added between two multiples of that many.
    @Test func wholeNumbersBetweenRealsKeepTheSumsExact() {
        for seed in 0..<8 as Range<UInt64> {
            var random = stream(seed, 32)
            var definition = Definition()
            var both = Both()
            // Of these the most goes into one part.
            let widest = -(2.0.nextDown) * 0x1p19
            for index in 0..<(3000 as Int) {
                let isWhole = index % 256 >= 250 || random.below(5) == 0
                let n = random.integer(in: -1 << 31...1 << 31)
                definition.add(isWhole ? Double(n) : widest)
                if isWhole {
                    both.sum.add(n)
                    both.moments.add(n)
                } else {
                    both.add(widest)
                }
            }
            #expect(both.slots == definition.slots, "seed \(seed)")
        }
    }
}
