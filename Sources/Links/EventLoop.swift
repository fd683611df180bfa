import CLinks
import Glibc
import PotluckModel
import PotluckSystem

/// Somebody who works on the loop's thread.
protocol LoopClient: AnyObject, Sendable {
    /// A descriptor that was watched under this tag is ready.
    func ready(_ tag: UInt32, _ events: UInt32, at now: Instant)

    /// After everything that was ready was dealt with, and before the loop waits again. Returns when it wants to be called
    /// at the latest; nil for whenever something happens.
    func turn(at now: Instant) -> Instant?
}

/// One thread that waits for sockets, and is a Swift executor at the same time: an actor on it deals with what arrives
/// without a hop from thread to thread, which would cost more than reading it.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// One thread is enough for all links of a process.
    public static let shared = EventLoop()

    private struct State {
        var work: [Work] = []
        var isRung = false
        var isStopped = false
        /// Nil for a moment, before the thread has begun.
        var thread: SystemThread?
    }

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private let epoll: Int32
    /// Written to when somebody leaves work while the loop waits.
    private let bell: Int32
    private let clock = BootClock()
    private let state = Guarded(State())

    // Of the loop's thread alone.
    private var clients: [UInt32: any LoopClient] = [:]
    private var lastClient: UInt32 = 0

    /// The bell's place among the tags: no client has number 0.
    private static let bellTag: UInt64 = 0
    /// Descriptors dealt with in one turn.
    private static let readyAtOnce = 128
    /// Work may leave more work. So many rounds of it come before the sockets' next turn.
    private static let rounds = 16

    public init() {
        // A peer that is gone shows as an error of `write`; as a signal it would end the process.
        signal(SIGPIPE, SIG_IGN)
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(epoll >= 0 && bell >= 0, "the system gives no descriptors: \(String(cString: strerror(errno)))")
        watch(bell, tag: Self.bellTag, events: EPOLLIN.rawValue, operation: EPOLL_CTL_ADD)
        // The thread looks at the state first, and so finds itself in it.
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

    /// Ends the thread. Nothing may be given to the loop afterwards; the shared one is never stopped.
    public func stop() {
        state.with { $0.isStopped = true }
        ring()
    }

    // MARK: Work from any thread

    public func enqueue(_ job: consuming ExecutorJob) { leave(.job(UnownedJob(job))) }

    /// Has the loop's thread do it, after all that was left before, and never from inside of something it is doing.
    func perform(_ call: @escaping @Sendable () -> Void) { leave(.call(call)) }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    public var isCurrent: Bool { state.with(\.thread)?.isCurrent ?? false }
    public func checkIsolated() { precondition(isCurrent, "not on the links' thread") }
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func leave(_ one: Work) {
        let mustRing = state.with { state in
            precondition(!state.isStopped, "work for a loop that was stopped")
            state.work.append(one)
            guard !state.isRung, state.thread?.isCurrent != true else { return false }
            state.isRung = true
            return true
        }
        if mustRing { ring() }
    }

    private func ring() {
        var one: UInt64 = 1
        // It fails only when the bell has been rung 2^64 times.
        _ = write(bell, &one, MemoryLayout.size(ofValue: one))
    }

    // MARK: On the loop's thread

    /// Nanoseconds since the loop began, while the laptop sleeps, too.
    var now: Instant { clock.now }

    /// Returns the client's number.
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
        // It fails for want of kernel memory alone; the deadline of whatever waits there then comes.
        _ = epoll_ctl(epoll, operation, descriptor, &event)
    }

    private func run() {
        potluck_links_name(pthread_self(), "potluck-io")
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

    /// Whether there is more.
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

    /// Rounded up, so that nobody is called before it is due; -1 is for ever.
    private static func milliseconds(to due: Instant?, from now: Instant) -> Int32 {
        guard let due else { return -1 }
        return Int32(clamping: max(0, (due - now).nanoseconds + 999_999) / 1_000_000)
    }
}
