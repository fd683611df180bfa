import CWasmtime
import Glibc

/// Compiles modules. Each has a process of its own, because a module may take minutes or all memory to compile, or
/// crash the compiler, and only the end of the process stops that.
enum Compiling {
    /// Returns the machine code of a module.
    static func compile(
        _ octets: [UInt8], _ engine: OpaquePointer, within limit: Duration, memory: Int
    ) throws(SandboxError) -> [UInt8] {
        var why = potluck_wasmtime_message()
        var outcome = POTLUCK_WASMTIME_OK
        var count = 0
        let code = potluck_wasmtime_compile_apart(
            engine, octets, octets.count, limit.nanoseconds, UInt64(memory), &count, &outcome, &why)
        guard let code else {
            switch outcome {
            case POTLUCK_WASMTIME_TIME: throw .tooSlow(limit)
            case POTLUCK_WASMTIME_CRASH: throw .tooHard(memory)
            case POTLUCK_WASMTIME_NO_PROCESS: throw .noProcess(Wasmtime.text(why))
            default: throw .notAModule(Wasmtime.text(why))
            }
        }
        defer { free(code) }
        return Array(UnsafeBufferPointer(start: code, count: count))
    }
}
