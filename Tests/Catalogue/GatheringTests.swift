import PotluckCatalogue
import PotluckChecks
import PotluckKit
import Testing

/// Tests of the output of simulations that write some.
@Suite struct GatheringTests {
    /// Returns the output of all blocks and the readings.
    private func whole(_ each: Case) -> (text: String, readings: [Reading]) {
        let units = each.prepared.units ?? 0
        let reply = each.reply(of: 0..<each.blocks(for: units), units, seed: 0)
        return (
            String(decoding: reply.outputs.joined(), as: UTF8.self), each.prepared.read(reply.slots, units)
        )
    }

    private func naive(below limit: Int) -> [Int] {
        (2..<max(2, limit)).filter { number in !(2..<number).prefix { $0 * $0 <= number }.contains { number % $0 == 0 }
        }
    }

    @Test(arguments: ["sieve", "trial"]) func primesBelowAnyLimit(method: String) throws {
        let known = naive(below: 1100)
        for limit in [2, 3, 4, 5, 9, 10, 25, 26, 49, 50, 121, 961, 962, 1024, 1100] {
            let (text, readings) = whole(try Case("primes limit=\(limit) method=\(method) list=true"))
            let found = text.split(separator: "\n").compactMap { Int($0) }
            #expect(found == known.filter { $0 < limit }, "\(limit)")
            #expect(readings[0].value == Double(found.count))
            #expect(readings[1].value == found.last.map(Double.init))
        }
    }

    /// Limits at the borders of the sieve's pieces and blocks lose no prime.
    @Test func bothMethodsFindTheSame() throws {
        for limit in [65_535, 65_536, 65_537, 65_540, 131_071, 131_073, 200_003] {
            let sieve = whole(try Case("primes limit=\(limit) list=true"))
            let trial = whole(try Case("primes limit=\(limit) method=trial list=true"))
            let counted = whole(try Case("primes limit=\(limit)"))
            #expect(sieve.text == trial.text && sieve.readings == trial.readings)
            #expect(counted.readings == sieve.readings && counted.text.isEmpty)
        }
    }

    @Test func knownCounts() throws {
        for (limit, count, last) in [("100000", 9592, 99_991), ("2000000", 148_933, 1_999_993)] {
            let readings = whole(try Case("primes limit=\(limit)")).readings
            #expect(readings.map(\.value) == [Double(count), Double(last)])
        }
        for power in ["10", "1000", "1000000"] {
            let reading = whole(try Case("primes limit=\(power)")).readings[0]
            #expect(reading.exact != nil && reading.exact == reading.value)
        }
    }

    /// For large limits, where squares of divisors need more than 32 bits, compares one block with trial division.
    @Test func farUp() throws {
        let sieve = try Case("primes limit=1000000000000")
        let trial = try Case("primes limit=1000000000000 method=trial")
        let limit: UInt64 = 1_000_000_000_000
        let last = [sieve, trial].map { each in
            let end = each.blocks(for: limit)
            return each.prepared.read(each.tally(of: end - 1..<end, limit, seed: 0), 1)[1].value
        }
        #expect(last == [999_999_999_989, 999_999_999_989])
    }

    private func product(_ a: Table, _ b: Table) throws -> (numbers: [Double], readings: [Reading]) {
        let simulation = try #require(catalogue.first { $0.name == "matrix-product" })
        let prepared = try simulation.prepared(simulation.standardParameters, tables: [a, b])
        let units = try #require(prepared.units)
        let size = UInt64(prepared.blockSize)
        let reply = prepared.run(
            ChunkRequest(seed: 0, blocks: 0..<(units + size - 1) / size, trials: units)
        ) { false }
        let octets = Array(reply.outputs.joined())
        let numbers = stride(from: 0, to: octets.count, by: 8).map { start in
            Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(octets[start + $1]) << UInt64(8 * $1) })
        }
        return (numbers, prepared.read(reply.slots, units))
    }

    @Test func nineNumbers() throws {
        let a = Table(rows: 3, columns: 3, numbers: (1...9).map(Double.init))
        let b = Table(rows: 3, columns: 3, numbers: (1...9).reversed().map(Double.init))
        let (numbers, readings) = try product(a, b)
        #expect(numbers == [30, 24, 18, 84, 69, 54, 138, 114, 90])
        #expect(readings.map(\.value) == [189, 621])
    }

    /// Sums are added in order of k for every size, so the bits equal those of a plain loop.
    @Test func anySizes() throws {
        var seeds = Seeds(4)
        func table(_ rows: Int, _ columns: Int) -> Table {
            Table(
                rows: rows, columns: columns,
                numbers: (0..<rows * columns).map { _ in Double(seeds.next() >> 11) * 0x1p-53 - 0.5 })
        }
        for (rows, inner, columns) in [(1, 1, 1), (1, 5, 3), (4, 3, 1), (5, 2, 7), (9, 11, 6), (130, 40, 1000)] {
            let (a, b) = (table(rows, inner), table(inner, columns))
            var plain: [Double] = []
            for i in 0..<rows {
                for j in 0..<columns {
                    var sum = 0.0
                    for k in 0..<inner { sum += a.numbers[i * inner + k] * b.numbers[k * columns + j] }
                    plain.append(sum)
                }
            }
            #expect(try product(a, b).numbers == plain)
        }
    }

    @Test func tablesThatDoNotFitAreRefused() throws {
        let simulation = try #require(catalogue.first { $0.name == "matrix-product" })
        let (a, b) = (Table(rows: 1, columns: 2, numbers: [1, 2]), Table(rows: 3, columns: 1, numbers: [1, 2, 3]))
        #expect(throws: ParameterError.conflict("a must have as many columns as b has rows")) {
            try simulation.prepared(simulation.standardParameters, tables: [a, b])
        }
        #expect(throws: ParameterError.conflict("a product needs two matrices: give both a and b")) {
            try simulation.prepared(simulation.standardParameters, tables: [a, .empty])
        }
        #expect(throws: ParameterError.wrongTables) {
            try simulation.prepared(simulation.standardParameters, tables: [a])
        }
        #expect(throws: ParameterError.conflict("the limit must be a whole number")) {
            try #require(catalogue.first { $0.name == "primes" }).prepared([(10.5).bitPattern, 0, 0])
        }
    }
}
