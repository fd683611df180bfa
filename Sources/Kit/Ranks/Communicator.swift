/// A group of ranks that exchange messages. Messages of one communicator never reach a receive of another.
///
/// Every call blocks until it is done, unless its name begins with `i`. The calls that combine all ranks (`barrier`,
/// `broadcast`, `reduce` and others) must be made by every rank of the communicator, in the same order. A call that is
/// wrong ends the program on all ranks with a sentence.
///
/// Values are copied byte by byte, so they can be numbers, and structures and enumerations of numbers, but not strings,
/// classes or pointers.
public final class Communicator {
    let world: World
    /// The number of the communicator; 0 for the world. Its context for single messages is twice the number, and that
    /// for calls of all ranks the next number.
    let number: Int
    /// The ranks in the world of its ranks.
    let members: [Int]
    /// The rank of the caller, from 0.
    public let rank: Int
    /// The number of ranks.
    public let size: Int

    /// Creates the communicator of all ranks.
    convenience init(_ world: World) {
        self.init(world, number: 0, members: Array(0..<world.size), rank: world.rank)
    }

    init(_ world: World, number: Int, members: [Int], rank: Int) {
        self.world = world
        self.number = number
        self.members = members
        self.rank = rank
        size = members.count
        world.highest = max(world.highest, number)
    }

    /// The seed of the launch, the same on all ranks.
    public var seed: UInt64 { world.seed }
    /// The words that the user typed after the program's name.
    public var arguments: [String] { world.arguments }
    /// The seconds since the ranks of this laptop began.
    public var time: Double { world.port.time }

    /// Returns this rank's own random stream, at its first number. It depends only on the seed, the rank in the world and
    /// `stream`, which tells several streams of one rank apart.
    public func random(_ stream: Int = 0) -> RandomStream {
        RandomStream(seed: seed, block: UInt64(world.rank), lane: stream)
    }

    /// Shows a text, with the rank in front of each line.
    public func log(_ text: String) {
        var copy = text
        copy.withUTF8 { world.port.log(UnsafeRawBufferPointer($0)) }
    }

    /// Ends the program on all ranks. It counts as failed, and the error names `code`.
    public func abort(_ code: Int = 1) -> Never { world.port.abort(code) }

    /// Returns the part of `count` things that belongs to this rank, when every rank gets about as many: the first ranks
    /// get one more if the number of ranks does not divide `count`.
    public func share(of count: Int) -> Range<Int> { share(of: count, rank: rank) }

    /// Returns the part of `count` things that belongs to a rank.
    public func share(of count: Int, rank: Int) -> Range<Int> {
        let (least, more) = count.quotientAndRemainder(dividingBy: size)
        let start = rank * least + min(rank, more)
        return start..<start + least + (rank < more ? 1 : 0)
    }
}
