import PotluckKit

/// A token runs around a ring of ranks, and each rank adds the number of the hop to it. The sum is the same for every
/// number of ranks. The time of a hop is how long one message takes.
struct Ring: RankProgram {
    static let name: StaticString = "ring"
    static let summary: StaticString = "A token runs around a ring of ranks"
    @Parameter("hops", "how often the token is passed on", in: 1...1_000_000) var hops = 1000

    func run(_ world: Communicator, _ output: inout Output) {
        world.barrier()
        let start = world.time
        var token: Int64 = 0
        for hop in 0..<hops {
            let sender = hop % world.size
            let receiver = (hop + 1) % world.size
            if world.rank == sender { world.send(token + Int64(hop), to: receiver) }
            if world.rank == receiver { token = world.receive(from: sender) }
        }
        // The last receiver tells all others what the token has become.
        token = world.broadcast(token, from: hops % world.size)
        if world.rank == 0 {
            let micros = (world.time - start) / Double(hops) * 1e6
            world.log("\(Int(micros * 10) / 10) microseconds a message")
            output.write("after ")
            output.write(hops)
            output.write(" hops the token is ")
            output.line(token)
        }
    }
}
