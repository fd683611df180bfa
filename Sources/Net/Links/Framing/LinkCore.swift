import PotluckCore

/// A link without its socket. It takes bytes, messages and the time, and produces bytes, messages and a verdict on the
/// peer. The same code runs over TLS and over a virtual network.
package struct LinkCore {
    /// An event for the owner of a link.
    package enum News: Equatable {
        case message([UInt8])
        case roundTrip(Duration)
        case farewell(Farewell)
    }

    private enum Question {
        case none
        /// The moment is also the token that the pong returns.
        case asked(at: Instant, until: Instant)
    }

    package enum Pulse: Equatable {
        case alive
        /// Nothing arrived for too long.
        case silent
    }

    package private(set) var outflow = Outflow()
    private var inflow: Inflow
    private var arrivals: [Arrival] = []
    private var heard: Instant
    private var question = Question.none
    /// The two ends take turns to send pings, so that both measure the round trip and one ping serves both.
    private var asksNext: Bool
    package var isHeld = false

    /// Creates one end of a link. The end that dialled sends the first ping.
    package init(at now: Instant, asksFirst: Bool) {
        asksNext = asksFirst
        inflow = Inflow(at: now)
        heard = now
    }

    package mutating func send(_ message: [UInt8], lane: LinkLane, reliability: Reliability) -> Sending {
        outflow.send(message, lane: lane, reliability: reliability)
    }

    package mutating func pass(_ message: [UInt8], from origin: LinkID, lane: LinkLane) -> LinkID? {
        outflow.pass(message, from: origin, lane: lane)
    }

    package mutating func end(_ farewell: Farewell) { outflow.end(farewell) }
    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int { outflow.fill(buffer) }
    package mutating func takeDrained() -> Bool { outflow.takeDrained() }

    package mutating func receive(_ octets: UnsafeRawBufferPointer, at now: Instant, into news: inout [News])
        throws(LinkError)
    {
        heard = now
        // Messages before a fault count, however TCP split the bytes.
        var fault: LinkError?
        do throws(LinkError) { try inflow.receive(octets, at: now, into: &arrivals) } catch { fault = error }
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

    /// Returns credit for the bytes that were received and processed.
    package mutating func returnCredit() {
        guard !isHeld, let grant = inflow.grant() else { return }
        outflow.give(grant)
    }

    // MARK: Heartbeats

    /// When `judge` must be called next.
    package var due: Instant {
        if case .asked(let at, let until) = question, heard < at { return until }
        return heard + (asksNext ? LinkLimits.pingAfter : LinkLimits.pingAfterOther)
    }

    /// Sends a ping to a peer that was silent, and reports one that did not answer. `slow` returns whether the peer's
    /// kernel still acknowledges data that was sent before the ping.
    package mutating func judge(at now: Instant, slow: () -> Bool) -> Pulse {
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
