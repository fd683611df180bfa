import PotluckCore

/// Decides when this node sends beacons: a burst when it is new on a network, then one a second, and an early one as an
/// answer. It is pure, like the table.
struct BeaconSpeaker: Sendable {
    /// The announcement of this node; nil if it only listens.
    private(set) var announcement: Announcement?
    private var burst: [Instant] = []
    private var regular: Instant?
    private var early: Instant?
    /// The allowances for answers. Strangers have their own, so that they cannot use up the one of members.
    private var answers: (members: Allowance, strangers: Allowance)
    private var generator: SeededGenerator

    init(generator: SeededGenerator, now: Instant) {
        self.generator = generator
        let allowance = Allowance((Limits.answerBurst, Limits.answersPerSecond), at: now)
        answers = (allowance, allowance)
    }

    /// When it wants to send next; nil if never.
    var due: Instant? {
        var due = burst.first
        for other in [regular, early] { if let other { due = min(due ?? other, other) } }
        return due
    }

    mutating func announce(_ announcement: Announcement?, now: Instant) {
        if announcement == nil {
            burst = []
            regular = nil
            early = nil
        } else if self.announcement == nil {
            renew(now: now)
        } else if announcement != self.announcement {
            early = now
        }
        self.announcement = announcement
    }

    /// Starts a burst. Called at the start, for a new interface, and after a sleep.
    mutating func renew(now: Instant) { burst = Limits.burst.map { now + $0 } }

    /// Schedules an early beacon as an answer. It is not sent by unicast, because only one of several nodes on the
    /// other machine would receive it.
    mutating func answer(isMember: Bool, now: Instant) {
        guard announcement != nil, early == nil,
            isMember ? answers.members.take(at: now) : answers.strangers.take(at: now)
        else { return }
        early = now + generator.duration(from: Limits.answerDelay.from, to: Limits.answerDelay.to)
    }

    /// Returns the kind of beacon to send now, or nil. A node that only listens sends a question where it would
    /// otherwise say that it is new.
    mutating func speak(now: Instant) -> BeaconPacket.Kind? {
        guard let due, due <= now else { return nil }
        early = nil
        let isNew = burst.first.map { $0 <= now } ?? false
        if isNew { burst.removeAll { $0 <= now } }
        guard announcement != nil else {
            regular = nil
            return isNew ? .question : nil
        }
        regular =
            now + Limits.beaconInterval
            + generator.duration(from: .zero - Limits.beaconJitter, to: Limits.beaconJitter)
        return isNew ? .new : .present
    }
}
