import PotluckCore

/// A client's choice among sessions of one name.
struct SessionChoice: Sendable {
    /// The session that the client belongs to.
    var chosen: Member.Belonging?
    /// The node that the user picked, until it has said which session it belongs to.
    var picked: NodeID?
    /// The nodes that the user was last asked to choose from.
    var offered: [NodeID] = []
}

/// Warnings that the user gets only once.
struct ToldUser: Sendable {
    /// Whether the user was told that an open session has this session's name.
    var ofOpen = false
    /// Whether the user was told that a node of this session's name has another code.
    var ofOtherCode = false
}

/// The names that the user sees, which are distinct.
struct MemberNames: Sendable {
    var shown: [NodeID: String] = [:]
    /// Whether a node came, left or was renamed since the names were made.
    var areStale = true
}

/// Numbers that are used once.
struct SessionNumbers: Sendable {
    private var dials: UInt64 = 0
    private var rows: UInt64 = 0

    mutating func newDial() -> UInt64 {
        dials += 1
        return dials
    }

    mutating func newRow() -> UInt64 {
        rows += 1
        return rows
    }
}

/// The wake-up of a session, and whether anything may be due before it.
struct WakeUp: Sendable {
    /// The time of the last event.
    private var last: Instant
    /// The wake-up that was last asked for; nil once it has passed.
    private var time: Instant?
    /// False if an event can have made something due before `time`.
    var isSettled = false

    init(now: Instant) { last = now }

    /// Called at each event. Returns whether this laptop slept before it.
    mutating func begin(_ now: Instant) -> Bool {
        defer { last = now }
        if let time, time <= now { (self.time, isSettled) = (nil, false) }
        return now - last > SessionLimits.sleep
    }

    /// Sets the next wake-up. Returns it if the shell must be asked for it; nil if that was done before.
    mutating func next(_ due: Instant?) -> Instant? {
        defer { time = due }
        return due == time ? nil : due
    }
}
