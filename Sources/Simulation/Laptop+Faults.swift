import PotluckCore
import PotluckEngine

extension Laptop {
    /// The fault of a laptop for a time. The laptop's character says what is wrong as long as it lasts.
    struct Faults {
        /// Whether it accepts no connections.
        var isFirewalled = false
        private(set) var isAsleep = false
        /// The events that came while it slept.
        private var missed: [Event] = []
        /// The number of effects after which it crashes; nil if no crash is planned.
        private var effectsUntilCrash: Int?
        /// The number of faults in effect, and the time since when there are none.
        private var count = 0
        private var steadySince: Instant

        init(since now: Instant) { steadySince = now }

        mutating func begin() { count += 1 }

        mutating func end(at now: Instant) {
            count -= 1
            steadySince = now
        }

        /// The node has stopped.
        mutating func stop(at now: Instant) {
            isAsleep = false
            steadySince = now
        }

        /// Everything around the laptop has been repaired, so the laws begin to wait for progress.
        mutating func beginCalm(at now: Instant) { steadySince = now }

        /// Returns the faults that a restart does not end.
        func lasting(at now: Instant) -> Faults {
            var lasting = Faults(since: now)
            lasting.isFirewalled = isFirewalled
            lasting.count = count
            return lasting
        }

        func haveBeenNone(since time: Instant) -> Bool { count == 0 && steadySince <= time }

        func haveBeenNone(forMoreThan time: Duration, at now: Instant) -> Bool {
            count == 0 && now - steadySince > time
        }

        // MARK: Sleep

        mutating func fallAsleep() { isAsleep = true }

        mutating func miss(_ event: Event) { missed.append(event) }

        /// Returns the events that came while it slept.
        mutating func wakeUp() -> [Event] {
            defer { missed = [] }
            isAsleep = false
            return missed
        }

        // MARK: A planned crash

        mutating func planCrash(afterEffects count: Int) { effectsUntilCrash = count }

        mutating func cancelCrash() { effectsUntilCrash = nil }

        /// Drops the effects after a planned crash, which never happen. Returns whether the crash comes after the last
        /// one.
        mutating func cut(_ effects: inout [Effect]) -> Bool {
            guard let left = effectsUntilCrash else { return false }
            guard effects.count >= left else {
                effectsUntilCrash = left - effects.count
                return false
            }
            effects = Array(effects.prefix(left))
            return true
        }
    }
}
