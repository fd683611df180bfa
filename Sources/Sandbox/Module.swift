import PotluckSystem

/// A module, compiled for this machine.
final class Module: Sendable {
    /// The SHA-256 of its octets.
    let hash: String
    let size: Int
    private let source: ModuleSource
    private let plain: MachineCode
    /// Compiled when the module has made a NaN for the first time; most modules never do.
    private let canonical: Guarded<MachineCode?> = Guarded(nil)
    /// Whether a chunk of it has made a NaN: the next one will, too.
    private let chunksMakeNaNs = Guarded(false)
    private static let ticker: Guarded<Ticker?> = Guarded(nil)

    /// `cache` keeps the machine code for the next time.
    init(
        _ octets: [UInt8], cache: CompiledCache?, compileTime: Duration = PluginLimits.compileTime,
        compileMemory: Int = PluginLimits.compileMemory
    ) throws(SandboxError) {
        source = try ModuleSource(octets, cache: cache, time: compileTime, memory: compileMemory)
        plain = try MachineCode(of: source, .plain)
        hash = source.hash
        size = octets.count
    }

    /// Gives `body` a fresh instance, so that nothing it does is remembered.
    ///
    /// The bits of a NaN differ from processor to processor, and a module can look at them. So where this one has made any, what
    /// came of it is forgotten, and `body` is called again with an instance whose NaNs are the same everywhere.
    func withInstance<Result>(
        _ limits: PluginLimits, isChunk: Bool = false, _ body: (Instance) throws(SandboxError) -> Result
    ) throws(SandboxError) -> Result {
        let wasmtime = try Wasmtime.shared.get()
        let ticker = Self.ticker.with { made in
            if let made { return made }
            let ticker = Ticker { wasmtime.tick() }
            made = ticker
            return ticker
        }
        return try ticker.during { () throws(SandboxError) -> Result in
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

    /// Whoever needs it while it is compiled waits for it.
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
