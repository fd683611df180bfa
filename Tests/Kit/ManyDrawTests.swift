import Foundation
import PotluckKit
import Testing

/// The draws of several numbers that belong together.
@Suite struct ManyDrawTests {
    /// A share of the area for each ring and each sector of the disc; of the sphere by height, after Archimedes.
    @Test func pointsAreSpreadEvenly() {
        var random = stream(4, 44)
        var (disc, sphere) = ([Int](repeating: 0, count: 64), [Int](repeating: 0, count: 64))
        func sector(_ y: Double, _ x: Double) -> Int { min(7, Int((Foundation.atan2(y, x) / .pi + 1) * 4)) }
        for _ in 0..<20_000 {
            let point = random.inDisc()
            disc[8 * Int((point.x * point.x + point.y * point.y) * 8) + sector(point.y, point.x)] += 1
            let (x, y, z) = random.onSphere()
            #expect((x * x + y * y + z * z - 1).magnitude < 1e-15)
            sphere[8 * min(7, Int((z + 1) * 4)) + sector(y, x)] += 1
        }
        #expect(surprise(disc) < 4.5 && surprise(sphere) < 4.5)
    }

    /// A share of the Dirichlet distribution has a beta distribution, here one with a simple distribution function.
    @Test func sharesHaveTheirDistribution() {
        var random = stream(5, 44)
        var cells = [Int](repeating: 0, count: 32)
        for _ in 0..<20_000 {
            let shares = random.dirichlet([1, 0.5, 2.5])
            #expect((shares.reduce(0, +) - 1).magnitude < 1e-15)
            // Of 1 and 3: 1 − (1 − x)³.
            let rest = 1 - shares[0]
            cells[min(31, Int((1 - rest * rest * rest) * 32))] += 1
        }
        #expect(surprise(cells) < 4.5)
        #expect(random.dirichlet([1e-300, 1e-300]).sorted() == [0, 1] && random.dirichlet([3]) == [1])
    }

    @Test func outcomesHaveTheirFrequencies() {
        var random = stream(6, 44)
        let weights = [1, 0, 3, 0.5, 0]
        var cells = [Int](repeating: 0, count: 5)
        for n in 0..<400 {
            let counts = random.multinomial(n, weights)
            #expect(counts.reduce(0, +) == n && counts[1] == 0 && counts[4] == 0)
            for (place, count) in counts.enumerated() { cells[place] += count }
        }
        #expect(surprise([cells[0], cells[2], cells[3]], probabilities: [1 / 4.5, 3 / 4.5, 0.5 / 4.5]) < 4.5)
        #expect(random.multinomial(7, [0, 0, 2]) == [0, 0, 7] && random.multinomial(5, [1]) == [5])
    }

    @Test func normalsHaveTheirCovariance() {
        let covariance = [[4, 2, 0.5], [2, 3, -1], [0.5, -1, 2]]
        let factor = cholesky(covariance)
        var random = stream(7, 44)
        let count = 40_000
        var sums = [[Double]](repeating: [0, 0, 0], count: 3)
        for _ in 0..<count {
            let drawn = random.normals(factor)
            for row in 0..<3 { for column in 0..<3 { sums[row][column] += drawn[row] * drawn[column] } }
        }
        for row in 0..<3 {
            for column in 0..<3 {
                let product = (0..<3).reduce(0) { $0 + factor[row][$1] * factor[column][$1] }
                #expect((product - covariance[row][column]).magnitude < 1e-14)
                let square = covariance[row][column] * covariance[row][column]
                let variance = covariance[row][row] * covariance[column][column] + square
                let error = (variance / Double(count)).squareRoot()
                #expect((sums[row][column] / Double(count) - covariance[row][column]).magnitude < 4.5 * error)
            }
        }
        #expect(random.normals([]) == [] && cholesky([[9]]) == [[3]])
    }

    @Test func whatIsNoCovarianceEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = cholesky([[1, 2], [2, 1]]) }
        await #expect(processExitsWith: .failure) { _ = cholesky([[1, 0.5], [0.25, 1]]) }
        await #expect(processExitsWith: .failure) { _ = cholesky([[1, 0], [0]]) }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.multinomial(3, [0, 0]) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.multinomial(3, [1, -1]) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.dirichlet([]) } }
    }

    /// The bits are part of what a seed means; Python computes the same number.
    @Test func bitsAreTheSameEverywhere() {
        var random = stream(8, 45)
        let factor = cholesky([[4, 2, 0.5], [2, 3, -1], [0.5, -1, 2]])
        var digest: UInt64 = 0
        for _ in 0..<200 {
            let (disc, sphere) = (random.inDisc(), random.onSphere())
            let counts = random.multinomial(100, [1, 0, 3, 0.5]).map { Double($0) }
            let numbers = [disc.x, disc.y, sphere.x, sphere.y, sphere.z] + random.dirichlet([0.5, 2, 1e-3]) + counts
            for number in numbers + random.normals(factor) {
                digest = (digest ^ number.bitPattern) &* 0x100_0000_01b3
                digest ^= digest >> 29
            }
        }
        #expect(digest == 0x022f_ebef_fbd9_a2a9)
    }
}
