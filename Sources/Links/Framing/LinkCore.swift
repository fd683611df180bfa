import PotluckModel

/// A link without its socket: octets, messages and the time go in; octets, messages and a verdict come out. The same code
/// runs over TLS and over a virtual network.
package struct LinkCore {
    /// What a link's owner is told.
    package enum News: Equatable {
        case message([UInt8])
        case roundTrip(Duration)
        case farewell(Farewell)
    }

    private enum Question {
        case none
        /// The moment is also the token that comes back.
        case asked(at: Instant, until: Instant)
    }

    package enum Verdict: Equatable {
        case alive
        /// Nothing was heard for too long.
        case silent
    }

    package private(set) var outflow = Outflow()
    private var inflow: Inflow
    private var arrivals: [Arrival] = []
    private var heard: Instant
    private var question = Question.none
    /// Ends take turns in asking, so that both know the time of a round trip and one question does for both.
    private var asksNext: Bool
    package var isHeld = false

    /// One end of a link asks first: the one that dialled.
    package init(at now: Instant, asksFirst: Bool) {
        asksNext = asksFirst
        inflow = Inflow(at: now)
        heard = now
    }

    package mutating func send(_ message: [UInt8], lane: LinkLane, reliability: Reliability) -> Sending {
        outflow.send(message, lane: lane, reliability: reliability)
    }

    package mutating func end(_ farewell: Farewell) { outflow.end(farewell) }
    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int { outflow.fill(buffer) }
    package mutating func takeDrained() -> Bool { outflow.takeDrained() }

    package mutating func receive(_ octets: UnsafeRawBufferPointer, at now: Instant, into news: inout [News])
        throws(LinkFault)
    {
        heard = now
        // What came before a fault counts, however TCP cut it.
        var fault: LinkFault?
        do throws(LinkFault) { try inflow.take(octets, at: now, into: &arrivals) } catch { fault = error }
        defer { arrivals.removeAll(keepingCapacity: false) }
        for arrival in arrivals {
            switch arrival {
            case .message(let message): news.append(.message(message))
            case .credit(let credit): try outflow.receive(credit)
            case .ping(let token):
                outflow.answer(token)
                asksNext = true
            case .pong(let token):
                guard case .asked(let at, _) = question, at.nanoseconds == token else { continue }
                question = .none
                asksNext = false
                news.append(.roundTrip(now - at))
            case .farewell(let farewell): news.append(.farewell(farewell))
            }
        }
        if let fault { throw fault }
    }

    /// Gives credit back for what was received and dealt with.
    package mutating func settle() {
        guard !isHeld, let grant = inflow.grant() else { return }
        outflow.give(grant)
    }

    // MARK: Life

    /// When `judge` has something to say next.
    package var due: Instant {
        if case .asked(let at, let until) = question, heard < at { return until }
        return heard + (asksNext ? LinkLimits.pingAfter : LinkLimits.pingAfterOther)
    }

    /// Asks a peer that was silent, and gives up one that does not answer. `slow` says whether the peer's kernel still takes
    /// what lies before the question.
    package mutating func judge(at now: Instant, slow: () -> Bool) -> Verdict {
        let due = due
        guard now >= due else { return .alive }
        guard case .asked(let at, _) = question, heard < at, now - due <= LinkLimits.lateness else {
            question = .asked(at: now, until: now + LinkLimits.answerTime)
            outflow.ask(now.nanoseconds)
            return .alive
        }
        guard now - heard < LinkLimits.slowSilence, slow() else { return .silent }
        question = .asked(at: at, until: now + LinkLimits.slowCheck)
        return .alive
    }
}
