import PotluckCore

/// Decides which connections may attempt a handshake. It limits the connections that have not
/// shown the key, and slows down addresses that guess codes.
///
/// It counts by whole addresses. An attacker with many addresses is hardly slowed
/// down, but gains nothing: five words are 55 bits.
///
/// Where browsers are served, a whole room may share the address of a router with a guesser. Nobody can guess a code in
/// clear text, so only handshakes of such an address are slowed down there.
package struct Doorkeeper {
    private struct Guesser {
        var wrongCodes = 0
        /// When the last wrong code was given or forgotten.
        var lastWrong: Instant
        /// No handshake of the address is permitted until then.
        var notBefore = Instant.start
    }

    /// A connection that has not shown the key.
    private struct Visitor {
        let connection: UInt32
        let address: [UInt8]
        /// After this, it gives up its place to another connection if all places are taken.
        let keepsPlaceUntil: Instant
        /// Whether it has been answered over HTTP and only waits to close.
        var isServed = false
        /// Whether it attempts a handshake. Set only where browsers are served.
        var attemptsHandshake = false
    }

    package enum Admission: Hashable {
        case refused
        /// The connection may attempt a handshake. If all places were taken, `insteadOf` is the
        /// connection to close, which has already lost its place.
        case admitted(insteadOf: UInt32?)
    }

    package enum Outcome {
        case knewTheCode, wrongCode, nothing
    }

    /// How many connections without the key may be here: in all, and of one address.
    package struct Places: Sendable {
        let all: Int
        let ofAddress: Int
        /// Whether connections in clear text have these places, too.
        let includesTexts: Bool

        package static let usual = Places(
            all: LinkLimits.strangers, ofAddress: LinkLimits.strangersPerAddress, includesTexts: false)
        package static let withTexts = Places(
            all: LinkLimits.strangersWithTexts, ofAddress: LinkLimits.strangersPerAddressWithTexts, includesTexts: true)
    }

    private let places: Places
    private var guessers: [[UInt8]: Guesser] = [:]
    /// In order of arrival. A linear search is fast enough: there are at most `places.all`.
    private var visitors: [Visitor] = []
    /// When the last of them became a link.
    private var lastLink: Instant?

    package init(_ places: Places = .usual) { self.places = places }

    /// Asks for a place for a connection. A connection that was admitted must `leave` in the end.
    package mutating func admit(_ connection: UInt32, from address: [UInt8], at now: Instant) -> Admission {
        // Where texts are served, it may be a browser. If it is not, `mayAttemptHandshake` refuses it.
        let most = places.includesTexts ? places.ofAddress : mostHandshakes(of: address, at: now)
        guard most > 0 else { return .refused }
        let others = visitors.count { $0.address == address }
        var gone: UInt32?
        if others >= most || visitors.count >= places.all {
            // A served connection goes first. Among connections of the same address only a served one is replaced: a
            // client that sends nothing must not keep its places by connecting again and again.
            let index =
                visitors.firstIndex { $0.isServed && (others < most || $0.address == address) }
                ?? (others < most ? visitorToReplace(forOneOf: others, at: now) : nil)
            guard let index else { return .refused }
            gone = visitors.remove(at: index).connection
        }
        visitors.append(Visitor(connection: connection, address: address, keepsPlaceUntil: now + LinkLimits.firmPlace))
        return .admitted(insteadOf: gone)
    }

    /// Asks whether a connection that has a place may attempt a handshake. Call it once, when its first octet has shown
    /// that it wants to.
    package mutating func mayAttemptHandshake(_ connection: UInt32, at now: Instant) -> Bool {
        guard let index = visitors.firstIndex(where: { $0.connection == connection }) else { return false }
        // Elsewhere `admit` has already decided it.
        guard places.includesTexts else { return true }
        let address = visitors[index].address
        let others = visitors.count { $0.address == address && $0.attemptsHandshake }
        guard others < mostHandshakes(of: address, at: now) else { return false }
        visitors[index].attemptsHandshake = true
        return true
    }

    /// Returns how many connections of an address may attempt a handshake at once: one if codes were guessed there, and
    /// none during the pause after a wrong one.
    private mutating func mostHandshakes(of address: [UInt8], at now: Instant) -> Int {
        guard var guesser = guessers[address] else { return places.ofAddress }
        forgive(&guesser, at: now)
        guessers[address] = guesser.wrongCodes == 0 ? nil : guesser
        guard guesser.wrongCodes >= LinkLimits.wrongCodes else { return places.ofAddress }
        return now < guesser.notBefore ? 0 : 1
    }

    /// Marks a connection as answered, or as one that asks again. An answered one keeps its place only until another
    /// connection needs it.
    package mutating func serve(_ connection: UInt32, _ isServed: Bool = true) {
        guard let index = visitors.firstIndex(where: { $0.connection == connection }) else { return }
        visitors[index].isServed = isServed
    }

    /// Gives the place back: the connection became a link or was closed.
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

    /// Returns the index of the visitor to replace: the oldest one of the address with the most visitors, so that many
    /// connections from one address do not displace one from another. Returns nil if no address has more visitors than
    /// the newcomer's, or if all of those are too new. Also returns nil while visitors become links: when hundreds
    /// reconnect at once, a connection that is closed during its handshake would only be dialled again.
    private func visitorToReplace(forOneOf others: Int, at now: Instant) -> Int? {
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

    /// Removes the addresses with the oldest wrong codes. It removes many at once, because it has to sort them all.
    private mutating func forgetSome() {
        let quiet = guessers.sorted {
            $0.value.lastWrong == $1.value.lastWrong
                ? $0.key.lexicographicallyPrecedes($1.key) : $0.value.lastWrong < $1.value.lastWrong
        }
        for guesser in quiet.prefix(LinkLimits.addresses / 8) { guessers[guesser.key] = nil }
    }

    /// The number of addresses remembered.
    package var remembered: Int { guessers.count }
}
