import PotluckKit

/// All primes below a limit, found in one of two ways: with a sieve, or by trying all divisors.
///
/// The sieve handles only odd numbers, in pieces that fit the first cache of a CPU. In each piece it crosses out the
/// multiples of the primes up to the root of the piece's end. A unit is a number, so number n is unit n.
struct Primes: Gathering {
    static let name: StaticString = "primes"
    static let summary: StaticString = "How many primes are there below a limit, and which?"

    // A real number, because integer parameters end at 2³¹. Whole numbers up to 2⁵³ are exact.
    @Parameter("limit", "all primes below this number", in: 2...1e12) var limit = 1e6
    @Parameter("method", "how to find them") var method = Method.sieve
    @Parameter("list", "write the primes, one per line") var list = false

    enum Method: ParameterChoice {
        case sieve, trial
        var name: StaticString {
            switch self {
            case .sieve: "sieve"
            case .trial: "trial"
            }
        }
    }

    struct Tally: SimulationTally {
        var primes = Count(), last = Maximum()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("primes", &primes)
            visitor.field("last", &last)
        }
    }

    /// The odd primes up to the root of the limit.
    private var divisors: [UInt64] = []

    var problem: StaticString? { limit == limit.rounded(.down) ? nil : "the limit must be a whole number" }
    var units: UInt64 { UInt64(limit) }
    var writes: OutputKind { list ? .text : .nothing }
    /// Trying divisors takes a microsecond per number if the numbers are large.
    var blockSize: Int { method == .trial ? 1 << 14 : list ? 1 << 17 : 1 << 20 }

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        var root = UInt64(limit.squareRoot())
        while root * root < units { root += 1 }
        // Only odd numbers: 3, 5, 7 … have the indices 0, 1, 2 …
        var isComposite = [Bool](repeating: false, count: Int(root / 2))
        for index in isComposite.indices where !isComposite[index] {
            let prime = 2 * index + 3
            divisors.append(UInt64(prime))
            // Where its square lies; beyond the end there is nothing to cross out, and squares could overflow.
            guard prime < 65_536 else { continue }
            var multiple = (prime * prime - 3) / 2
            while multiple < isComposite.count {
                isComposite[multiple] = true
                multiple += prime
            }
        }
        return nil
    }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
        if units.contains(2) { found(2, &output, &tally) }
        switch method {
        case .sieve: sieve(units, &output, &tally)
        case .trial: for number in units where isPrime(number) { found(number, &output, &tally) }
        }
    }

    private func found(_ prime: UInt64, _ output: inout Output, _ tally: inout Tally) {
        tally.primes.add()
        tally.last.add(Double(prime))
        if list { output.line(prime) }
    }

    /// Returns whether an odd number is prime, by trying all divisors.
    private func isPrime(_ number: UInt64) -> Bool {
        guard number > 2, number % 2 == 1 else { return false }
        for divisor in divisors {
            if divisor * divisor > number { return true }
            if number % divisor == 0 { return false }
        }
        return true
    }

    /// The number of odd numbers in a piece. They take 32 KiB, the size of a first-level cache.
    private static var piece: Int { 1 << 15 }

    private func sieve(_ units: Range<UInt64>, _ output: inout Output, _ tally: inout Tally) {
        // The odd numbers of these units: first, first + 2, …
        let first = max(3, units.lowerBound | 1)
        guard first < units.upperBound else { return }
        let all = Int((units.upperBound - first + 1) / 2)
        var used = 0
        while used < divisors.count, divisors[used] * divisors[used] < units.upperBound { used += 1 }
        // The index of each divisor's next odd multiple, from its square on.
        var next = [Int](repeating: 0, count: used)
        for index in 0..<used {
            let prime = divisors[index]
            var multiple = max(prime * prime, (first + prime - 1) / prime * prime)
            if multiple % 2 == 0 { multiple += prime }
            next[index] = Int((multiple - first) / 2)
        }
        var marks = [UInt8](repeating: 0, count: min(all, Self.piece))
        var start = 0
        while start < all {
            let count = min(Self.piece, all - start)
            marks.withUnsafeMutableBufferPointer { marks in
                for index in 0..<count { marks[index] = 0 }
                for index in 0..<used {
                    let prime = Int(divisors[index])
                    var at = next[index] - start
                    while at < count {
                        marks[at] = 1
                        at += prime
                    }
                    next[index] = at + start
                }
            }
            collect(marks, count, first + 2 * UInt64(start), &output, &tally)
            start += count
        }
    }

    /// Counts what is not crossed out in a piece that begins at `first`.
    private func collect(
        _ marks: [UInt8], _ count: Int, _ first: UInt64, _ output: inout Output, _ tally: inout Tally
    ) {
        if list {
            for index in 0..<count where marks[index] == 0 { found(first + 2 * UInt64(index), &output, &tally) }
            return
        }
        let composite = marks.withUnsafeBufferPointer { marks in
            var sum: UInt32 = 0
            for index in 0..<count { sum &+= UInt32(marks[index]) }
            return sum
        }
        tally.primes.add(UInt32(count) - composite)
        if let last = (0..<count).last(where: { marks[$0] == 0 }) {
            tally.last.add(Double(first + 2 * UInt64(last)))
        }
    }

    static var readings: [ReadingRule<Primes>] {
        derived("primes", { _, tally, _ in Double(tally.primes.value) }, exact: { $0.exact })
        derived("last prime", { _, tally, _ in tally.last.value })
    }

    /// The number of primes below each power of ten.
    private var exact: Double? {
        let counts: [Double] = [
            4, 25, 168, 1229, 9592, 78_498, 664_579, 5_761_455, 50_847_534, 455_052_511, 4_118_054_813, 37_607_912_018,
        ]
        var power = 10.0
        for count in counts {
            if power == limit { return count }
            power *= 10
        }
        return nil
    }
}
