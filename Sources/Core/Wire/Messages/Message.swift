/// The versions of the protocol. docs/PROTOCOL.md describes each of them.
public enum ProtocolVersion {
    static let current: UInt64 = 1
    /// The versions that this program supports. Raise the lower bound only if
    /// supporting an old version costs more than it helps.
    public static let supported: ClosedRange<UInt64> = 1...1

    /// Returns the highest version in both ranges, or nil if there is none.
    public static func agreed(_ a: ClosedRange<UInt64>, _ b: ClosedRange<UInt64>) -> UInt64? {
        let highest = min(a.upperBound, b.upperBound)
        return highest >= max(a.lowerBound, b.lowerBound) ? highest : nil
    }
}

/// A message between two nodes. Each is sent as one message of a link.
public enum Message: Hashable, Sendable, WireUnion {
    /// The sender's introduction, with a proof of its identity. The first message on a link.
    case hello(Hello)
    /// The sender accepts the receiver.
    case welcome(Welcome)
    /// The sender refuses the receiver, or does not need this link. The link closes.
    case decline(DeclineReason)
    /// The sender cannot answer yet: a user is being asked.
    case hold(HoldReason)
    /// The sender leaves, or asks the receiver to leave. The link closes.
    case goodbye(GoodbyeReason)
    /// Data from a program or text from a user.
    case parcel(Parcel)
    /// All reliable parcels up to this number have arrived.
    case received(UInt64)
    /// All nodes in the session, from the server to its clients.
    case roster([RosterEntry])
    /// What the receiver may do from now on.
    case role(Role)
    /// A message about a job.
    case job(JobMessage)
    /// A message about a program with ranks.
    case ranks(RankFrame)

    /// The most bytes of an encoded message: the longest parcel and its overhead.
    public static let maximumLength = Parcel.maximumContent + 8 * 1024

    /// The kinds of messages. Append-only: never reuse a number.
    package enum Kind: UInt64, CaseIterable, Sendable {
        case hello = 1
        case welcome = 2
        case decline = 3
        case hold = 4
        case goodbye = 5
        case data = 6
        case text = 7
        case received = 8
        case roster = 9
        case role = 10
        case order = 11
        case command = 12
        case taken = 13
        case refused = 14
        case job = 15
        case ready = 16
        case unable = 17
        case cores = 18
        case lend = 19
        case drop = 20
        case interrupt = 21
        case results = 22
        case failure = 23
        case picture = 24
        case course = 25
        case result = 26
        case over = 27
        case fetch = 28
        case part = 29
        case lacking = 30
        case offer = 35
        case replica = 36
        case improved = 37
        case bound = 38
        case ranks = 39
        case unresolved = 40
        case forgotten = 41
        case withdraw = 42
        case list = 43
        case listed = 44
        case guesses = 45
    }

    /// Returns the kind of an encoded message, or nil if only a later version knows it.
    package static func kind(of octets: [UInt8]) -> Kind? {
        var reader = ByteReader(octets[...])
        return (try? reader.varint()).flatMap(Kind.init)
    }

    /// A message of each kind, with which a reader begins.
    package static let cases = WireCases<Message>(
        [
            .hello(.blank), .welcome(.blank), .decline(DeclineReason(rawValue: 0)), .hold(HoldReason(rawValue: 0)),
            .goodbye(GoodbyeReason(rawValue: 0)), .parcel(Parcel(.data([]))), .parcel(Parcel(.text(""))), .received(0),
            .roster([]), .role(.watches), .ranks(.blank),
        ] + JobMessage.blanks.map { .job($0) })

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .hello(var hello):
            try v.kind(.hello)
            try hello.visit(&v)
            self = .hello(hello)
        case .welcome(var welcome):
            try v.kind(.welcome)
            try welcome.visit(&v)
            self = .welcome(welcome)
        case .decline(var reason):
            try v.kind(.decline)
            try v.number(1, &reason.rawValue)
            self = .decline(reason)
        case .hold(var reason):
            try v.kind(.hold)
            try v.number(1, &reason.rawValue)
            self = .hold(reason)
        case .goodbye(var reason):
            try v.kind(.goodbye)
            try v.number(1, &reason.rawValue)
            self = .goodbye(reason)
        case .parcel(var parcel):
            try parcel.visit(&v)
            self = .parcel(parcel)
        case .received(var number):
            try v.kind(.received)
            try v.number(1, &number)
            self = .received(number)
        case .roster(var entries):
            try v.kind(.roster)
            try v.list(1, &entries, atMost: Parcel.maximumRecipients, each: RosterEntry.maximumLength)
            self = .roster(entries)
        case .role(var role):
            try v.kind(.role)
            try v.role(1, &role)
            self = .role(role)
        case .job(var message):
            try message.visitCase(&v)
            self = .job(message)
        case .ranks(var frame):
            try v.kind(.ranks)
            try frame.visit(&v)
            self = .ranks(frame)
        }
    }

    public func encoded() -> [UInt8] {
        if case .job(let job) = self { Message.job(job.fitting).encodedCase() } else { encodedCase() }
    }

    /// Returns nil for a message that only a later version understands, by its kind
    /// or by its content. The receiver skips it.
    public static func decode(_ bytes: ArraySlice<UInt8>) throws(WireError) -> Message? {
        guard bytes.count <= maximumLength else { throw .tooLong(limit: maximumLength) }
        return try read(bytes)
    }

    public static func decode(_ bytes: [UInt8]) throws(WireError) -> Message? { try decode(bytes[...]) }
}

extension FieldVisitor {
    /// Visits a whole message, with its kind.
    package mutating func message(_ tag: UInt64, _ message: inout Message) throws(WireError) {
        try record(tag, &message) { (v: inout Self, message: inout Message) throws(WireError) in
            try v.union(nil, &message, of: Message.cases)
        }
    }
}
