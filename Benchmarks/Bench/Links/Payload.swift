import Glibc
import PotluckCore
import PotluckNet
import PotluckSystem

/// Measures a large message between two machines, and how much it delays control messages. The lab runs this over a
/// slow cable.
///
///     PotluckBench links host               listens on the usual port and answers
///     PotluckBench links guest ADDRESS      measures, and prints one JSON object
enum Payload {
    static let size = LinkLimits.bulkMessage
    /// The time between two questions, whether or not answers are late.
    static let interval: Duration = .milliseconds(10)
    static let idleQuestions = 100

    /// Runs until it is killed.
    static func host() async {
        let end = PayloadEnd(answers: true)
        do { _ = try end.transport.listen(on: .exactly(LinkLimits.usualPort)) } catch { fail("\(error)") }
        say("{\"event\":\"listening\"}")
        await end.ended()
    }

    static func guest(_ address: String) async {
        let end = PayloadEnd(answers: false)
        await end.open(.host(address, port: LinkLimits.usualPort))
        for _ in 0..<idleQuestions {
            await end.ask()
            try? await Task.sleep(for: interval)
        }
        let idle = await end.takeTimes()
        let start = milliseconds()
        await end.send(size)
        while await !end.hasArrived {
            await end.ask()
            try? await Task.sleep(for: interval)
        }
        let time = milliseconds() - start
        let busy = await end.takeTimes()
        say(
            "{\"event\":\"payload\",\"octets\":\(size),\"milliseconds\":\(time),\"questions\":\(busy.count),"
                + "\"idle\":\(idle[idle.count / 2]),\"median\":\(busy[busy.count / 2]),\"late\":\(busy[busy.count * 99 / 100]),"
                + "\"worst\":\(busy[busy.count - 1])}")
    }

    /// Prints a line without buffering.
    private static func say(_ line: String) {
        let text = line + "\n"
        _ = write(STDOUT_FILENO, text, text.utf8.count)
    }

    static func milliseconds() -> Double { seconds(CLOCK_BOOTTIME) * 1e3 }
}

/// One end. A control message of eight bytes is a question, which the host returns. One of a single byte says that the
/// large message has arrived.
actor PayloadEnd {
    nonisolated let transport: SocketTransport
    private nonisolated let loop = EventLoop.shared
    private let answers: Bool
    private var link: LinkID?
    private var asked: [Double] = []
    private var times: [Double] = []
    private(set) var hasArrived = false
    private var waiting: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(answers: Bool) {
        guard let session = SessionID("Bench") else { fail("no session") }
        self.answers = answers
        transport = SocketTransport(key: SessionRoot(openTo: session).link, session: session.hash)
        transport.start { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
    }

    func open(_ candidate: Candidate) async {
        await withCheckedContinuation { waiting in
            self.waiting = waiting
            transport.dial(DialNumber(1), to: [candidate])
        }
    }

    func ended() async { await withCheckedContinuation { waiting = $0 } }

    /// Sends a question, even if others are still unanswered.
    func ask() {
        asked.append(Payload.milliseconds())
        send([UInt8](repeating: 0, count: 8), .control)
    }

    func send(_ size: Int) { send([UInt8](repeating: 7, count: size), .bulk) }

    private func send(_ message: [UInt8], _ lane: LinkLane) {
        if let link { transport.send(message, on: link, lane: lane, reliability: .reliable) }
    }

    /// Returns the round-trip times of all answered questions in ascending order.
    func takeTimes() -> [Double] {
        defer { times = [] }
        return times.sorted()
    }

    private func handle(_ event: TransportEvent) {
        switch event {
        case .opened(let link, _, _, _):
            self.link = link
            guard !answers else { return }
            waiting?.resume()
            waiting = nil
        case .received(_, let message):
            if answers {
                send(message.count > 8 ? [1] : message, .control)
            } else if message.count == 1 {
                hasArrived = true
            } else {
                times.append(Payload.milliseconds() - asked.removeFirst())
            }
        case .closed(_, .closedThere): break
        case .closed(_, let end): if !answers { fail("the link ended: \(end)") }
        case .dialFailed(_, let reason): fail("the dial failed: \(reason)")
        case .stopped, .drained, .refused, .roundTrip, .handed: break
        }
    }
}
