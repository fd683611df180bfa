import Testing

@testable import PotluckNet

/// Where beacons go on an interface, and the groups that a socket joins there.
@Suite struct InterfaceTests {
    @Test func anAddressWithoutABroadcastAddressGetsTheLastOneOfItsNetwork() {
        let own: [UInt8] = [10, 9, 77, 130]
        let networks: [(prefix: Int, last: [UInt8]?)] = [
            (0, [255, 255, 255, 255]), (1, [127, 255, 255, 255]), (8, [10, 255, 255, 255]), (12, [10, 15, 255, 255]),
            (16, [10, 9, 255, 255]), (20, [10, 9, 79, 255]), (23, [10, 9, 77, 255]), (24, [10, 9, 77, 255]),
            (25, [10, 9, 77, 255]), (26, [10, 9, 77, 191]), (30, [10, 9, 77, 131]), (31, nil), (32, nil),
        ]
        for (prefix, last) in networks {
            #expect(InterfaceScanner.broadcast(of: own, given: own, prefix: prefix) == last, "\(prefix)")
            for given in [[10, 9, 77, 255], [10, 9, 77, 128], [255, 255, 255, 255], nil] as [[UInt8]?] {
                #expect(InterfaceScanner.broadcast(of: own, given: given, prefix: prefix) == given, "\(prefix)")
            }
        }
    }

    /// A socket as the kernel has it: with a list of memberships that may be full.
    private struct Socket {
        let most: Int
        var members: Set<UInt32> = []
        var memberships = GroupMemberships()

        mutating func use(_ wanted: Set<UInt32>) {
            let most = most
            var members = members
            memberships.use(
                wanted,
                join: { index in
                    guard members.count < most else { return false }
                    let isNew = members.insert(index).inserted
                    #expect(isNew, "a member joins \(index) again")
                    return true
                },
                leave: { index in
                    let wasMember = members.remove(index) != nil
                    #expect(wasMember, "no member leaves \(index)")
                })
            self.members = members
        }
    }

    @Test func aVanishedInterfaceIsLeftAndMakesRoom() {
        var socket = Socket(most: 2)
        // Interfaces that come and go, as those of containers do.
        for index in 2..<500 as Range<UInt32> {
            socket.use([1, index])
            #expect(socket.members == [1, index] && socket.memberships.joined == socket.members)
        }
        socket.use([])
        #expect(socket.members.isEmpty && socket.memberships.joined.isEmpty)
    }

    @Test func aFailedJoinIsTriedAgain() {
        var socket = Socket(most: 2)
        socket.use([1, 2, 3])
        #expect(socket.memberships.joined == [1, 2])
        socket.use([1, 2, 3])
        #expect(socket.memberships.joined == [1, 2])
        socket.use([2, 3])
        #expect(socket.memberships.joined == [2, 3] && socket.members == [2, 3])
    }
}
