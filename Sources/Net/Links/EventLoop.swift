import CLinux
import Glibc
import PotluckCore
import PotluckSystem

/// An object that handles events on the loop's thread.
protocol LoopClient: AnyObject, Sendable {
    /// Called when the descriptor that is watched under this tag is ready.
    func ready(_ tag: UInt32, _ events: UInt32, at now: Instant)

    /// Called after all ready descriptors were handled and before the loop waits again. Returns the latest time of the
    /// next call, or nil to be called only when something happens.
    func turn(at now: Instant) -> Instant?
}

/// A thread that waits for sockets and is also a Swift executor. An actor on it handles arrivals without a change of
/// thread, which would cost more than reading from the socket.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The loop for all links of a process. One thread is enough.
    public static let shared = EventLoop()

    private struct State {
        var work: [Work] = []
        var isRung = false
        var isStopped = false
        /// Nil only until the thread has been created.
        var thread: SystemThread?
    }

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private let epoll: Int32
    /// An event descriptor, written when work is enqueued while the loop waits.
    private let bell: Int32
    private let clock = BootClock()
    private let state = Guarded(State())

    // Used only on the loop's thread.
    private var clients: [UInt32: any LoopClient] = [:]
    private var lastClient: UInt32 = 0

    /// The tag of the bell. No client has number 0.
    private static let bellTag: UInt64 = 0
    /// The most descriptors handled in one turn.
    private static let readyAtOnce = 128
    /// Work may enqueue more work. This is the most rounds of work before the sockets are handled again.
    private static let rounds = 16

    public init() {
        // A write to a closed connection must return an error. The signal would end the process.
        signal(SIGPIPE, SIG_IGN)
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(epoll >= 0 && bell >= 0, "cannot create an event loop: \(String(cString: strerror(errno)))")
        watch(bell, tag: Self.bellTag, events: EPOLLIN.rawValue, operation: EPOLL_CTL_ADD)
        // The thread's first access to the state waits for this lock, so the state already contains the thread.
        state.with { state in
            let thread = SystemThread(for: "the links") { self.run() }
            thread.detach()
            state.thread = thread
        }
    }

    deinit {
        close(epoll)
        close(bell)
    }

    /// Ends the thread. Do not enqueue anything afterwards. The shared loop is never stopped.
    func stop() {
        state.with { $0.isStopped = true }
        ring()
    }

    // MARK: Work from any thread

    public func enqueue(_ job: consuming ExecutorJob) { leave(.job(UnownedJob(job))) }

    /// Runs the call on the loop's thread, after all work enqueued before, and never inside other work.
    func perform(_ call: @escaping @Sendable () -> Void) { leave(.call(call)) }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    var isCurrent: Bool { state.with(\.thread)?.isCurrent ?? false }
    public func checkIsolated() { precondition(isCurrent, "not on the links' thread") }
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func leave(_ one: Work) {
        let mustRing = state.with { state in
            precondition(!state.isStopped, "a stopped loop takes no work")
            state.work.append(one)
            guard !state.isRung, state.thread?.isCurrent != true else { return false }
            state.isRung = true
            return true
        }
        if mustRing { ring() }
    }

    private func ring() {
        var one: UInt64 = 1
        // The write fails only after 2^64 rings.
        _ = write(bell, &one, MemoryLayout.size(ofValue: one))
    }

    // MARK: On the loop's thread

    /// Nanoseconds since the loop started, including the time that the laptop slept.
    var now: Instant { clock.now }

    /// Registers a client and returns its number.
    func add(_ client: any LoopClient) -> UInt32 {
        lastClient += 1
        clients[lastClient] = client
        return lastClient
    }

    func remove(_ client: UInt32) { clients[client] = nil }

    func watch(_ descriptor: Int32, of client: UInt32, tag: UInt32, events: UInt32, isNew: Bool) {
        watch(
            descriptor, tag: UInt64(client) << 32 | UInt64(tag), events: events,
            operation: isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD)
    }

    private func watch(_ descriptor: Int32, tag: UInt64, events: UInt32, operation: Int32) {
        var event = epoll_event(events: events, data: epoll_data_t(u64: tag))
        // It fails only for lack of kernel memory. The connection then ends at its deadline.
        _ = epoll_ctl(epoll, operation, descriptor, &event)
    }

    private func run() {
        potluck_linux_name(pthread_self(), "potluck-io")
        var ready = [epoll_event](repeating: epoll_event(), count: Self.readyAtOnce)
        while !state.with(\.isStopped) {
            let hasMore = runWork()
            let moment = now
            var due: Instant?
            for client in clients.values {
                guard let wish = client.turn(at: moment) else { continue }
                due = min(due ?? wish, wish)
            }
            let isWaiting = !hasMore && state.with(\.work.isEmpty)
            let count = epoll_wait(
                epoll, &ready, Int32(ready.count), isWaiting ? Self.milliseconds(to: due, from: now) : 0)
            guard count > 0 else { continue }
            let woken = now
            for event in ready[..<Int(count)] {
                if event.data.u64 == Self.bellTag {
                    var rings: UInt64 = 0
                    _ = read(bell, &rings, MemoryLayout.size(ofValue: rings))
                    state.with { $0.isRung = false }
                } else {
                    clients[UInt32(event.data.u64 >> 32)]?
                        .ready(UInt32(truncatingIfNeeded: event.data.u64), event.events, at: woken)
                }
            }
        }
    }

    /// Runs the enqueued work. Returns whether more is left.
    private func runWork() -> Bool {
        for _ in 0..<Self.rounds {
            var batch: [Work] = []
            state.with { swap(&batch, &$0.work) }
            if batch.isEmpty { return false }
            for one in batch {
                switch one {
                case .job(let job):
                    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                case .call(let call): call()
                }
            }
        }
        return true
    }

    /// Returns a timeout for `epoll_wait`. It is rounded up, so that no client is
    /// called too early; -1 means no timeout.
    private static func milliseconds(to due: Instant?, from now: Instant) -> Int32 {
        guard let due else { return -1 }
        return Int32(clamping: max(0, (due - now).nanoseconds + 999_999) / 1_000_000)
    }
}
