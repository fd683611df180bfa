import CWasmtime
import Glibc
import PotluckCrypto
import PotluckModel
import PotluckSystem

/// A module, compiled for this machine.
final class Module: Sendable {
    /// The SHA-256 of its octets.
    let hash: String
    let size: Int
    /// What every module begins with.
    private static let beginning = Array("\0asm".utf8)
    nonisolated(unsafe) private let handle: OpaquePointer
    private static let ticker: Guarded<Ticker?> = Guarded(nil)

    /// `cache` keeps the machine code for the next time.
    init(
        _ octets: [UInt8], cache: CompiledCache?, compileTime: Duration = PluginLimits.compileTime,
        compileMemory: Int = PluginLimits.compileMemory
    ) throws(SandboxError) {
        guard octets.count <= PluginLimits.largestModule else { throw .tooLarge }
        guard octets.starts(with: Self.beginning) else { throw .notAModule("it does not begin like one") }
        let wasmtime = try Wasmtime.shared.get()
        hash = SHA256.hash(octets).hexadecimal
        size = octets.count
        if let kept = cache?.code(of: hash), let restored = Self.restore(kept, wasmtime) {
            handle = restored
            return
        }
        let code = try Compiling.compile(octets, wasmtime, within: compileTime, memory: compileMemory)
        guard let compiled = Self.restore(code, wasmtime) else { throw .notAModule("its code cannot be read") }
        handle = compiled
        guard potluck_wasmtime_imports(compiled) == 0 else { throw .imports }
        code.withUnsafeBytes { cache?.keep($0, of: hash) }
    }

    deinit { potluck_wasmtime_module_free(handle) }

    private static func restore(_ code: [UInt8], _ wasmtime: Wasmtime) -> OpaquePointer? {
        var why = potluck_wasmtime_message()
        return potluck_wasmtime_restore(wasmtime.engine, code, code.count, &why)
    }

    /// Gives `body` a fresh instance, so that nothing it does is remembered.
    func withInstance<Result>(
        _ limits: PluginLimits, _ body: (Instance) throws(SandboxError) -> Result
    ) throws(SandboxError) -> Result {
        let wasmtime = try Wasmtime.shared.get()
        let ticker = Self.ticker.with { made in
            if let made { return made }
            let ticker = Ticker { potluck_wasmtime_tick(wasmtime.engine) }
            made = ticker
            return ticker
        }
        return try ticker.during { () throws(SandboxError) -> Result in
            try body(Instance(of: handle, limits))
        }
    }
}
