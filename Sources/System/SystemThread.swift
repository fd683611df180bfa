import Glibc

/// A system thread, for work that would block the pool of Swift's tasks: computing, and waiting for sockets.
public struct SystemThread: @unchecked Sendable {
    // `pthread_t` is a number or a pointer, and any thread may use it.
    private let thread: pthread_t

    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Starts a thread. Returns nil if the system refuses. The caller must `join` or `detach` it.
    public init?(_ body: @escaping @Sendable () -> Void) {
        guard case .success(let thread) = Self.start(body) else { return nil }
        self.thread = thread
    }

    /// Starts a thread without which the program cannot work, and traps if the system refuses. The message
    /// contains `purpose`. The caller must `join` or `detach` it.
    public init(for purpose: StaticString, _ body: sending @escaping () -> Void) {
        switch Self.start(body) {
        case .success(let thread): self.thread = thread
        case .failure(let refusal):
            preconditionFailure(
                "cannot create a thread for \(purpose): \(String(cString: strerror(refusal.number)))")
        }
    }

    private struct Refusal: Error {
        /// The error number of the C library.
        let number: Int32
    }

    private static func start(_ body: @escaping () -> Void) -> Result<pthread_t, Refusal> {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Body(body))
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            return .failure(Refusal(number: status))
        }
        return .success(thread)
    }

    /// Whether the caller runs on this thread.
    public var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Waits for the thread to end. Call it once.
    public func join() { pthread_join(thread, nil) }

    /// Releases the thread when it ends.
    public func detach() { pthread_detach(thread) }
}
