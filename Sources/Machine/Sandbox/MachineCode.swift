import CWasmtime
import PotluckCore
import PotluckSystem

/// The bytes of a module, and the limits for compiling them.
struct ModuleSource: Sendable {
    let octets: [UInt8]
    /// The SHA-256 of the bytes.
    let hash: String
    let cache: CompiledCache?
    /// CPU time for compiling.
    let time: Duration
    /// Bytes of memory for compiling.
    let memory: Int
    /// The bytes at the start of every module.
    private static let beginning = Array("\0asm".utf8)

    init(_ octets: [UInt8], cache: CompiledCache?, time: Duration, memory: Int) throws(SandboxError) {
        guard octets.count <= PluginLimits.largestModule else { throw .tooLarge }
        guard octets.starts(with: Self.beginning) else { throw .notAModule("its header is wrong") }
        self.octets = octets
        hash = SHA256.hash(octets).hexadecimal
        (self.cache, self.time, self.memory) = (cache, time, memory)
    }
}

/// A module's machine code for this machine.
final class MachineCode: Sendable {
    nonisolated(unsafe) let handle: OpaquePointer

    /// The functions that a module may import.
    enum Imports {
        case none
        /// Those of a program with ranks.
        case ranks
    }

    /// Takes the code from the cache, or compiles it.
    init(of source: ModuleSource, _ arithmetic: Arithmetic, imports: Imports = .none) throws(SandboxError) {
        let engine = try Wasmtime.shared.get().engine(arithmetic)
        if let kept = source.cache?.code(of: source.hash, arithmetic), let restored = Self.restore(kept, engine) {
            handle = restored
            try check(imports)
            return
        }
        let code = try Compiling.compile(source.octets, engine, within: source.time, memory: source.memory)
        guard let compiled = Self.restore(code, engine) else { throw .notAModule("its code cannot be read") }
        handle = compiled
        try check(imports)
        code.withUnsafeBytes { source.cache?.keep($0, of: source.hash, arithmetic) }
    }

    deinit { potluck_wasmtime_module_free(handle) }

    private func check(_ imports: Imports) throws(SandboxError) {
        var allowed = RankBridge.allowed
        var isAny = false
        guard potluck_wasmtime_imports_only(handle, &allowed, &isAny) else { throw .imports }
        if isAny, imports == .none { throw .ranks }
    }

    private static func restore(_ code: [UInt8], _ engine: OpaquePointer) -> OpaquePointer? {
        var why = potluck_wasmtime_message()
        return potluck_wasmtime_restore(engine, code, code.count, &why)
    }
}
