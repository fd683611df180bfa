import Glibc
import Potluck
import PotluckCore
import Synchronization

/// Measures how soon all guests are connected again after their server was killed and restarted. One process has all
/// guests. Each restarted server is a new process, which must accept all links at once and derive its key again.
enum Return {
    private static let founding = Founding(1)

    static func measure(_ guests: Int, times: Int) async throws {
        // Nobody else must take the port while the server is gone. The ports that the system chooses are higher.
        let port = UInt16(10_000 + getpid() % 9_000)
        var server = try NodeProcess(["cluster", "server", "\(guests)", "\(port)"])
        let room = try NodeProcess(["cluster", "workers", "\(guests)", Kind.nothing.rawValue, "\(port)"])
        _ = server.line()
        var seconds: [Double] = []
        for _ in 0..<times {
            server.kill()
            let killed = ContinuousClock.now
            server = try NodeProcess(["cluster", "server", "\(guests)", "\(port)"])
            _ = server.line()
            seconds.append((ContinuousClock.now - killed).seconds)
        }
        server.kill()
        room.kill()
        seconds.sort()
        Figure(
            what: "\(guests) guests after kill -9", value: seconds[seconds.count / 2], unit: "s until all are back",
            bound: .atMost(10), remark: "at worst \(tenths(seconds.last ?? 0)) s of \(times)"
        ).report()
    }

    /// Runs the server's process. Prints a line when all guests are connected.
    static func serve(_ guests: Int, port: UInt16) async throws {
        var options = DiscoveryOptions()
        options.interface = "lo"
        (options.usesMDNS, options.usesBeacon) = (false, false)
        // Deriving five hundred guests' keys in one process would take a minute, so the guests join an open session. To
        // include the cost for the server, this derives one key.
        let code = try JoinCode(typed: "maple river candle ocean tiger")
        let other = try await Session.start(
            "Key", mode: .server, access: .code(code), port: .loopback, discovery: options)
        let session = try await Session.start(
            "Bench", name: "host", mode: .server, access: .open, founding: founding, port: .exactly(port),
            discovery: options)
        defer { withExtendedLifetime(other) {} }
        var connected: Set<NodeID> = []
        for await event in session.events {
            guard case .peer(let peer) = event else { continue }
            if peer.state == .connected { connected.insert(peer.node) } else { connected.remove(peer.node) }
            if connected.count == guests {
                print("all")
                fflush(nil)
            }
        }
    }
}

/// Another process of this program, and its output.
final class NodeProcess {
    private let id: pid_t
    private let output: UnsafeMutablePointer<FILE>

    init(_ words: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Trouble(what: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var argv: [UnsafeMutablePointer<CChar>?] =
            ([CommandLine.arguments[0]] + words).map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, "/proc/self/exe", &actions, nil, &argv, environ)
        close(ends[1])
        guard status == 0, let file = fdopen(ends[0], "r") else { throw Trouble(what: "cannot start \(words)") }
        (id, output) = (child, file)
    }

    struct Trouble: Error { let what: String }

    /// Waits for the next line of output.
    func line() -> String {
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), output) != nil else { return "" }
        return String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func kill() {
        Glibc.kill(id, SIGKILL)
        waitpid(id, nil, 0)
        fclose(output)
    }
}
