import PotluckKit
import Testing

/// Each draw of all lanes is the draw of each lane's stream, and leaves the streams where that draw leaves them.
@Suite struct LaneDrawTests {
    /// Draws by lanes and lane by lane, and compares the numbers and the streams.
    private func expectAlike<Value: Equatable>(
        draws: Int = 200, _ place: SourceLocation = #_sourceLocation,
        lanes: (inout LaneStreams) -> [Value], lane: (inout RandomStream, _ lane: Int) -> Value
    ) {
        for seed in [0, 1, 0x9E37_79B9_7F4A_7C15, .max] as [UInt64] {
            var random = LaneStreams(seed: seed, block: seed >> 3)
            var streams = (0..<16).map { RandomStream(seed: seed, block: seed >> 3, lane: $0) }
            for draw in 0..<draws {
                let drawn = lanes(&random)
                let expected = (0..<16).map { lane(&streams[$0], $0) }
                #expect(drawn == expected, "seed \(seed), draw \(draw)", sourceLocation: place)
            }
            #expect((0..<16).map { random[$0].state } == streams.map(\.state), sourceLocation: place)
        }
    }

    private func list(_ lane: Lane<Int32>) -> [Int32] { (0..<16).map { lane[$0] } }
    private func list(_ lane: Lane<Double>) -> [Double] { (0..<16).map { lane[$0] } }
    private func list(_ mask: LaneMask) -> [Bool] { (0..<16).map { mask[$0] } }

    /// Each of the limits is drawn again for another share of the words: up to half of them.
    @Test(arguments: [1, 2, 3, 6, 365, 65_536, 100_000, 0x5555_5556, 0x6000_0001, 0x7fff_ffff])
    func below(limit: Int) {
        expectAlike(lanes: { list($0.below(limit)) }, lane: { stream, _ in Int32(stream.below(limit)) })
    }

    @Test func belowDifferentLimits() {
        let limits = Lane<Int32> { lane in Int32(1) << Int32(lane * 2) | Int32(lane) }
        expectAlike(
            lanes: { list($0.below(limits)) }, lane: { stream, lane in Int32(stream.below(Int(limits[lane]))) })
    }

    @Test(arguments: [(1, 1), (3, 2), (6, 100), (40_000, 3), (50_001, 64_999), (65_536, 65_535)])
    func pairs(limits: (Int, Int)) {
        expectAlike(
            lanes: { random in
                let (first, second) = random.pair(below: limits.0, limits.1)
                return zip(list(first), list(second)).map { [$0, $1] }
            },
            lane: { stream, _ in
                let (first, second) = stream.pair(below: limits.0, limits.1)
                return [Int32(first), Int32(second)]
            })
    }

    @Test func integersOfARange() {
        expectAlike(lanes: { list($0.integer(in: -5...7)) }, lane: { stream, _ in Int32(stream.integer(in: -5...7)) })
    }

    /// All points of a small lattice, and some of a large one in the last of its dimensions.
    @Test(arguments: [(64, 3), (4096, 1024)]) func lattices(size: (Int, Int)) {
        let steps = stride(from: 0, to: size.0, by: size.0 / 64)
        let last = size.1 - 1
        expectAlike(
            draws: 3,
            lanes: { random in
                let lattice = random.lattice(size.0, dimensions: size.1)
                let points = steps.map { list(lattice.unit($0, last)) }
                return (0..<16).map { lane in points.map { $0[lane] } }
            },
            lane: { stream, _ in
                let lattice = stream.lattice(size.0, dimensions: size.1)
                return steps.map { lattice.unit($0, last) }
            })
    }

    /// Lanes that do not draw keep their streams.
    @Test func drawsInSomeLanes() {
        let mask = Lane<Int32> { Int32($0) % 3 } == 1
        expectAlike(
            lanes: { random in
                let drawn = random.draw(where: mask) { $0.below(1000) }
                return list(choose(mask, drawn, 0))
            },
            lane: { stream, lane in lane % 3 == 1 ? Int32(stream.below(1000)) : 0 })
    }

    @Test func coins() {
        expectAlike(lanes: { list($0.coin()) }, lane: { stream, _ in stream.coin() })
    }

    @Test func realNumbers() {
        expectAlike(lanes: { list($0.unit()) }, lane: { stream, _ in stream.unit() })
        expectAlike(lanes: { list($0.real(in: -2..<7.5)) }, lane: { stream, _ in stream.real(in: -2..<7.5) })
        expectAlike(lanes: { list($0.chance(0.3)) }, lane: { stream, _ in stream.chance(0.3) })
        expectAlike(lanes: { list($0.exponential(mean: 3)) }, lane: { stream, _ in stream.exponential(mean: 3) })
    }

    @Test func numbersOfDistributions() {
        expectAlike(
            lanes: { list($0.logNormal(mean: 1, deviation: 2)) },
            lane: { stream, _ in stream.logNormal(mean: 1, deviation: 2) })
        for shape in [0.001, 0.7, 3, 1e300] {
            expectAlike(
                lanes: { list($0.weibull(shape: shape, scale: 2)) },
                lane: { stream, _ in stream.weibull(shape: shape, scale: 2) })
        }
        for mode in [-1.0, 0.5, 4] {
            expectAlike(
                lanes: { list($0.triangular(from: -1, mode: mode, to: 4)) },
                lane: { stream, _ in stream.triangular(from: -1, mode: mode, to: 4) })
        }
    }

    /// Each lane draws again as often as it needs to.
    @Test func normalNumbers() {
        expectAlike(draws: 2000, lanes: { list($0.normal()) }, lane: { stream, _ in stream.normal() })
        expectAlike(
            lanes: { list($0.normal(mean: 2, deviation: 0.3)) },
            lane: { stream, _ in stream.normal(mean: 2, deviation: 0.3) })
    }
}
