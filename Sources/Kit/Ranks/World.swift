/// The state that all communicators of a rank share.
final class World {
    let port: Port
    let seed: UInt64
    let arguments: [String]
    /// The rank in the world.
    let rank: Int
    /// The number of ranks.
    let size: Int
    /// The highest number of a communicator that this rank has been a member of.
    var highest = 0

    init(port: Port, seed: UInt64, arguments: [String]) {
        self.port = port
        self.seed = seed
        self.arguments = arguments
        rank = port.rank
        size = port.size
    }

    /// Ends the program on all ranks with a sentence that names the rank and the call, for example "rank 3: send: there
    /// is no rank 7".
    func fail(
        _ call: StaticString, _ text: StaticString, _ number: Int, _ more: StaticString = "", _ second: Int? = nil,
        _ end: StaticString = ""
    ) -> Never {
        fail(call) { sentence in
            sentence.write(text)
            sentence.write(number)
            sentence.write(more)
            if let second { sentence.write(second) }
            sentence.write(end)
        }
    }

    /// Ends the program on all ranks with a sentence that names the rank and the call.
    func fail(_ call: StaticString, _ write: (inout Output) -> Void) -> Never {
        var sentence = Output()
        sentence.write("rank ")
        sentence.write(rank)
        sentence.write(": ")
        sentence.write(call)
        sentence.write(": ")
        write(&sentence)
        sentence.octets.withUnsafeBytes { port.log($0) }
        port.abort(1)
    }
}
