/// A program with ranks and what it starts with, as it travels.
public struct LaunchedProgram: Hashable, Sendable {
    public var name: String
    /// The module's bytes.
    public var module: [UInt8]
    /// The most memory of a rank, in bytes.
    public var memory: Int
    public var parameters: [UInt64]
    /// The tables of the program's inputs, as they travel.
    public var payload: [UInt8]
    public var seed: UInt64
    public var arguments: [String]
    /// Whether standard sends wait until they are received.
    public var isSynchronous: Bool
    public var isTraced: Bool

    public init(
        name: String, module: [UInt8], memory: Int, parameters: [UInt64] = [], payload: [UInt8] = [], seed: UInt64 = 0,
        arguments: [String] = [], isSynchronous: Bool = false, isTraced: Bool = false
    ) {
        (self.name, self.module, self.memory, self.parameters) = (name, module, memory, parameters)
        (self.payload, self.seed, self.arguments) = (payload, seed, arguments)
        (self.isSynchronous, self.isTraced) = (isSynchronous, isTraced)
    }
}
