/// The interfaces on which a socket is a member of a multicast group.
///
/// The kernel keeps a list of memberships for each socket, of limited length. An interface that disappears stays on the
/// list until the socket leaves the group there. When the list is full, the socket cannot join on another interface.
struct GroupMemberships {
    private(set) var joined: Set<UInt32> = []

    /// Leaves the group on interfaces that are not wanted any more, and joins it on those that are new. `join` returns
    /// whether the socket is a member now. If it is not, the next call tries again.
    mutating func use(_ wanted: Set<UInt32>, join: (UInt32) -> Bool, leave: (UInt32) -> Void) {
        // Leaving comes first, because it makes room.
        for index in joined.subtracting(wanted).sorted() { leave(index) }
        joined.formIntersection(wanted)
        for index in wanted.subtracting(joined).sorted() where join(index) { joined.insert(index) }
    }
}
