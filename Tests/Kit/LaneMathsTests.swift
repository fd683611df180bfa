import Testing

@testable import PotluckKit

/// Every function of lanes has the bits of `Maths`, and every operation those of `Double`, for any arguments.
@Suite struct LaneMathsTests {
    /// Arguments at the edges of what a function treats specially.
    private static let edges: [Double] =
        [
            0, -0.0, 1, -1, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.5, 2, 659.9,
            660, 660.1,
        ]
        + [
            -660, 709, 709.79, 710, 749, 750, 751, -708, -708.4, -745, -746, -750, 0x1p-27, 0x1p-28, -0x1p-28, 0x1p20,
            0x1p21,
            0x1p52, 0x1p53, 0x1p62, .greatestFiniteMagnitude, .pi, .pi / 2, -.pi, 1.5707963267948966, 0x1p-60, 1e-300,
        ]

    /// Calls `body` with arguments of all kinds in different lanes: any bits, usual magnitudes, edges and their neighbours.
    private func everyKind(rounds: Int, _ body: (Lane<Double>) -> Void) {
        var random = stream(9, 1)
        func usual() -> Double { random.normal(deviation: 30) }
        func wide() -> Double { (random.coin() ? 1 : -1) * Maths.exp(random.real(in: -60..<60)) }
        func anyBits() -> Double { Double(bitPattern: random.next64()) }
        func edge() -> Double {
            let edge = Self.edges[random.below(Self.edges.count)]
            return random.coin() ? edge : random.coin() ? edge.nextUp : edge.nextDown
        }
        for round in 0..<rounds {
            body(
                Lane { _ in
                    switch round % 5 {
                    case 0: usual()
                    case 1: random.unit()
                    case 2: wide()
                    case 3: random.below(20) == 0 ? edge() : usual()
                    default: random.coin() ? anyBits() : edge()
                    }
                })
        }
    }

    private func expectBits(
        _ name: String, _ x: Lane<Double>, _ result: Lane<Double>, _ plain: (Double) -> Double
    ) {
        for lane in 0..<16 {
            let expected = plain(x[lane])
            guard result[lane].bitPattern != expected.bitPattern, !(result[lane].isNaN && expected.isNaN) else {
                continue
            }
            Issue.record("\(name)(\(x[lane])) is \(result[lane]) in lane \(lane), and \(expected) in Maths")
        }
    }

    @Test func logarithms() {
        everyKind(rounds: 60_000) { expectBits("log", $0, log($0)) { Maths.log($0) } }
        everyKind(rounds: 60_000) { expectBits("log", $0.magnitude, log($0.magnitude)) { Maths.log($0) } }
    }

    @Test func exponentials() {
        everyKind(rounds: 100_000) { expectBits("exp", $0, exp($0)) { Maths.exp($0) } }
    }

    @Test func squareRoots() {
        everyKind(rounds: 10_000) { expectBits("sqrt", $0, sqrt($0)) { $0.squareRoot() } }
    }

    @Test func sinesAndCosines() {
        everyKind(rounds: 60_000) { expectBits("sin", $0, sin($0)) { Maths.sin($0) } }
        everyKind(rounds: 60_000) { expectBits("cos", $0, cos($0)) { Maths.cos($0) } }
    }

    @Test func operations() {
        var last = Lane<Double>(1)
        everyKind(rounds: 5_000) { x in
            let y = last
            last = x
            for lane in 0..<16 {
                let (a, b) = (x[lane], y[lane])
                let pairs: [(Double, Double)] = [
                    ((x + y)[lane], a + b), ((x - y)[lane], a - b), ((x * y)[lane], a * b), ((x / y)[lane], a / b),
                    ((-x)[lane], -a), (x.magnitude[lane], a.magnitude), (min(x, y)[lane], min(a, b)),
                    (max(x, y)[lane], max(a, b)), ((x + 2.5)[lane], a + 2.5), ((3 - x)[lane], 3 - a),
                    ((x / 7)[lane], a / 7),
                ]
                #expect(pairs.allSatisfy { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN }, "\(a) and \(b)")
                let truths: [(Bool, Bool)] = [
                    ((x < y)[lane], a < b), ((x <= y)[lane], a <= b), ((x > y)[lane], a > b), ((x >= y)[lane], a >= b),
                    ((x == y)[lane], a == b), ((x != y)[lane], a != b), ((x < y && x > 0)[lane], a < b && a > 0),
                    ((x < y || x > 0)[lane], a < b || a > 0), ((!(x < y))[lane], !(a < b)),
                ]
                #expect(truths.allSatisfy { $0 == $1 }, "\(a) and \(b)")
            }
        }
    }

    @Test func integers() {
        var random = stream(9, 2)
        for _ in 0..<2_000 {
            let x = Lane<Int32> { _ in Int32(bitPattern: random.next()) }
            let y = Lane<Int32> { lane in random.coin() ? x[lane] : Int32(bitPattern: random.next()) }
            for lane in 0..<16 {
                let (a, b) = (x[lane], y[lane])
                #expect((x &+ y)[lane] == a &+ b && (x &- y)[lane] == a &- b && (x &* y)[lane] == a &* b)
                #expect((x == y)[lane] == (a == b) && (x != y)[lane] == (a != b))
                #expect((x < y)[lane] == (a < b) && (x <= y)[lane] == (a <= b))
                #expect((x > y)[lane] == (a > b) && (x >= y)[lane] == (a >= b))
                #expect(min(x, y)[lane] == min(a, b) && max(x, y)[lane] == max(a, b))
                #expect(Lane<Double>(x)[lane] == Double(a))
            }
            let mask = x < y
            #expect(mask.count == (0..<16).count { mask[$0] })
            #expect(any(mask) == (mask.count > 0) && all(mask) == (mask.count == 16))
        }
    }

    @Test func wholeNumbers() {
        everyKind(rounds: 5_000) { x in
            let usual = choose(x.magnitude < 0x1p31, x, 0)
            let whole = Lane<Int32>(truncating: usual)
            for lane in 0..<16 { #expect(whole[lane] == Int32(usual[lane])) }
        }
    }
}
