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
    nonisolated(unsafe) private let handle: OpaquePointer
    private static let ticker: Guarded<Ticker?> = Guarded(nil)

    /// `cache` keeps the machine code for the next time.
    init(
        _ octets: [UInt8], cache: CompiledCache?, compileTime: Duration = PluginLimits.compileTime
    ) throws(SandboxError) {
        guard octets.count <= PluginLimits.largestModule else { throw .tooLarge }
        let wasmtime = try Wasmtime.shared.get()
        hash = SHA256.hash(octets).hexadecimal
        size = octets.count
        if let kept = cache?.code(of: hash), let restored = Self.restore(kept, wasmtime) {
            handle = restored
            return
        }
        let compiled = try Compiling.compile(octets, wasmtime, within: compileTime)
        handle = compiled
        guard potluck_wasmtime_imports(compiled) == 0 else { throw .imports }
        guard let cache else { return }
        var count = 0
        if let code = potluck_wasmtime_compiled(compiled, &count) {
            cache.keep(UnsafeRawBufferPointer(start: code, count: count), of: hash)
            free(code)
        }
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
