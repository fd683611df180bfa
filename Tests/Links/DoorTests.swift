import Foundation
import PotluckLinks
import PotluckModel
import Testing

/// Bad days on real sockets.
@Suite(.timeLimit(.minutes(5))) struct DoorTests {
    /// In a process of its own, because it uses up that process's descriptors.
    @Test func aNodeWithoutDescriptorsTurnsAwayAndRecovers() async {
        await #expect(processExitsWith: .success) {
            // Whatever goes wrong, this process ends.
            alarm(30)
            let host = Member()
            let guest = Member()
            let port = try host.transport.listen(on: .loopback)
            let early = (0..<5).map { _ in RawSocket(adopting: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let usual = limit.rlim_cur
            // The lowest free number is the first that is forbidden now.
            let free = dup(0)
            close(free)
            limit.rlim_cur = rlim_t(free)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for one in early {
                one.connect(to: port)
                guard one.receive() == nil else { exit(2) }
            }
            guard try await host.refused() == .tooMany else { exit(3) }
            limit.rlim_cur = usual
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guest.transport.dial(DialID(1), to: [.local(port)])
            _ = try await guest.opened()
            exit(0)
        }
    }

    /// The cable is pulled: nothing comes, and TCP says nothing.
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
        lazy.transport.dial(DialID(1), to: [.local(port)])
        lazy.transport.hold(try await lazy.opened().link, true)
        let first = try await host.opened().link
        let other = Member()
        other.transport.dial(DialID(1), to: [.local(port)])
        _ = try await other.opened()
        let second = try await host.opened().link
        let large = [UInt8](repeating: 1, count: LinkLimits.bulkMessage)
        for _ in 0..<3 { host.send(large, first, .bulk) }
        #expect(try await host.closed() == .overfull)
        host.send([1, 2, 3], second)
        #expect(try await other.received() == [1, 2, 3])
        for member in [lazy, other, host] { try await member.stop() }
    }

    /// Nothing is reported of what was given up, and the port is free again.
    @Test func stoppingEndsEverything() async throws {
        let host = Member()
        let port = try host.transport.listen(on: .loopback)
        let guest = Member()
        guest.transport.dial(DialID(1), to: [.local(port)])
        _ = try await guest.opened()
        guest.transport.dial(DialID(2), to: [.local(port)])
        guest.transport.cancel(DialID(2))
        try await guest.stop()
        try await host.stop()
        let next = Member()
        #expect(try next.transport.listen(on: .exactly(port)) == port)
        #expect(throws: ListenFailure.taken(port)) { try next.transport.listen(on: .exactly(port)) }
        try await next.stop()
    }

    @Test func theUsualPortIsFollowedByTheNextFreeOne() async throws {
        let members = [Member(), Member()]
        let ports = try members.map { try $0.transport.listen(on: .usual) }
        #expect(ports[0] != ports[1] && ports.allSatisfy { $0 >= LinkLimits.usualPort })
        for member in members { try await member.stop() }
    }
}
