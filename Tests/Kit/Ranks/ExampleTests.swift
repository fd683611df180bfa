import Foundation
import Testing

@testable import PotluckKit
@testable import PotluckRankExamples

/// The examples give the same output for every number of ranks and every order of messages.
@Suite struct ExampleTests {
    private static let sizes = [1, 2, 3, 4, 6, 7, 12]

    /// Runs a program on some numbers of ranks, and returns the text that all of them give.
    private func output<P: RankProgram>(
        _: P.Type, _ parameters: [UInt64]? = nil, at place: SourceLocation = #_sourceLocation
    ) throws -> String {
        let texts = try Self.sizes.map { size in
            let played = run(P.self, size, parameters)
            #expect(played.end == .finished, "\(size) ranks: \(played.log)", sourceLocation: place)
            #expect(played.results.dropFirst().allSatisfy { $0 == [] }, "only rank 0 writes", sourceLocation: place)
            return String(decoding: try #require(played.results[0], sourceLocation: place), as: UTF8.self)
        }
        for (size, text) in zip(Self.sizes, texts) {
            #expect(text == texts[0], "\(size) ranks", sourceLocation: place)
        }
        return texts[0]
    }

    private func run<P: RankProgram>(
        _: P.Type, _ size: Int, _ parameters: [UInt64]?, restored: [[UInt8]]? = nil
    ) -> Played<[UInt8]> {
        Played(size, seed: 42, restored: restored) { world in
            let (program, reader) = ParameterReader.make(P.self, given: parameters)
            precondition(parameters.map { $0.count == reader.declared.count } ?? true && reader.refused == nil)
            var output = Output()
            program.run(world, &output)
            return output.octets
        }
    }

    @Test func theTokenVisitsAllRanks() throws {
        #expect(try output(Ring.self, [100]) == "after 100 hops the token is 4950\n")
    }

    @Test func piHasTheSameDigits() throws {
        let text = try output(PiByIntegration.self, [100, 50])
        let pi = try #require(Double(text.dropLast()))
        #expect(abs(pi - .pi) < 1e-8)
    }

    /// The example of the thesis, with three slaves and with other numbers of them.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func theFourVersionsOfTheProductAgree(_ version: UInt64) throws {
        for cores: UInt64 in [1, 2, 3] {
            #expect(try output(Matrix.self, [3, version, cores]) == "30 24 18\n84 69 54\n138 114 90\n")
        }
        let five = try output(Matrix.self, [5, version, 2])
        #expect(five == (try output(Matrix.self, [5, 1, 1])))
    }

    @Test func thePlateIsWarmestBelowItsHotEdge() throws {
        let lines = try output(Heat.self, [16, 200, (1e-6).bitPattern, 50]).split(separator: "\n")
        #expect(lines[0] == "P2 16 16 255" && lines.count == 257)
        let cells = lines.dropFirst().compactMap { Int($0) }
        for row in 1..<16 { #expect(cells[row * 16 + 8] < cells[(row - 1) * 16 + 8]) }
        for row in 0..<16 {
            // The plate is symmetric.
            #expect(cells[row * 16..<(row + 1) * 16].elementsEqual(cells[row * 16..<(row + 1) * 16].reversed()))
        }
    }

    @Test func thePlateContinuesFromACheckpoint() throws {
        func parameters(_ steps: UInt64) -> [UInt64] { [12, steps, 0, 20] }
        let first = run(Heat.self, 6, parameters(50))
        let states = try first.stage.seats.map { seat in
            #expect(seat.checkpoints.count == 2)
            return try #require(seat.checkpoints.last)
        }
        let second = run(Heat.self, 6, parameters(90), restored: states)
        #expect(second.end == .finished && second.stage.seats[0].checkpoints.count == 2)
        #expect(second.results == run(Heat.self, 6, parameters(90)).results)
    }

    @Test func aPlateThatIsTooSmallIsRefused() {
        let played = run(Heat.self, 7, [4, 10, 0, 10])
        #expect(played.end == .aborted(2) && played.log == ["the plate is too small for so many ranks"])
    }

    @Test func theNumbersAreInOrder() throws {
        for count: UInt64 in [1, 5, 100] {
            let text = try output(OddEven.self, [count])
            var random = RandomStream(seed: 42, block: 0, lane: 0)
            let expected = (0..<count).map { _ in random.below(1_000_000) }.sorted()
            #expect(text == expected.map { "\($0)\n" }.joined())
        }
    }

    @Test func lifeFollowsItsRules() throws {
        let (height, width) = (9, 11)
        var field = (0..<height).map { row in
            var random = RandomStream(seed: 42, block: UInt64(row), lane: 0)
            return (0..<width).map { _ in random.chance(0.3) }
        }
        for _ in 0..<7 {
            let old = field
            for row in 0..<height {
                for column in 0..<width {
                    var count = 0
                    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                        if old[(row + down + height) % height][(column + right + width) % width] { count += 1 }
                    }
                    field[row][column] = count == 3 || count == 2 && old[row][column]
                }
            }
        }
        let picture = field.map { $0.map { $0 ? "#" : "." }.joined() + "\n" }.joined()
        let alive = field.joined().filter { $0 }.count
        #expect(try output(Life.self, [UInt64(height), UInt64(width), 7]) == picture + "\(alive) cells are alive\n")
    }

    @Test func bodiesKeepToTheirPaths() throws {
        let (start, end) = (try output(NBody.self, [20, 0]), try output(NBody.self, [20, 5]))
        #expect(start != end && end.split(separator: "\n").count == 20)
    }
}
