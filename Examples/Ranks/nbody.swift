import PotluckKit

/// Bodies attract each other. Each rank moves some of them. Copies of all bodies travel around the ring of ranks, so that
/// each rank meets every body and stores only two shares of them.
///
/// Each rank meets the others in another order, and sums of floating point depend on it. So pulls are rounded to whole
/// multiples of a small unit, whose sum is exact. Then all numbers of ranks give the same paths.
struct NBody: RankProgram {
    static let name: StaticString = "nbody"
    static let summary: StaticString = "Bodies that attract each other, around a ring of ranks"
    @Parameter("bodies", "how many", in: 1...100_000) var count = 100
    @Parameter("steps", "how many", in: 0...100_000) var steps = 20

    struct Body: BitwiseCopyable {
        var place: SIMD2<Double>
        var speed: SIMD2<Double>
    }

    func run(_ world: Communicator, _ output: inout Output) {
        let next = (world.rank + 1) % world.size
        let previous = (world.rank + world.size - 1) % world.size
        var bodies = world.share(of: count).map { body in
            var random = RandomStream(seed: world.seed, block: UInt64(body), lane: 0)
            let place = SIMD2(random.real(in: -1..<1), random.real(in: -1..<1))
            return Body(place: place, speed: SIMD2(-place.y, place.x) / 4)
        }

        for _ in 0..<steps {
            var pulls = [SIMD2<Int64>](repeating: .zero, count: bodies.count)
            var guests = bodies
            for _ in 0..<world.size {
                for index in bodies.indices {
                    for guest in guests { pulls[index] &+= pull(of: guest, on: bodies[index]) }
                }
                guests = world.sendReceive(guests, to: next, from: previous)
            }
            for index in bodies.indices {
                let pull = SIMD2(Double(pulls[index].x), Double(pulls[index].y)) * Self.unit
                bodies[index].speed += pull * 0.001
                bodies[index].place += bodies[index].speed * 0.001
            }
        }

        guard let all = world.gather(bodies) else { return }
        for body in all {
            output.write(body.place.x)
            output.write(" ")
            output.line(body.place.y)
        }
    }

    /// The unit of a pull: 2 to the power of -32.
    static var unit: Double { 1.0 / 4_294_967_296 }

    /// The pull is stronger the nearer the other body is, but not without limit.
    func pull(of other: Body, on body: Body) -> SIMD2<Int64> {
        let way = other.place - body.place
        let square = way.x * way.x + way.y * way.y + 0.01
        let strength = way / (square * sqrt(square) * Double(count) * Self.unit)
        return SIMD2(Int64(strength.x), Int64(strength.y))
    }
}
