import Glibc

/// A thread of the system, for what would block the pool of Swift's tasks: computing, and waiting for sockets.
public struct SystemThread: @unchecked Sendable {
    // A thread's name is a number or a pointer, and any thread may use it.
    private let thread: pthread_t

    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Starts it. `purpose` says in the message what it was for, where the system gives no thread: nothing works then.
    /// Somebody must `join` it, or `detach` it.
    public init(for purpose: StaticString, _ body: sending @escaping () -> Void) {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(status == 0, "the system gives no thread for \(purpose): \(String(cString: strerror(status)))")
        self.thread = thread
    }

    /// Waits for its end. Once.
    public func join() { pthread_join(thread, nil) }

    /// Lets it end by itself.
    public func detach() { pthread_detach(thread) }
}
