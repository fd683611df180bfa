import PotluckCore

/// Limits the unverified datagrams that are read. Each address has its own allowance, so that one that floods does not
/// silence the others.
struct Strangers: Sendable {
    private var allowances: [[UInt8]: (allowance: Allowance, heard: Instant)] = [:]
    private var others: Allowance
    private var all: Allowance
    private var tidied: Instant

    init(now: Instant) {
        others = Self.allowance(now)
        all = Allowance(Limits.allStrangersWords, at: now)
        tidied = now
    }

    private static func allowance(_ now: Instant) -> Allowance {
        Allowance(Limits.strangersWords, at: now)
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

    /// Forgets silent addresses. It checks all of them, so it runs at most once a second.
    private mutating func forgetSilent(now: Instant) {
        guard now - tidied >= .seconds(1) else { return }
        tidied = now
        allowances = allowances.filter { now - $0.value.heard < Limits.strangersSilence }
    }
}
