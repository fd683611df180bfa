import Glibc
import PotluckCore
import PotluckNet
import PotluckSystem

/// A host and a guest in this process, each with its own thread.
struct Ends {
    let host: End
    let guest: End
    let port: UInt16

    init() {
        guard let session = SessionID("Bench") else { fail("no session") }
        let key = SessionRoot(openTo: session).link
        host = End(key, session.hash)
        guest = End(key, session.hash)
        do { port = try host.transport.listen(on: .loopback) } catch { fail("\(error)") }
    }

    /// Returns the median of `count` round trips in microseconds.
    func roundTrip(_ count: Int) async -> Double {
        await guest.open(1, to: port)
        await host.echo()
        let times = await guest.pingPong(count)
        await stop()
        return times.sorted()[count / 2]
    }

    /// Returns the throughput in MiB/s.
    func bulk(messages: Int, of size: Int) async -> Double {
        await guest.open(1, to: port)
        let start = boottime()
        await guest.send(messages, of: size)
        await host.receive(messages)
        let seconds = boottime() - start
        await stop()
        return Double(messages * size) / Double(1 << 20) / seconds
    }

    /// Opens idle links. Returns their number, the share of a core that the host's thread uses, and the memory of one
    /// end.
    func idle(links: Int, for time: Duration) async -> (links: Int, share: Double, kilobytes: Double) {
        let before = resident()
        await guest.open(links, to: port)
        // Both ends of each link are in this process.
        let kilobytes = (resident() - before) / Double(2 * links)
        let start = await host.threadTime()
        let clock = boottime()
        try? await Task.sleep(for: time)
        let share = (await host.threadTime() - start) / (boottime() - clock)
        await stop()
        return (links, share, kilobytes)
    }

    private func stop() async {
        await guest.stop()
        await host.stop()
    }

    /// Resident memory in kilobytes.
    private func resident() -> Double { Double(memory().resident) / 1000 }
}

/// One end of the links: an actor on the thread of its links, like a session.
actor End {
    nonisolated let transport: SocketTransport
    private nonisolated let loop: EventLoop
    private var links: [LinkID] = []
    private var wanted = 0
    private var lastDial: UInt64 = 0
    private var port: UInt16 = 0
    private var echoes = false
    private var sent = 0.0
    private var times: [Double] = []
    private var left = 0
    private var message: [UInt8] = []
    private var isStopping = false
    private var done: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ key: LinkKey, _ session: SessionHash) {
        loop = EventLoop()
        transport = SocketTransport(key: key, session: session, loop: loop)
        transport.start { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
    }

    func open(_ count: Int, to port: UInt16) async {
        wanted = count
        self.port = port
        await withCheckedContinuation { done in
            self.done = done
            for _ in 0..<min(4, count) { dial() }
        }
    }

    private func dial() {
        guard lastDial < UInt64(wanted), let endpoint = Endpoint(octets: [127, 0, 0, 1], port: port) else { return }
        lastDial += 1
        transport.dial(DialNumber(lastDial), to: [.endpoint(endpoint)])
    }

    func echo() { echoes = true }

    func pingPong(_ count: Int) async -> [Double] {
        left = count
        await withCheckedContinuation { done in
            self.done = done
            ping()
        }
        return times
    }

    private func ping() {
        sent = boottime()
        transport.send([UInt8](repeating: 1, count: 64), on: links[0], lane: .control, reliability: .reliable)
    }

    func send(_ count: Int, of size: Int) {
        message = [UInt8](repeating: 2, count: size)
        left = count
        sendSome()
    }

    /// Sends a few messages at a time, like a sender that limits its queue.
    private func sendSome() {
        for _ in 0..<min(left, 8) {
            left -= 1
            transport.send(message, on: links[0], lane: .bulk, reliability: .reliable)
        }
    }

    func receive(_ count: Int) async {
        left += count
        guard left > 0 else { return }
        await withCheckedContinuation { done = $0 }
    }

    func threadTime() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

    func stop() async {
        await withCheckedContinuation { done in
            self.done = done
            isStopping = true
            transport.stop(.leaving)
        }
    }

    private func finish() {
        done?.resume()
        done = nil
    }

    private func handle(_ event: TransportEvent) {
        switch event {
        case .opened(let link, let origin, _, _):
            links.append(link)
            guard case .dialled = origin else { return }
            if links.count == wanted { finish() } else { dial() }
        case .received(let link, let message):
            if echoes {
                transport.send(message, on: link, lane: .control, reliability: .reliable)
            } else if sent > 0 {
                times.append((boottime() - sent) * 1e6)
                left -= 1
                if left == 0 { finish() } else { ping() }
            } else {
                left -= 1
                if left == 0 { finish() }
            }
        case .drained: sendSome()
        case .dialFailed(_, let reason): fail("a dial failed: \(reason)")
        case .stopped: finish()
        case .closed(_, .closedThere): break
        case .closed(_, let end): if !isStopping { fail("a link ended: \(end)") }
        case .refused, .roundTrip, .handed: break
        }
    }
}
