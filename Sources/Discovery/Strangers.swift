import PotluckModel

/// How much is listened to of those who prove nothing: so much of each address, so that one that floods drowns no other.
struct Strangers: Sendable {
    private var allowances: [[UInt8]: (allowance: Allowance, heard: Instant)] = [:]
    private var others: Allowance
    private var all: Allowance
    private var tidied: Instant

    init(now: Instant) {
        others = Self.allowance(now)
        all = Allowance(
            most: Limits.allStrangersWords.most, perSecond: Limits.allStrangersWords.perSecond, now: now)
        tidied = now
    }

    private static func allowance(_ now: Instant) -> Allowance {
        Allowance(most: Limits.strangersWords.most, perSecond: Limits.strangersWords.perSecond, now: now)
    }

    mutating func mayBeHeard(at address: [UInt8], now: Instant) -> Bool { takes(address, now) && all.take(at: now) }

    private mutating func takes(_ address: [UInt8], _ now: Instant) -> Bool {
        if allowances[address] == nil {
            if allowances.count >= Limits.strangersAddresses { forgetSilent(now: now) }
            guard allowances.count < Limits.strangersAddresses else { return others.take(at: now) }
            allowances[address] = (Self.allowance(now), now)
        }
        allowances[address]?.heard = now
        return allowances[address]?.allowance.take(at: now) ?? false
    }

    /// Looks at all, and so not for each datagram of a flood.
    private mutating func forgetSilent(now: Instant) {
        guard now - tidied >= .seconds(1) else { return }
        tidied = now
        allowances = allowances.filter { now - $0.value.heard < Limits.strangersSilence }
    }
}
