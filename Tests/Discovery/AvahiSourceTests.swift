import Glibc
import PotluckCore
import PotluckSystem
import Synchronization
import Testing

@testable import PotluckNet

private final class Flag: Sendable {
    let value = Atomic(false)
}

/// The source without a daemon. The lab tests it with one, because a test must not use a real network.
@Suite struct AvahiSourceTests {
    private static let noBus = setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/potluck-tests", 1)
    private let session: SessionID
    private let announcement: Announcement

    init() throws {
        #expect(Self.noBus == 0)
        session = try #require(SessionID("Monty"))
        announcement = Announcement(
            node: Identity().node, mode: .peer, sessionHash: session.hash, session: session, name: "ana", port: 7077)
    }

    /// Returns the source's first report.
    private func first(_ source: AvahiSource) async -> Observation? {
        let (reports, continuation) = AsyncStream.makeStream(of: Observation.self)
        source.start { continuation.yield($0) }
        return await reports.first { _ in true }
    }

    @Test func withoutABusItSaysSo() async {
        let source = AvahiSource(scope: .session(session.hash))
        source.announce(announcement)
        let observation = await first(source)
        guard case .status(.absent(let reason)) = observation else {
            Issue.record("\(String(describing: observation))")
            return
        }
        #expect(reason.contains("system bus"))
        source.announce(nil)
        source.stop()
    }

    @Test func aSecondStartIsNothing() async {
        let source = AvahiSource(scope: .everything)
        _ = await first(source)
        source.start { Issue.record("a second reader got \($0)") }
        source.stop()
    }

    @Test func afterStopNothingIsReported() async {
        for _ in 0..<200 {
            let source = AvahiSource(scope: .everything)
            let stopped = Flag()
            source.start { observation in
                if stopped.value.load(ordering: .acquiring) { Issue.record("\(observation) after the stop") }
            }
            source.announce(announcement)
            source.stop()
            stopped.value.store(true, ordering: .releasing)
            source.announce(announcement)
            source.stop()
        }
    }

    @Test func aReportMayStopTheSource() async {
        let source = AvahiSource(scope: .everything)
        await withCheckedContinuation { continuation in
            source.start { _ in
                source.stop()
                continuation.resume()
            }
        }
    }

    @Test func aSourceLetGoOfEndsByItself() async {
        weak var gone: AvahiSource?
        do {
            let source = AvahiSource(scope: .everything)
            gone = source
            _ = await first(source)
        }
        #expect(gone == nil)
    }
}
