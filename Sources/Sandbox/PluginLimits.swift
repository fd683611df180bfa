import PotluckModel

/// How much of this machine a plugin may have.
public struct PluginLimits: Hashable, Sendable {
    /// Octets of memory, for each core that runs it.
    public var memory: Int
    /// Of the thread's own time, for one call. A call does about 20 ms of work.
    public var time: Duration

    public init(memory: Int = PluginLimits.standardMemory, time: Duration = PluginLimits.standardTime) {
        self.memory = memory
        self.time = time
    }

    /// Sixteen cores of a lent laptop stay below a few gigabytes, and a matrix of 2000 columns fits twice.
    public static let standardMemory = 256 << 20
    /// A hundred times as long as a call should take: what takes longer on the slowest laptop does not end.
    public static let standardTime = Duration.seconds(2)

    /// What the smallest module of the kit's needs, with its stack and some memory.
    public static let leastMemory = 1 << 20
    /// More cannot be addressed.
    public static let mostMemory = 4 << 30

    public static let largestModule = BlobReference.largestModule
    /// Of the processor, and three times that by the clock on the wall. An honest module takes some milliseconds.
    static let compileTime = Duration.seconds(10)
    /// Beside what this process has. A module of 500 KiB with hundreds of functions takes a tenth of it.
    static let compileMemory = 256 << 20
    /// Octets of stack in a call. The system gives a thread eight megabytes, and this must fit in beside all else.
    static let stack = 512 << 10
    /// What an answer may hold: a node's part of a large matrix.
    static let largestAnswer = 64 << 20
    /// What people read of a log.
    static let largestLog = 1 << 20
    /// After so long a call comes back, so that a node that is told to stop stops.
    static let call = Duration.milliseconds(20)
}
