import PotluckModel
import PotluckSystem

/// A module that is compiled for this machine.
final class Module: Sendable {
    /// The SHA-256 of the module.
    let hash: String
    let size: Int
    private let source: ModuleSource
    private let plain: MachineCode
    /// Compiled when the module produces a NaN for the first time, which most modules never do.
    private let canonical: Guarded<MachineCode?> = Guarded(nil)
    /// Whether a chunk has produced a NaN, so that later chunks start with the canonical code.
    private let chunksMakeNaNs = Guarded(false)
    private static let ticker: Guarded<Ticker?> = Guarded(nil)

    /// `cache` keeps the machine code for later programs. If the module carries one with lanes that can be compiled, that
    /// one takes its place, unless `usesLanes` is false.
    init(
        _ octets: [UInt8], cache: CompiledCache?, usesLanes: Bool = true,
        compileTime: Duration = PluginLimits.compileTime, compileMemory: Int = PluginLimits.compileMemory
    ) throws(SandboxError) {
        let outer = try ModuleSource(octets, cache: cache, time: compileTime, memory: compileMemory)
        hash = outer.hash
        size = octets.count
        if usesLanes, let lanes = LanesSection.lanes(in: octets),
            let inner = try? ModuleSource(lanes, cache: cache, time: compileTime, memory: compileMemory),
            let code = try? MachineCode(of: inner, .plain)
        {
            (source, plain) = (inner, code)
        } else {
            (source, plain) = (outer, try MachineCode(of: outer, .plain))
        }
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
        let made: Swift.Result<MachineCode, SandboxError> = canonical.with { kept in
            if let kept { return .success(kept) }
            do throws(SandboxError) {
                let code = try MachineCode(of: source, .canonical)
                kept = code
                return .success(code)
            } catch {
                return .failure(error)
            }
        }
        return try made.get()
    }
}
