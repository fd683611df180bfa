import Glibc
import Synchronization
import Testing

@testable import PotluckSystem

@Suite struct LogTests {
    /// Keeps the lines that were logged.
    final class Memory: Sendable {
        let lines = Mutex<[String]>([])
        func destination(_ level: LogLevel) -> LogDestination {
            LogDestination(level: level) { [self] event in lines.withLock { $0.append(event.plain) } }
        }
        var said: [String] { lines.withLock { $0 } }
    }

    @Test(arguments: LogLevel.allCases)
    func messagesBelowTheLevelAreNotBuilt(level: LogLevel) {
        let memory = Memory()
        let log = Log("links", to: memory.destination(level))
        let made = Mutex(0)
        func message() -> String {
            made.withLock { $0 += 1 }
            return "a message"
        }
        log.error(message())
        log.warning(message())
        log.notice(message())
        log.info(message())
        log.debug(message())
        let wanted = LogLevel.allCases.filter { $0 <= level }
        #expect(memory.said == wanted.map { "\($0) links: a message" })
        #expect(made.withLock { $0 } == wanted.count)
    }

    @Test func levelsHaveSyslogsNumbersAndTheirNames() {
        #expect(LogLevel.allCases.map(\.rawValue) == [3, 4, 5, 6, 7])
        #expect(LogLevel.allCases.allSatisfy { LogLevel(named: $0.description) == $0 })
        #expect(LogLevel(named: "verbose") == nil)
        #expect(LogEvent(level: .warning, part: "links", message: "gone").journal == "<4>links: gone")
    }

    @Test func theLevelAndTheSinkCanBeChanged() {
        let memory = Memory()
        let destination = memory.destination(.error)
        let log = Log("links", to: destination)
        log.debug("one")
        destination.level = .debug
        log.debug("two")
        let elsewhere = Mutex<[String]>([])
        destination.redirect { event in elsewhere.withLock { $0.append(event.message) } }
        log.debug("three")
        #expect(memory.said == ["debug links: two"])
        #expect(elsewhere.withLock { $0 } == ["three"])
    }

    @Test func oneEventIsOneLine() {
        let hostile = "ana\n<3>kernel: panic\u{1b}[31m\u{202e}\r\t\u{2028}end 5 → café 👩‍👩‍👧"
        let event = LogEvent(level: .info, part: "links", message: hostile)
        for line in [event.plain, event.journal] {
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202e && $0.value != 0x2028 })
            #expect(
                line.contains(#"ana\n<3>kernel: panic\u{001B}[31m"#)
                    || line.contains(#"ana\n<3>kernel: panic\u{1B}[31m"#))
            #expect(line.contains("5 → café"))
        }
    }

    @Test func aSecretShowsNothing() {
        struct Holder { let code = Secret("apple birch cedar") }
        var dumped = ""
        dump(Holder(), to: &dumped)
        let memory = Memory()
        let code = Secret("apple birch cedar")
        Log("links", to: memory.destination(.debug)).debug("code \(code) in \(Holder()) and \([code])")
        let all = memory.said + [dumped, String(reflecting: Holder()), String(describing: Optional(code))]
        #expect(all.count == 4)
        #expect(all.allSatisfy { !$0.contains("birch") })
        #expect(code.exposed.contains("birch"))
    }

    @Test func theJournalIsKnownByItsInode() throws {
        var status = stat()
        try #require(fstat(STDERR_FILENO, &status) == 0)
        #expect(LogDestination.leads(STDERR_FILENO, to: "\(status.st_dev):\(status.st_ino)"))
        #expect(!LogDestination.leads(STDERR_FILENO, to: "\(status.st_dev):\(status.st_ino + 1)"))
        #expect(!LogDestination.leads(-1, to: "0:0"))
    }

    @Test func theTimeIsUTC() {
        #expect(LogDestination.text(of: timespec(tv_sec: 0, tv_nsec: 0)) == "1970-01-01T00:00:00.000Z")
        #expect(
            LogDestination.text(of: timespec(tv_sec: 1_709_251_199, tv_nsec: 999_999_999)) == "2024-02-29T23:59:59.999Z"
        )
    }
}
