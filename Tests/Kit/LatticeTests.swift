import Foundation
import PotluckKit
import Testing

/// Quasi-Monte Carlo: points of lattices.
@Suite struct LatticeTests {
    /// Functions on the unit cube whose means are known. Tools/lattice-table.py has the same ones.
    private enum Known: String, CaseIterable {
        case smooth, bent, normals, cut

        func mean(_ dimensions: Int) -> Double {
            switch self {
            case .smooth, .bent: return 1
            case .normals: return ((1 - Maths.pow(4, -Double(dimensions))) / (6 * Double.pi)).squareRoot()
            case .cut: return 1 / 6
            }
        }

        func value(_ lattice: Lattice, _ point: Int, _ dimensions: Int) -> Double {
            var (product, sum) = (1.0, 0.0)
            for place in 0..<dimensions {
                let number = Double(place + 1)
                switch self {
                case .smooth: product *= 1 + (lattice.unit(point, place) - 0.5) / number
                case .bent:
                    let size = (4 * lattice.unit(point, place) - 2).magnitude
                    product *= (size + number * number) / (1 + number * number)
                case .normals: sum += lattice.normal(point, place) * Maths.pow(2, -number)
                case .cut: sum += place < 3 ? lattice.unit(point, place) : 0
                }
            }
            switch self {
            case .smooth, .bent: return product
            case .normals: return max(0, sum)
            case .cut: return sum < 1 ? 1 : 0
            }
        }

        /// The mean over the points of a lattice, which is moved at random.
        func found(_ points: Int, _ dimensions: Int, _ random: inout RandomStream) -> Double {
            let lattice = random.lattice(points, dimensions: dimensions)
            var sum = 0.0
            for point in 0..<points { sum += value(lattice, point, dimensions) }
            return sum / Double(points)
        }
    }

    /// Two points of each coordinate are in each part of a width of two divided by the points.
    @Test(arguments: [64, 256, 4096, 65_536]) func coordinatesAreSpreadEvenly(points: Int) {
        var random = stream(1, UInt64(points))
        let lattice = random.lattice(points, dimensions: points / 4)
        for dimension in [0, 1, 2, 7, points / 8, points / 4 - 1] {
            var cells = [Int](repeating: 0, count: points / 2)
            for point in 0..<points { cells[Int(lattice.unit(point, dimension) * Double(points / 2))] += 1 }
            #expect(cells.allSatisfy { $0 == 2 }, "\(dimension)")
        }
    }

    @Test func eachPointIsAnywhereAlike() {
        var random = stream(3)
        var cells = [Int](repeating: 0, count: 256)
        for _ in 0..<20_000 {
            let lattice = random.lattice(64, dimensions: 3)
            cells[16 * Int(16 * lattice.unit(0, 0)) + Int(16 * lattice.unit(63, 2))] += 1
        }
        #expect(surprise(cells) < 4.5)
    }

    @Test func normalsAreQuantiles() {
        var random = stream(4)
        var least = 0.0
        for _ in 0..<50 {
            let lattice = random.lattice(1024, dimensions: 1)
            for point in 0..<1024 {
                let (unit, normal) = (lattice.unit(point, 0), lattice.normal(point, 0))
                #expect((Maths.normal(below: normal) - unit).magnitude < 1e-15, "\(unit)")
                #expect((normal < 0) == (unit < 0.5))
                least = min(least, normal)
            }
        }
        #expect(least < -4)
    }

    /// The root of the mean square error, over 400 lattices, is 0.1 to 1.6 times that of SciPy's Sobol points, which
    /// lattice-table.txt has.
    @Test func errorsAreThoseOfSobolPoints() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "lattice-table.txt")
        for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            let known = try #require(Known(rawValue: String(words[0])))
            let dimensions = try #require(Int(words[1])), points = try #require(Int(words[2]))
            let theirs = try #require(Double(words[3]))
            var random = stream(5, UInt64(dimensions * points))
            var squares = 0.0
            for _ in 0..<400 {
                let error = known.found(points, dimensions, &random) - known.mean(dimensions)
                squares += error * error
            }
            let error = (squares / 400).squareRoot()
            #expect(error < 1.7 * theirs, "\(line): \(error)")
        }
    }

    /// The interval over trials, each of which is one random move of the lattice.
    @Test(arguments: [8, 16, 32]) func intervalsCoverAsOftenAsTheySay(trials: Int) {
        guard trials == 16 || Coverage.trials.count > 1 else { return }
        for known in Known.allCases {
            var hits = 0
            for run in 0..<Coverage.runs {
                var random = stream(UInt64(run), 97)
                var moments = Moments()
                for _ in 0..<trials { moments.add(known.found(64, 4, &random)) }
                guard let mean = moments.mean, let half = moments.halfWidth else { continue }
                if (mean - known.mean(4)).magnitude < half { hits += 1 }
            }
            #expect(Coverage.isFine(hits, "a lattice, \(known),", trials), "\(known): \(hits)")
        }
    }

    /// Examples/asian.swift, for which `asian.swift` in this folder is a link.
    @Test func theExampleBuysAHundredfoldVariance() throws {
        let parameters = [(100 as Double).bitPattern, (0.2 as Double).bitPattern, 1024]
        let asian = try AnySimulation(Asian.self, source: "").prepared(parameters)
        let block = asian.run(ChunkRequest(seed: 6, blocks: 0..<2, trials: nil), { false })
        let readings = asian.read(block.slots, 32)
        let (price, geometric, plain) = (readings[0], readings[1], readings[2])
        let exact = try #require(geometric.exact), interval = try #require(geometric.interval)
        #expect(interval.contains(exact) && interval.upperBound - interval.lowerBound < 0.02)
        #expect(try #require(plain.interval).contains(try #require(price.value)))
        #expect(try #require(readings[3].value) > 100)
    }

    @Test func whatIsNoLatticeEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(65, dimensions: 1) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(32, dimensions: 1) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(131_072, dimensions: 1) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(64, dimensions: 17) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(64, dimensions: 0) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(64, dimensions: 1).unit(64, 0) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(64, dimensions: 1).unit(-1, 0) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.lattice(64, dimensions: 1).unit(0, 1) } }
    }
}
