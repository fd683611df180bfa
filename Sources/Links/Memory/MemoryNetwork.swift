import Glibc
import PotluckCrypto
import PotluckModel
import PotluckSystem

/// A network in memory, on a clock of its own: what a transport's users are tested on.
///
/// It is also the executor of its members, run by hand: `advance` moves the clock, delivers what is due and runs the jobs of
/// actors that live here, all on the caller's thread. With one seed everything happens in one order. Links are `LinkCore`s as
/// on a real network; only sockets and TLS are make-believe.
public final class MemoryNetwork: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// How octets travel.
    public struct Weather: Sendable {
        /// One way.
        public var delay: ClosedRange<Duration>
        /// The share of records that TCP must repeat, which makes them and all behind them late.
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
    /// Octets that wait for a cut to heal.
    private var stranded: [() -> Void] = []

    // Work may be left by other threads; everything else belongs to the one that calls `advance`.
    private let work = Guarded<[Work]>([])

    /// TCP repeats a lost segment after so long, at the earliest.
    private static let repetition: Duration = .milliseconds(200)

    public init(seed: UInt64, weather: Weather = Weather()) {
        self.weather = weather
        generator = SeededGenerator(seed: seed)
    }

    /// A node's transport at this IPv4 address.
    public func member(at address: [UInt8], key: LinkKey, session: SessionHash) -> MemoryTransport {
        precondition(address.count == 4 && !members.contains { $0.address == address }, "each member has an address")
        let member = MemoryTransport(on: self, at: address, key: key, session: session)
        members.append(member)
        return member
    }

    // MARK: Faults

    /// Nothing passes between two addresses any more; TCP keeps what it has.
    public func cut(_ a: [UInt8], _ b: [UInt8]) { cuts.insert([a, b]) }

    public func heal(_ a: [UInt8], _ b: [UInt8]) {
        cuts.remove([a, b])
        let waiting = stranded
        stranded = []
        for delivery in waiting { delivery() }
    }

    /// A firewall: nobody can dial this address, and it can dial others.
    public func shield(_ address: [UInt8], _ isUp: Bool) {
        if isUp { shields.insert(address) } else { shields.remove(address) }
    }

    func isCut(_ a: [UInt8], _ b: [UInt8]) -> Bool { cuts.contains([a, b]) }
    func canDial(_ address: [UInt8], from other: [UInt8]) -> Bool {
        !shields.contains(address) && !isCut(address, other)
    }

    // MARK: Time

    /// Lets time go by.
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

    /// At one moment in the order in which it was asked for.
    package func schedule(at time: Instant, _ body: @escaping () -> Void) {
        var (low, high) = (0, agenda.count)
        while low < high {
            let middle = (low + high) / 2
            if agenda[middle].time > time { high = middle } else { low = middle + 1 }
        }
        agenda.insert(Appointment(time: time, body: body), at: low)
    }

    /// How long octets take now.
    func travel() -> Duration {
        var time = generator.duration(from: weather.delay.lowerBound, to: weather.delay.upperBound)
        while weather.loss > 0, generator.fraction() < min(weather.loss, 0.9) { time += Self.repetition }
        return time
    }

    /// Delivers as soon as nothing is cut.
    func deliver(_ a: [UInt8], _ b: [UInt8], _ body: @escaping () -> Void) {
        guard isCut(a, b) else { return body() }
        stranded.append { [weak self] in self?.deliver(a, b, body) }
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) { leave(.job(UnownedJob(job))) }
    func perform(_ call: @escaping () -> Void) { leave(.call(call)) }
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }
    /// Whoever calls `advance` is the thread.
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
