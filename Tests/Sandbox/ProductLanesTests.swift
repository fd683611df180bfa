import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// The matrix product, plain and by the lanes of the libraries that this CPU can run, gives the bits of a plain loop.
@Suite(.timeLimit(.minutes(60))) struct ProductLanesTests {
    /// The matrix product by vectors of these kinds.
    private static let kinds = [.plain] + (MadeLanes.areMade ? MadeLanes.kinds : [])

    private func simulation(_ vectors: Vectors) throws -> AnySimulation {
        var lanes: LanesLibrary.Multiply?
        if vectors != .plain {
            let library = try #require(LanesLibrary.find(in: [MadeLanes.path(vectors)], madeOf: lanesSources))
            lanes = library.matrixProduct
            #expect(lanes != nil)
        }
        let all = simulations(matrixProduct: lanes)
        return try #require(all.first { $0.name == "matrix-product" })
    }

    private func product(_ vectors: Vectors, _ a: Table, _ b: Table) throws -> PreparedSimulation {
        let simulation = try simulation(vectors)
        return try simulation.prepared(simulation.standardParameters, tables: [a, b])
    }

    /// Numbers of all sizes, among them some that are special.
    private func table(_ rows: Int, _ columns: Int, oddities: UInt64, _ seeds: inout SeededGenerator) -> Table {
        let special: [Double] = [
            .nan, -.nan, .infinity, -.infinity, -0.0, 0, .leastNonzeroMagnitude, -.leastNormalMagnitude,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e-200, .ulpOfOne,
        ]
        var numbers: [Double] = []
        for _ in 0..<rows * columns {
            let word = seeds.next()
            if word % 1000 < oddities {
                numbers.append(special[Int(word >> 32) % special.count])
            } else {
                numbers.append((Double(seeds.next() >> 11) * 0x1p-53 - 0.5) * (word % 3 == 0 ? 1e9 : 1))
            }
        }
        return Table(rows: rows, columns: columns, numbers: numbers)
    }

    /// The bytes of the product, added up one after another. Every NaN has the same bits.
    private func plainLoop(_ a: Table, _ b: Table) -> [UInt8] {
        var octets: [UInt8] = []
        for row in 0..<a.rows {
            for column in 0..<b.columns {
                var sum = 0.0
                for k in 0..<a.columns { sum += a.numbers[row * a.columns + k] * b.numbers[k * b.columns + column] }
                let bits = sum.isNaN ? Double.nan.bitPattern : sum.bitPattern
                for shift in stride(from: 0 as UInt64, to: 64, by: 8) { octets.append(UInt8(bits >> shift & 0xff)) }
            }
        }
        return octets
    }

    /// Sizes around those of tiles, panels and the depth of a stretch.
    @Test func anySizeAndAnyNumber() throws {
        var seeds = SeededGenerator(seed: 20)
        let edges = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40]
        let depths = [1, 2, 3, 100, 511, 512, 513, 1024, 1025]
        func pick(_ choices: [Int]) -> Int { choices[Int(seeds.next() >> 33) % choices.count] }
        for round in 0..<60 {
            let (rows, inner, columns) = (pick(edges), pick(depths), pick(edges))
            let oddities: UInt64 = [0, 1, 30][round % 3]
            let a = table(rows, inner, oddities: oddities, &seeds)
            let b = table(inner, columns, oddities: oddities, &seeds)
            let wanted = plainLoop(a, b)
            var tallies: Set<[UInt64]> = []
            for vectors in Self.kinds {
                let prepared = try product(vectors, a, b)
                let size = UInt64(prepared.blockSize)
                let reply = prepared.run(
                    ChunkRequest(seed: 0, blocks: 0..<(UInt64(rows) + size - 1) / size, trials: nil)
                ) { false }
                #expect(Array(reply.outputs.joined()) == wanted, "\(vectors), \(rows) × \(inner) × \(columns)")
                tallies.insert(reply.slots)
            }
            #expect(tallies.count == 1, "\(rows) × \(inner) × \(columns)")
        }
    }

    /// Lanes compute many blocks of one row at once, and cut them again. The job may end within them.
    @Test func manyBlocksAtOnce() throws {
        var seeds = SeededGenerator(seed: 21)
        let a = table(50, 3000, oddities: 0, &seeds)
        let b = table(3000, 700, oddities: 0, &seeds)
        let plain = try product(.plain, a, b)
        #expect(plain.blockSize == 1 && plain.units == 50)
        for vectors in Self.kinds where vectors != .plain {
            let prepared = try product(vectors, a, b)
            for (blocks, trials) in [(0..<50, nil), (3..<50, 47), (48..<60, nil), (7..<9, 5)]
                as [(Range<UInt64>, UInt64?)]
            {
                let request = ChunkRequest(seed: 1, blocks: blocks, trials: trials)
                #expect(prepared.run(request) { false } == plain.run(request) { false }, "\(vectors), \(blocks)")
            }
        }
    }

    /// Random matrices are the same whether a block or many blocks draw their rows.
    @Test func drawnMatricesAreTheSame() throws {
        for size: UInt64 in [1, 15, 16, 17, 100, 513, 1030] {
            let replies = try Self.kinds.map { vectors in
                let prepared = try simulation(vectors).prepared([size, 7])
                let blocks = (min(size, 24) + UInt64(prepared.blockSize) - 1) / UInt64(prepared.blockSize)
                return prepared.run(ChunkRequest(seed: 0, blocks: 0..<blocks, trials: nil)) { false }
            }
            for reply in replies { #expect(reply == replies[0], "\(size)") }
        }
    }

    /// Blocks up to 2048 × 2048 are what they always were. Larger ones have several rows, but no more than a mebibyte.
    @Test(arguments: [(256, 64), (1024, 4), (2048, 1), (2049, 32), (4096, 16)] as [(Int, Int)])
    func blocksOfAnySize(size: Int, rows: Int) throws {
        let row = Table(rows: 1, columns: size, numbers: [Double](repeating: 0, count: size))
        let zeros = Table(rows: size, columns: size, numbers: [Double](repeating: 0, count: size * size))
        #expect(try product(.plain, row, zeros).blockSize == rows)
    }

    /// A narrow matrix takes as much memory as its numbers, and not a panel of sixteen columns.
    @Test func narrowMatrices() throws {
        var seeds = SeededGenerator(seed: 22)
        for columns in 1...9 {
            let a = table(3, 1000, oddities: 1, &seeds)
            let b = table(1000, columns, oddities: 1, &seeds)
            for vectors in Self.kinds {
                let reply = try product(vectors, a, b).run(ChunkRequest(seed: 0, blocks: 0..<1, trials: nil)) { false }
                #expect(reply.outputs == [plainLoop(a, b)], "\(vectors), \(columns) columns")
            }
        }
    }
}
