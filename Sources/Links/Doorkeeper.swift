import PotluckModel

/// Who may try to come in: bounds the connections that have not shown the key, and slows addresses down that guess.
///
/// It goes by whole addresses. A guesser with many of them is not slowed down much by this, and does not get anywhere by it:
/// five words are 55 bits.
package struct Doorkeeper {
    private struct Visitor {
        var inside = 0
        var wrongCodes = 0
        /// When the last wrong code was given or forgiven.
        var lastWrong: Instant
        var notBefore: Instant
    }

    private var visitors: [[UInt8]: Visitor] = [:]
    private var inside = 0

    package init() {}

    /// Whether a connection from this address may show its key. Who is let in must `leave`, whatever comes of it.
    package mutating func admit(_ address: [UInt8], at now: Instant) -> Bool {
        guard inside < LinkLimits.strangers else { return false }
        var visitor = visitors[address] ?? Visitor(lastWrong: now, notBefore: .start)
        forgive(&visitor, at: now)
        let isSlowed = visitor.wrongCodes >= LinkLimits.wrongCodes
        guard visitor.inside < (isSlowed ? 1 : LinkLimits.strangersPerAddress), now >= visitor.notBefore else {
            return false
        }
        visitor.inside += 1
        inside += 1
        visitors[address] = visitor
        return true
    }

    /// The connection is a link now, or is gone.
    package mutating func leave(_ address: [UInt8], _ outcome: Outcome, at now: Instant) {
        guard var visitor = visitors[address], visitor.inside > 0 else { return }
        inside -= 1
        visitor.inside -= 1
        forgive(&visitor, at: now)
        switch outcome {
        case .knewTheCode: visitor.wrongCodes = 0
        case .nothing: break
        case .wrongCode:
            visitor.wrongCodes += 1
            visitor.lastWrong = now
            if visitor.wrongCodes >= LinkLimits.wrongCodes {
                let doublings = min(visitor.wrongCodes - LinkLimits.wrongCodes, 16)
                let pause = min(LinkLimits.slowdown.first * (1 << doublings), LinkLimits.slowdown.last)
                visitor.notBefore = now + pause
            }
        }
        visitors[address] = visitor.inside == 0 && visitor.wrongCodes == 0 ? nil : visitor
        if visitors.count > LinkLimits.addresses { forgetSome() }
    }

    package enum Outcome {
        case knewTheCode, wrongCode, nothing
    }

    private func forgive(_ visitor: inout Visitor, at now: Instant) {
        let minutes = Int((now - visitor.lastWrong).nanoseconds / LinkLimits.forgiveness.nanoseconds)
        guard minutes > 0 else { return }
        visitor.wrongCodes = max(0, visitor.wrongCodes - minutes)
        visitor.lastWrong = visitor.lastWrong + LinkLimits.forgiveness * minutes
    }

    /// Those that have been quiet longest; many at once, because finding them takes a look at all.
    private mutating func forgetSome() {
        let idle = visitors.filter { $0.value.inside == 0 }.sorted {
            $0.value.lastWrong == $1.value.lastWrong
                ? $0.key.lexicographicallyPrecedes($1.key) : $0.value.lastWrong < $1.value.lastWrong
        }
        for visitor in idle.prefix(LinkLimits.addresses / 8) { visitors[visitor.key] = nil }
    }

    /// Addresses remembered.
    package var remembered: Int { visitors.count }
}
