import Foundation
import PotluckCore
import PotluckNet
import Testing

/// Sets the limit on this process's descriptors and returns the previous one.
@discardableResult private func allowDescriptors(_ count: Int) -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let before = Int(clamping: limit.rlim_cur)
    limit.rlim_cur = rlim_t(count)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return before
}

/// Returns the number of descriptors that this process has open.
private func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// Failures on real sockets.
@Suite(.timeLimit(.minutes(60))) struct DoorTests {
    /// Runs in a separate process, because it uses up the descriptors.
    @Test func aNodeWithoutDescriptorsTurnsAwayAndRecovers() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // Ends this process even if something hangs.
            alarm(120)
            let host = Member()
            let guest = Member()
            let port = try host.transport.listen(on: .loopback)
            let early = (0..<5).map { _ in RawSocket(adopting: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }
            // The lowest free number becomes the first that is not permitted.
            let free = dup(0)
            close(free)
            let usual = allowDescriptors(Int(free))
            for one in early {
                one.connect(to: port)
                guard one.receive() == nil else { exit(2) }
            }
            guard try await host.refused() == .tooMany else { exit(3) }
            allowDescriptors(usual)
            guest.transport.dial(DialNumber(1), to: [.local(port)])
            _ = try await guest.opened()
            exit(0)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("cannot accept connections: Too many open files; retrying"))
    }

    /// HTTP clients that were answered and do not close, from one address or from many, count until they are closed.
    @Test(arguments: [1, 200]) func visitorsUseUpNoDescriptors(addresses: Int) async {
        await #expect(processExitsWith: .success) { [addresses] in
            alarm(120)
            let host = Member()
            let guest = Member()
            let port = try host.transport.listen(on: .loopback)
            var visitors: [RawSocket] = []
            let before = try openDescriptors()
            for number in 0..<200 {
                let visitor = RawSocket(from: [127, 0, 1, UInt8(1 + number % addresses)], to: port)
                visitor.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
                guard !visitor.receiveAll().isEmpty else { exit(2) }
                visitors.append(visitor)
            }
            let hosts = try openDescriptors() - before - visitors.count
            guard hosts <= min(LinkLimits.strangers, addresses * LinkLimits.strangersPerAddress) else { exit(3) }
            guest.transport.dial(DialNumber(1), to: [.local(port)])
            _ = try await guest.opened()
            exit(0)
        }
    }

    /// Many addresses that do not answer leave descriptors for incoming connections.
    @Test func dialsLeaveRoomForNewcomers() async {
        await #expect(processExitsWith: .success) {
            alarm(120)
            let capacity = 100
            let usual = allowDescriptors(LinkLimits.otherDescriptors + capacity)
            let host = Member()
            allowDescriptors(usual)
            let guest = Member()
            let port = try host.transport.listen(on: .loopback)
            // Connections that are never accepted fill the queue. The system drops all further ones.
            let (silent, silentPort) = RawSocket.listening()
            let queue = (0..<17).map { _ in RawSocket(to: silentPort) }
            let dials = 90 as UInt64
            for number in 1...dials { host.transport.dial(DialNumber(number), to: [.local(silentPort)]) }
            for _ in 0..<Int(dials) - (capacity - LinkLimits.strangers) {
                guard try await host.dialFailed() == .notTried else { exit(2) }
            }
            guest.transport.dial(DialNumber(1), to: [.local(port)])
            _ = try await guest.opened()
            withExtendedLifetime((silent, queue)) {}
            exit(0)
        }
    }

    /// The cable is pulled: nothing arrives, and TCP reports nothing.
    @Test func aHalfOpenLinkIsSilentAtBothEnds() async throws {
        let pair = try await Pair(tapped: true)
        pair.tap?.cut()
        #expect(try await pair.guest.closed() == .silent)
        #expect(try await pair.host.closed() == .silent)
        pair.tap?.close()
        try await pair.stop()
    }

    @Test func aConnectionThatBreaksIsLostAtOnce() async throws {
        let pair = try await Pair(tapped: true)
        pair.tap?.close()
        #expect(try await pair.guest.closed() == .lost)
        #expect(try await pair.host.closed() == .lost)
        try await pair.stop()
    }

    @Test func aPeerThatTakesNothingIsGivenUpAndOthersAreNot() async throws {
        let host = Member()
        let port = try host.transport.listen(on: .loopback)
        let lazy = Member()
        lazy.transport.dial(DialNumber(1), to: [.local(port)])
        lazy.transport.hold(try await lazy.opened().link, true)
        let first = try await host.opened().link
        let other = Member()
        other.transport.dial(DialNumber(1), to: [.local(port)])
        _ = try await other.opened()
        let second = try await host.opened().link
        let large = [UInt8](repeating: 1, count: LinkLimits.bulkMessage)
        for _ in 0..<3 { host.send(large, first, .bulk) }
        #expect(try await host.closed() == .overfull)
        host.send([1, 2, 3], second)
        #expect(try await other.received() == [1, 2, 3])
        for member in [lazy, other, host] { try await member.stop() }
    }

    /// Nothing more is reported, and the port is free again.
    @Test func stoppingEndsEverything() async throws {
        let host = Member()
        // The system gives connections of other tests higher ports than this. One of those could be taken in between.
        let port = UInt16(22_000 + getpid() % 9_000)
        #expect(try host.transport.listen(on: .exactly(port)) == port)
        let guest = Member()
        guest.transport.dial(DialNumber(1), to: [.local(port)])
        _ = try await guest.opened()
        guest.transport.dial(DialNumber(2), to: [.local(port)])
        guest.transport.cancel(DialNumber(2))
        try await guest.stop()
        try await host.stop()
        let next = Member()
        #expect(try next.transport.listen(on: .exactly(port)) == port)
        #expect(throws: ListenError.taken(port)) { try next.transport.listen(on: .exactly(port)) }
        try await next.stop()
    }

    @Test func theUsualPortIsFollowedByTheNextFreeOne() async throws {
        let members = [Member(), Member()]
        let ports = try members.map { try $0.transport.listen(on: .usual) }
        #expect(ports[0] != ports[1] && ports.allSatisfy { $0 >= LinkLimits.usualPort })
        for member in members { try await member.stop() }
    }
}
