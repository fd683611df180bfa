import PotluckModel

/// Who may try to come in: bounds the connections that have not shown the key, and slows addresses down that guess.
///
/// It goes by whole addresses. A guesser with many of them is not slowed down much by this, and does not get anywhere by it:
/// five words are 55 bits.
package struct Doorkeeper {
    private struct Guesser {
        var wrongCodes = 0
        /// When the last wrong code was given or forgiven.
        var lastWrong: Instant
        var notBefore = Instant.start
    }

    /// A connection that has not shown the key.
    private struct Visitor {
        let connection: UInt32
        let address: [UInt8]
        /// From then on it makes place for another where all places are taken.
        let keepsPlaceUntil: Instant
        var isServed = false
    }

    package enum Admission: Hashable {
        case refused
        /// The connection may show its key. Where all places were taken, `insteadOf` is the one to close: it has left.
        case admitted(insteadOf: UInt32?)
    }

    package enum Outcome {
        case knewTheCode, wrongCode, nothing
    }

    private var guessers: [[UInt8]: Guesser] = [:]
    /// In order of arrival. A linear search is fine: there are `LinkLimits.strangers` at most.
    private var visitors: [Visitor] = []
    /// When the last of them became a link.
    private var lastLink: Instant?

    package init() {}

    /// Asks for a place for a connection from this address. Whoever gets one must `leave`, whatever comes of it.
    package mutating func admit(_ connection: UInt32, from address: [UInt8], at now: Instant) -> Admission {
        if var guesser = guessers[address] {
            forgive(&guesser, at: now)
            guessers[address] = guesser.wrongCodes == 0 ? nil : guesser
        }
        let guesser = guessers[address]
        guard now >= guesser?.notBefore ?? .start else { return .refused }
        let isSlowed = (guesser?.wrongCodes ?? 0) >= LinkLimits.wrongCodes
        let most = isSlowed ? 1 : LinkLimits.strangersPerAddress
        let others = visitors.count { $0.address == address }
        var gone: UInt32?
        if others >= most || visitors.count >= LinkLimits.strangers {
            // An answered one goes first. Of its own address only such a one: whoever says nothing must not keep its places by
            // coming again and again.
            let index =
                visitors.firstIndex { $0.isServed && (others < most || $0.address == address) }
                ?? (others < most ? whoGoes(forOneOf: others, at: now) : nil)
            guard let index else { return .refused }
            gone = visitors.remove(at: index).connection
        }
        visitors.append(Visitor(connection: connection, address: address, keepsPlaceUntil: now + LinkLimits.firmPlace))
        return .admitted(insteadOf: gone)
    }

    /// The connection has its answer, and needs its place no longer than nobody else wants it.
    package mutating func serve(_ connection: UInt32) {
        guard let index = visitors.firstIndex(where: { $0.connection == connection }) else { return }
        visitors[index].isServed = true
    }

    /// The connection is a link now, or is closed.
    package mutating func leave(_ connection: UInt32, _ outcome: Outcome, at now: Instant) {
        guard let index = visitors.firstIndex(where: { $0.connection == connection }) else { return }
        let address = visitors.remove(at: index).address
        switch outcome {
        case .knewTheCode:
            guessers[address] = nil
            lastLink = now
        case .nothing: break
        case .wrongCode:
            var guesser = guessers[address] ?? Guesser(lastWrong: now)
            forgive(&guesser, at: now)
            guesser.wrongCodes += 1
            guesser.lastWrong = now
            if guesser.wrongCodes >= LinkLimits.wrongCodes {
                let doublings = min(guesser.wrongCodes - LinkLimits.wrongCodes, 16)
                let pause = min(LinkLimits.slowdown.first * (1 << doublings), LinkLimits.slowdown.last)
                guesser.notBefore = now + pause
            }
            guessers[address] = guesser
            if guessers.count > LinkLimits.addresses { forgetSome() }
        }
    }

    /// The one that had its place longest, of the address that has most: whoever comes from many addresses takes no place
    /// from somebody who comes from one. Nil where nobody has more than the newcomer's address, or all are too new. Nil, too, while
    /// those that are in become links: hundreds come back at once, and one that were closed in its handshake would only come again.
    private func whoGoes(forOneOf others: Int, at now: Instant) -> Int? {
        if let lastLink, now < lastLink + LinkLimits.firmPlace { return nil }
        let counts = visitors.reduce(into: [[UInt8]: Int]()) { $0[$1.address, default: 0] += 1 }
        var best: (index: Int, count: Int)?
        for (index, visitor) in visitors.enumerated() where visitor.keepsPlaceUntil <= now {
            let count = counts[visitor.address, default: 0]
            if count > best?.count ?? others { best = (index, count) }
        }
        return best?.index
    }

    private func forgive(_ guesser: inout Guesser, at now: Instant) {
        let minutes = Int((now - guesser.lastWrong).nanoseconds / LinkLimits.forgiveness.nanoseconds)
        guard minutes > 0 else { return }
        guesser.wrongCodes = max(0, guesser.wrongCodes - minutes)
        guesser.lastWrong = guesser.lastWrong + LinkLimits.forgiveness * minutes
    }

    /// Those that have been quiet longest; many at once, because finding them takes a look at all.
    private mutating func forgetSome() {
        let quiet = guessers.sorted {
            $0.value.lastWrong == $1.value.lastWrong
                ? $0.key.lexicographicallyPrecedes($1.key) : $0.value.lastWrong < $1.value.lastWrong
        }
        for guesser in quiet.prefix(LinkLimits.addresses / 8) { guessers[guesser.key] = nil }
    }

    /// Addresses remembered.
    package var remembered: Int { guessers.count }
}
