import PotluckModel
import PotluckWire

/// When this node speaks by beacon: a burst when it is new somewhere, then once a second, and early when somebody should
/// hear from it. Pure, like the table.
struct BeaconSpeaker: Sendable {
    /// What this node says of itself; nil where it only listens.
    private(set) var announcement: Announcement?
    private var burst: [Instant] = []
    private var regular: Instant?
    private var early: Instant?
    /// Whoever proves nothing cannot use up what members get.
    private var answers: (members: Allowance, strangers: Allowance)
    private var generator: SeededGenerator

    init(generator: SeededGenerator, now: Instant) {
        self.generator = generator
        let allowance = Allowance(most: Limits.answerBurst, perSecond: Limits.answersPerSecond, now: now)
        answers = (allowance, allowance)
    }

    /// When it wants to speak next.
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

    /// The network is new to it, or it to the network: at the start, with a new interface, after a sleep.
    mutating func renew(now: Instant) { burst = Limits.burst.map { now + $0 } }

    /// Somebody needs to hear from it soon. Never by unicast: only one of several nodes on that machine would get it.
    mutating func answer(isMember: Bool, now: Instant) {
        guard announcement != nil, early == nil,
            isMember ? answers.members.take(at: now) : answers.strangers.take(at: now)
        else { return }
        early = now + generator.duration(from: Limits.answerDelay.from, to: Limits.answerDelay.to)
    }

    /// What to say now, if anything. Whoever only listens has a question where a node would say that it is new.
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
