import PotluckCore

/// How often pages of each address join. A page that joins gets all pictures at once, which may be two megabytes, and a new
/// connection has a new allowance for its messages.
struct Entrances {
    private var allowances: [[UInt8]: Allowance] = [:]

    /// Returns whether a page of that address may join now.
    mutating func take(_ address: [UInt8], _ limits: GatewayLimits, at now: Instant) -> Bool {
        // A device with that many addresses has as many allowances anyway.
        if allowances.count >= GatewayLimits.entrances, allowances[address] == nil { allowances = [:] }
        return allowances[address, default: Allowance(limits.joins, at: now)].take(at: now)
    }
}
