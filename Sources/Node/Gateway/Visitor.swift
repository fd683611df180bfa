import PotluckCore
import PotluckNet

/// A connection of a browser.
final class Visitor {
    enum Phase {
        /// It sends requests over HTTP; these are the bytes of the next one so far.
        case requests([UInt8])
        /// Its WebSocket is open, and its first message is missing.
        case greeting
        /// It has named a ticket. Its first message with a MAC will show that it has the ticket.
        case challenged(PageRight, key: [UInt8], incoming: Conversation, outgoing: Conversation)
        case viewing(Viewer)
    }

    let id: TextID
    let remote: Endpoint
    let local: Endpoint
    var phase = Phase.requests([])
    var reader = FrameReader()
    /// When something last came.
    var heard: Instant
    /// When the present phase must be over; not used while viewing.
    var deadline: Instant
    /// Whether the system does not take more for now.
    var isBlocked = false
    var allowance: Allowance
    var requests: Allowance
    var results: Allowance
    var deeds: Allowance

    init(_ id: TextID, from remote: Endpoint, at local: Endpoint, now: Instant, _ limits: GatewayLimits) {
        (self.id, self.remote, self.local) = (id, remote, local)
        heard = now
        deadline = now + limits.request
        allowance = Allowance(limits.messages, at: now)
        requests = Allowance(limits.requests, at: now)
        results = Allowance(limits.results, at: now)
        deeds = Allowance(limits.deeds, at: now)
    }

    /// The right that it claims or has; nil before it names a ticket.
    var right: PageRight? {
        switch phase {
        case .requests, .greeting: nil
        case .challenged(let right, _, _, _): right
        case .viewing(let viewer): viewer.right
        }
    }

    var viewer: Viewer? { if case .viewing(let viewer) = phase { viewer } else { nil } }
}

/// A page that has joined.
final class Viewer {
    /// The part of a job that the page has seen: the version of its picture, and the numbers of guesses and of points of its
    /// chart.
    struct Seen {
        var version: UInt64 = 0
        var points = 0
        var guesses = 0
    }

    let page: PageID
    let client: [UInt8]
    let right: PageRight
    var incoming: Conversation
    var outgoing: Conversation
    var name: String
    var nextPing: Instant
    /// Whether it knows that the host takes what guests write.
    var mayWrite = false
    /// Whether its cores belong to a node of the session, which has the page's name.
    var isLending = false
    /// The versions that the page has of the pictures that all pages see.
    var members: UInt64 = 0
    var news: UInt64 = 0
    var programs: UInt64 = 0
    /// The same of what only the host's page sees, and the number of simulations.
    var newcomers: UInt64 = 0
    var proposals: UInt64 = 0
    var simulations = 0
    var jobs: [JobID: Seen] = [:]
    /// The finished runs that it asked for and that were not sent yet; nil if it did not ask.
    var results: ArraySlice<[UInt8]>?
    /// The messages about work that were not sent yet.
    var work: [[UInt8]] = []

    init(
        _ page: PageID, client: [UInt8], _ right: PageRight, _ incoming: Conversation, _ outgoing: Conversation,
        name: String, now: Instant
    ) {
        (self.page, self.client, self.right, self.incoming, self.outgoing) = (page, client, right, incoming, outgoing)
        (self.name, nextPing) = (name, now)
    }
}
