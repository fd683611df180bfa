import PotluckCore

/// Limits on the resources that a plugin may use.
public struct PluginLimits: Hashable, Sendable {
    /// Bytes of memory for each core that runs it.
    public var memory: Int
    /// CPU time of one call. A call normally takes about 20 ms.
    public var time: Duration

    public init(memory: Int = PluginLimits.standardMemory, time: Duration = PluginLimits.standardTime) {
        self.memory = memory
        self.time = time
    }

    /// Small enough that sixteen cores of a lent laptop use only a few gigabytes, and large enough for two matrices of
    /// 2000 columns.
    public static let standardMemory = 256 << 20
    /// A hundred times as long as a call should take. A longer call will not end on the slowest laptop either.
    public static let standardTime = Duration.seconds(2)

    /// The smallest module of the kit needs this much, for its stack and some memory.
    public static let leastMemory = 1 << 20
    /// The address space of a 32-bit module.
    public static let mostMemory = 4 << 30

    public static let largestModule = BlobReference.largestModule
    /// CPU time for compiling a module, so that a busy laptop has as much as an idle one. An honest module takes some
    /// milliseconds.
    static let compileTime = Duration.seconds(10)
    /// Bytes of memory for compiling a module, beside those of this process. A module of 500 KiB with hundreds of
    /// functions takes a tenth of it.
    static let compileMemory = 256 << 20
    /// Bytes of stack in a call. The stack must fit, with everything else, into the eight megabytes that the system
    /// gives a thread. It must hold the functions that a module counts (`ModuleStack`) and those that it does not
    /// count.
    static let stack = 1 << 20
    /// Bytes of an answer, which may be a node's part of a large matrix.
    static let largestAnswer = 64 << 20
    /// Bytes of a log. People read no more.
    static let largestLog = 1 << 20
    /// The time that a call should take at most, so that a node stops soon after it is told to.
    static let call = Duration.milliseconds(20)
}
