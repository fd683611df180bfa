import CWasmtime
import Glibc
import PotluckModel
import PotluckSystem

/// A module being compiled, on a thread of its own: there are modules that take minutes, and compiling cannot be stopped.
/// Then it is given up, and goes on by itself, with what nobody else wants of the processor.
final class Compiling: @unchecked Sendable {
    private enum State {
        case underWay
        case done(Result<OpaquePointer, SandboxError>)
        case givenUp
    }

    // The state is guarded by its lock; the semaphore is on the heap, because it must not move.
    private let state = Guarded<State>(.underWay)
    private let finished = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    private static let lowPriority: Int32 = 10

    private init() { sem_init(finished, 0, 0) }

    deinit {
        sem_destroy(finished)
        finished.deallocate()
    }

    static func compile(_ octets: [UInt8], _ wasmtime: Wasmtime, within limit: Duration) throws(SandboxError)
        -> OpaquePointer
    {
        let compiling = Compiling()
        SystemThread(for: "compiling plugins") {
            // Of this thread alone. An honest module still has a tenth of a busy core, and takes milliseconds.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, lowPriority)
            var why = potluck_wasmtime_message()
            let made = potluck_wasmtime_compile(wasmtime.engine, octets, octets.count, &why)
            compiling.finish(made.map { .success($0) } ?? .failure(.notAModule(Wasmtime.text(why))))
        }.detach()
        return try compiling.wait(limit)
    }

    private func finish(_ result: Result<OpaquePointer, SandboxError>) {
        let isWanted = state.with { state in
            if case .givenUp = state { return false }
            state = .done(result)
            return true
        }
        if isWanted {
            sem_post(finished)
        } else if case .success(let module) = result {
            potluck_wasmtime_module_free(module)
        }
    }

    private func wait(_ limit: Duration) throws(SandboxError) -> OpaquePointer {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += Int(limit.components.seconds)
        while sem_timedwait(finished, &end) != 0, errno == EINTR {}
        let result: Result<OpaquePointer, SandboxError> = state.with { state in
            switch state {
            case .done(let result): return result
            case .underWay: state = .givenUp
            case .givenUp: break
            }
            return .failure(.tooSlow(limit))
        }
        return try result.get()
    }
}
