import CWasmtime
import PotluckCore
import PotluckKit
import PotluckRanks

/// A program with ranks: a module of version 2.
public final class RankModule: Sendable {
    public let name: String
    let summary: String
    public let parameters: [ParameterDescription]
    public let inputs: [Input]
    /// The SHA-256 of the module.
    public let hash: String
    /// Its name in messages: the path of its file.
    public let label: String
    private let limits: PluginLimits
    private let code: MachineCode
    /// Whether it was made with the kit.
    private let hasKit: Bool

    /// Compiles the module, or takes it from the cache, and asks it for its description.
    public init(
        _ octets: [UInt8], label: String, limits: PluginLimits = PluginLimits(), cache: CompiledCache? = nil
    ) throws(SandboxError) {
        let source = try ModuleSource(
            octets, cache: cache, time: PluginLimits.compileTime, memory: PluginLimits.compileMemory)
        // The bits of a NaN must not depend on the machine of a rank. Ranks cannot be computed again like chunks.
        code = try MachineCode(of: source, .canonical, imports: .ranks)
        hash = source.hash
        (self.label, self.limits) = (label, limits)
        let declaration = try Module.ticking { [code] () throws(SandboxError) in
            let bridge = RankBridge(NoRank())
            do throws(SandboxError) {
                let instance = try Instance(of: code.handle, limits, bridge: bridge)
                return try Declaration(try instance.record("potluck_describe"))
            } catch {
                if let fault = bridge.fault { throw .refused("\(fault)") }
                throw error.inDescription
            }
        }
        guard declaration.shape == .ranks else { throw .noRanks }
        hasKit = declaration.hasKit
        (name, summary) = (declaration.name, declaration.summary)
        (parameters, inputs) = (declaration.parameters, declaration.inputs)
    }

    /// The configuration with which a rank starts.
    public struct Start: Sendable {
        public let parameters: [UInt64]
        public let tables: [Table]
        public let seed: UInt64
        public let arguments: [String]

        public init(parameters: [UInt64], tables: [Table], seed: UInt64, arguments: [String]) {
            (self.parameters, self.tables) = (parameters, tables)
            (self.seed, self.arguments) = (seed, arguments)
        }
    }

    /// Runs one rank to its end, on the caller's thread. Returns its output.
    ///
    /// - Parameter stopper: gets a function that ends the rank at the next tick of the clock, from any thread.
    public func run(
        _ start: Start, on host: any RankHost, stopper: (RankStopper) -> Void = { _ in }
    ) throws(RankError) -> [UInt8] {
        let bridge = RankBridge(host)
        do throws(SandboxError) {
            let (code, output) = try Module.ticking { () throws(SandboxError) in
                let instance = try Instance(of: self.code.handle, limits, bridge: bridge)
                stopper(RankStopper(instance))
                // Only the person who launched a program knows how long it may take.
                instance.limits.time = Self.unlimited
                bridge.isOpen = true
                try configure(instance, start)
                return try main(instance, start)
            }
            guard code == 0 else { throw SandboxError.rankCode(code) }
            return output
        } catch {
            if let fault = bridge.fault { throw fault }
            if case .rankCode(let code) = error {
                if code == 0 { return [] }
                throw .failed(rank: host.rank, code: code)
            }
            throw .crashed(rank: host.rank, reason(error), places: error.places)
        }
    }

    /// The reason in words that fit a program with ranks. Modules of the kit stop in ways that are known.
    private func reason(_ error: SandboxError) -> String {
        guard case .trap(let why, _) = error else { return error.reason }
        if SandboxError.isBelowMemory(why) {
            return hasKit
                ? "it crashed outside its memory, as it does when its stack of 128 KiB is full; use fewer calls within calls"
                : "it crashed outside its memory: a pointer is wrong, or its stack is full"
        }
        return SandboxError.isStop(why) && !hasKit
            ? "it stopped itself, for example with abort() or a failed assert()" : error.reason
    }

    /// A hundred years: no program takes longer.
    private static let unlimited = Duration.seconds(3_000_000_000)

    private func configure(_ instance: Instance, _ start: Start) throws(SandboxError) {
        let request = ModuleConfiguration(parameters: start.parameters, tables: start.tables).record
        var reader = RecordReader("potluck_configure", try instance.record("potluck_configure", request))
        switch ModuleInterface.Verdict(rawValue: try reader.number()) {
        case .ready: try reader.end()
        case .wrongCount: throw reader.wrong("another number of parameters than it described")
        case .outOfRange: throw reader.wrong("a parameter is outside its range")
        case .conflict: throw .refused(try reader.line("why", most: Self.longestRefusal))
        case nil: throw reader.wrong("an unknown verdict")
        }
    }

    /// Bytes of a sentence that says why parameters are refused.
    private static let longestRefusal = 500

    private func main(_ instance: Instance, _ start: Start) throws(SandboxError) -> (code: Int, output: [UInt8]) {
        var request = RecordWriter()
        request.put(ModuleInterface.Shape.ranks.rawValue)
        request.put(start.seed)
        request.put(start.arguments.count)
        for argument in start.arguments { request.put(Array(argument.utf8)) }
        var reader = RecordReader(
            "potluck_main", try instance.record("potluck_main", request.slots, most: limits.memory))
        guard try reader.number() == ModuleInterface.Shape.ranks.rawValue else {
            throw reader.wrong("a different kind of work")
        }
        let code = Int(Int64(bitPattern: try reader.number()))
        let output = try reader.octets(most: limits.memory)
        try reader.end()
        return (code, output)
    }
}

/// Ends a rank that computes. Any thread may use it.
public struct RankStopper: @unchecked Sendable {
    // Nothing but `stop` is called here, which any thread may call.
    private let instance: Instance

    init(_ instance: Instance) { self.instance = instance }

    public func stop() { instance.stop() }
}

/// The host of a module that is only asked for its description. There are no other ranks.
private final class NoRank: RankHost {
    let rank = 0
    let size = 1
    let seconds = 0.0

    func log(_ octets: [UInt8], isError: Bool) throws(RankError) { throw .stopped }
    func abort(_ code: Int) throws(RankError) { throw .stopped }
    func send(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) throws(RankError) { throw .stopped }
    func beginSending(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) throws(RankError) -> Int32 {
        throw .stopped
    }
    func receive(_ pattern: RankPattern, capacity: Int) throws(RankError) -> RankMessage { throw .stopped }
    func beginReceiving(_ pattern: RankPattern, capacity: Int) throws(RankError) -> Int32 { throw .stopped }
    func probe(_ pattern: RankPattern, waits: Bool) throws(RankError) -> RankStatus? { throw .stopped }
    func wait(_ requests: [Int32]) throws(RankError) -> (place: Int, completion: RankWorld.Completion) {
        throw .stopped
    }
    func test(_ request: Int32) throws(RankError) -> RankWorld.Completion? { throw .stopped }
    func checkpoint(_ state: [UInt8]) throws(RankError) { throw .stopped }
    func restored() throws(RankError) -> [UInt8]? { throw .stopped }
}
