import PotluckCore
import PotluckSystem

/// A module that is compiled for this machine.
final class Module: Sendable {
    /// The SHA-256 of the module.
    let hash: String
    let size: Int
    private let source: ModuleSource
    private let plain: MachineCode
    /// The module around `source`, if that is one with lanes.
    private let outer: ModuleSource?
    /// The outer module, compiled when it is first asked for.
    private let compiledOuter: Guarded<Module?> = Guarded(nil)
    /// Compiled when the module produces a NaN for the first time, which most modules never do.
    private let canonical: Guarded<MachineCode?> = Guarded(nil)
    /// Whether a chunk has produced a NaN, so that later chunks start with the canonical code.
    private let chunksMakeNaNs = Guarded(false)
    private static let ticker: Guarded<Ticker?> = Guarded(nil)

    /// `cache` keeps the machine code for later programs. If the module carries one with lanes, that one takes its place,
    /// unless `usesLanes` is false.
    ///
    /// A module is refused if the one with lanes cannot be compiled. Another node might compile it and compute something
    /// else.
    init(
        _ octets: [UInt8], cache: CompiledCache?, usesLanes: Bool = true,
        compileTime: Duration = PluginLimits.compileTime, compileMemory: Int = PluginLimits.compileMemory
    ) throws(SandboxError) {
        let outer = try ModuleSource(octets, cache: cache, time: compileTime, memory: compileMemory)
        hash = outer.hash
        size = octets.count
        guard usesLanes, let lanes = LanesSection.lanes(in: octets) else {
            (source, plain, self.outer) = (outer, try MachineCode(of: outer, .plain), nil)
            return
        }
        let inner: (source: ModuleSource, code: MachineCode)
        do throws(SandboxError) {
            let source = try ModuleSource(lanes, cache: cache, time: compileTime, memory: compileMemory)
            inner = (source, try MachineCode(of: source, .plain))
        } catch {
            throw error.inLanes
        }
        (source, plain, self.outer) = (inner.source, inner.code, outer)
    }

    private init(_ source: ModuleSource) throws(SandboxError) {
        (self.source, plain, outer) = (source, try MachineCode(of: source, .plain), nil)
        (hash, size) = (source.hash, source.octets.count)
    }

    var hasLanes: Bool { outer != nil }

    /// The same module without lanes, which the first caller compiles.
    func withoutLanes() throws(SandboxError) -> Module {
        guard let outer else { return self }
        return try compiledOuter.kept { () throws(SandboxError) in try Module(outer) }
    }

    /// Runs `body` with a fresh instance, so that nothing is left of earlier calls.
    ///
    /// The bits of a NaN differ between processors, and a module can look at them. So if the instance produced any, the
    /// result is discarded, and `body` is called again with an instance whose NaNs are the same everywhere.
    func withInstance<Result>(
        _ limits: PluginLimits, isChunk: Bool = false, _ body: (Instance) throws(SandboxError) -> Result
    ) throws(SandboxError) -> Result {
        try Self.ticking { () throws(SandboxError) -> Result in
            if !(isChunk && chunksMakeNaNs.with { $0 }) {
                let instance = try Instance(of: plain.handle, limits)
                let outcome: Swift.Result<Result, SandboxError>
                do throws(SandboxError) { outcome = .success(try body(instance)) } catch { outcome = .failure(error) }
                if !instance.madeNaN { return try outcome.get() }
                if isChunk { chunksMakeNaNs.with { $0 = true } }
            }
            return try body(Instance(of: canonicalCode().handle, limits))
        }
    }

    /// Runs `calls` while the clock of the engines ticks.
    static func ticking<Result>(_ calls: () throws(SandboxError) -> Result) throws(SandboxError) -> Result {
        let wasmtime = try Wasmtime.shared.get()
        let ticker = ticker.with { made in
            if let made { return made }
            let ticker = Ticker { wasmtime.tick() }
            made = ticker
            return ticker
        }
        return try ticker.during(calls)
    }

    /// Returns the canonical code, which the first caller compiles. Other callers wait meanwhile.
    private func canonicalCode() throws(SandboxError) -> MachineCode {
        try canonical.kept { () throws(SandboxError) in try MachineCode(of: source, .canonical) }
    }
}

extension Guarded {
    /// Returns the value, which the first caller makes. Other callers wait meanwhile.
    fileprivate func kept<Made>(
        _ make: () throws(SandboxError) -> Made
    ) throws(SandboxError) -> Made where Value == Made? {
        let made: Swift.Result<Made, SandboxError> = with { kept in
            if let kept { return .success(kept) }
            do throws(SandboxError) {
                let value = try make()
                kept = value
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try made.get()
    }
}
