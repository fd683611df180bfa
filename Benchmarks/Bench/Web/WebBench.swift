import Glibc
import Potluck
import PotluckCore
import PotluckDoubles
import PotluckKit
import PotluckNet
import PotluckScreen
import PotluckSystem

/// PotluckBench web [short]: measures what a room of browsers costs the node that serves them. Gateway and pages are in
/// this process on loopback; only the gateway's thread is measured. The memory includes the pages' ends.
enum WebBench {
    private static let viewers = 200
    private static let time: Duration = .seconds(12)
    /// Four pictures a second, as a gateway sends them.
    private static let interval: Duration = .milliseconds(250)

    static func run(_ arguments: [String]) async {
        let isShort = arguments.dropFirst().first == "short"
        guard let session = SessionID("Bench") else { fail("no session") }
        let loop = EventLoop()
        let tickets = PageTickets(view: .random(), lend: .random())
        let gateway = PageGateway(session: session.name, name: "host", files: PageFiles.all, tickets: tickets, on: loop)
        let transport = SocketTransport(key: SessionRoot(openTo: session).link, session: session.hash, loop: loop)
        transport.serve(gateway)
        transport.start { _ in }
        let port: UInt16
        do { port = try transport.listen(on: .loopback) } catch { fail("\(error)") }
        var board = JobBoard(unicode: false, digest: { _ in "" }, isBuiltIn: { _ in true })
        func show(_ number: UInt64) {
            _ = board.apply(.snapshot(picture(number)), at: .start, time: "")
            gateway.took(.snapshot(picture(number)), board, solution: nil)
        }
        show(0)

        let before = memory().resident
        let pages = (0..<viewers).map { number in
            let page = PageSocket(to: port, tickets.view)
            guard (try? page.join("guest \(number)", client: UInt8(number % 256))) == .some(nil) else {
                fail("a page cannot join")
            }
            return page
        }
        let drain = Drain(pages.map(\.descriptor))
        let clock = LoopClock(loop)
        let (start, startTime) = (seconds(CLOCK_BOOTTIME), await clock.time)
        let startCount = drain.octets
        var pictures = 0
        while seconds(CLOCK_BOOTTIME) - start < (isShort ? 1 : time.seconds) {
            pictures += 1
            show(UInt64(pictures))
            try? await Task.sleep(for: interval)
        }
        let passed = seconds(CLOCK_BOOTTIME) - start
        let share = (await clock.time - startTime) / passed
        let octets = Double(drain.octets - startCount) / Double(viewers * pictures)
        let kilobytes = Double(memory().resident - before) / 1024 / Double(viewers)
        guard gateway.viewers.count == viewers else { fail("a page was closed") }
        drain.end()
        withExtendedLifetime(pages) {}
        Figure(
            what: "\(viewers) viewers, 4 pictures/s", value: share * 100, unit: "% of a core", bound: .atMost(3),
            remark: "\(tenths(octets / 1024)) KiB a picture"
        ).report()
        Figure(
            what: "memory of a viewer", value: kilobytes, unit: "KiB", bound: .atMost(30), remark: "both ends"
        ).report()
    }

    /// A job of an ordinary room: a few readings and laptops.
    private static func picture(_ number: UInt64) -> JobSnapshot {
        let value = 0.5 + 1 / Double(number + 3)
        let readings = (1...4).map { index in
            Reading(
                name: "chance \(index)", kind: .proportion, value: value, interval: value - 0.01...value + 0.01,
                exact: 0.5)
        }
        let nodes = (0..<4).map { index in
            NodeRow(node: .nobody, name: "laptop \(index)", cores: 8, trials: number * 1_000_000, rate: 4e6 + value)
        }
        return JobSnapshot(
            JobSpec(
                JobRecipe(
                    experiment: Experiment(
                        simulation: SimulationIdentity(name: "monty-hall", source: "", streams: 1), parameters: [],
                        seed: 1,
                        blockSize: 4096), goal: Goal(trials: 1_000_000_000_000)),
                title: JobTitle(summary: "a game show with three doors")),
            JobPicture(
                id: JobID(1), submitter: "host", state: .running, trials: number * 4_000_000, readings: readings,
                elapsed: .milliseconds(250) * Int(number), rate: 1.6e7, remaining: .about(.seconds(1000)), nodes: nodes)
        )
    }
}

/// The processor time of a loop's thread.
private actor LoopClock {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    var time: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }
}

/// A thread that reads what the pages get, and forgets it.
private final class Drain: Sendable {
    private let state = Guarded((octets: 0, isOver: false))

    init(_ descriptors: [Int32]) {
        let thread = SystemThread(for: "pages") { [state] in
            var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while !state.with(\.isOver) {
                poll(&polls, nfds_t(polls.count), 50)
                for item in polls where item.revents != 0 {
                    let count = recv(item.fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                    if count > 0 { state.with { $0.octets += count } }
                }
            }
        }
        thread.detach()
    }

    var octets: Int { state.with(\.octets) }
    func end() { state.with { $0.isOver = true } }
}
