import Glibc
import PotluckCore
import PotluckNet
import PotluckSystem

/// A network in memory with a virtual clock, for tests of code that uses a transport.
///
/// It is also the executor of its members, driven by `advance`, which moves the clock, delivers what is due and runs
/// the jobs of actors on this executor, all on the caller's thread. With one seed everything happens in the same order.
/// Links are `LinkCore`s as on a real network. Only sockets and TLS are simulated.
public final class MemoryNetwork: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The delay and loss of records.
    public struct Weather: Sendable {
        /// The time that a record takes in one direction.
        public var delay: ClosedRange<Duration>
        /// The share of records that TCP must retransmit, which delays them and all records behind them.
        public var loss: Double

        public init(delay: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(3)), loss: Double = 0) {
            self.delay = delay
            self.loss = loss
        }
    }

    private enum Work {
        case job(UnownedJob)
        case call(() -> Void)
    }

    private struct Appointment {
        let time: Instant
        let body: () -> Void
    }

    public var weather: Weather
    public private(set) var now = Instant.start
    var generator: SeededGenerator
    var members: [MemoryTransport] = []

    private var agenda: [Appointment] = []
    private var cuts: Set<Set<[UInt8]>> = []
    private var shields: Set<[UInt8]> = []
    /// Records that wait for a cut to heal.
    private var stranded: [() -> Void] = []

    // Any thread may enqueue work. Everything else belongs to the thread that calls `advance`.
    private let work = Guarded<[Work]>([])

    /// The time after which TCP first retransmits a lost segment.
    private static let repetition: Duration = .milliseconds(200)

    public init(seed: UInt64, weather: Weather = Weather()) {
        self.weather = weather
        generator = SeededGenerator(seed: seed)
    }

    /// Creates the transport of a node with this IPv4 address.
    public func member(at address: [UInt8], key: LinkKey, session: SessionHash) -> MemoryTransport {
        precondition(
            address.count == 4 && !members.contains { $0.address == address }, "each member needs its own IPv4 address")
        let member = MemoryTransport(on: self, at: address, key: key, session: session)
        members.append(member)
        return member
    }

    // MARK: Faults

    /// Cuts the connection between two addresses. What was sent is kept until it heals.
    public func cut(_ a: [UInt8], _ b: [UInt8]) { cuts.insert([a, b]) }

    public func heal(_ a: [UInt8], _ b: [UInt8]) {
        cuts.remove([a, b])
        let waiting = stranded
        stranded = []
        for delivery in waiting { delivery() }
    }

    /// Simulates a firewall: no node can dial this address, but it can dial others.
    public func shield(_ address: [UInt8], _ isUp: Bool) {
        if isUp { shields.insert(address) } else { shields.remove(address) }
    }

    func isCut(_ a: [UInt8], _ b: [UInt8]) -> Bool { cuts.contains([a, b]) }
    func canDial(_ address: [UInt8], from other: [UInt8]) -> Bool {
        !shields.contains(address) && !isCut(address, other)
    }

    // MARK: Time

    /// Advances the virtual clock.
    public func advance(by time: Duration) {
        let end = now + time
        runWork()
        while let next = agenda.first, next.time <= end {
            agenda.removeFirst()
            now = max(now, next.time)
            next.body()
            runWork()
        }
        now = end
    }

    /// Schedules a call. Calls for the same moment run in the order in which they were scheduled.
    package func schedule(at time: Instant, _ body: @escaping () -> Void) {
        var (low, high) = (0, agenda.count)
        while low < high {
            let middle = (low + high) / 2
            if agenda[middle].time > time { high = middle } else { low = middle + 1 }
        }
        agenda.insert(Appointment(time: time, body: body), at: low)
    }

    /// Returns a random time for a record to arrive.
    func travel() -> Duration {
        var time = generator.duration(from: weather.delay.lowerBound, to: weather.delay.upperBound)
        while weather.loss > 0, generator.fraction() < min(weather.loss, 0.9) { time += Self.repetition }
        return time
    }

    /// Delivers as soon as the connection is not cut.
    func deliver(_ a: [UInt8], _ b: [UInt8], _ body: @escaping () -> Void) {
        guard isCut(a, b) else { return body() }
        stranded.append { [weak self] in self?.deliver(a, b, body) }
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) { leave(.job(UnownedJob(job))) }
    func perform(_ call: @escaping () -> Void) { leave(.call(call)) }
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
    /// The caller of `advance` counts as the executor's thread.
    public func checkIsolated() {}
    public func isIsolatingCurrentContext() -> Bool? { true }

    private func leave(_ one: Work) {
        work.with { $0.append(one) }
    }

    private func runWork() {
        while true {
            let batch = work.with { work in
                defer { work = [] }
                return work
            }
            if batch.isEmpty { return }
            for one in batch {
                switch one {
                case .job(let job):
                    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                case .call(let call): call()
                }
            }
        }
    }
}
