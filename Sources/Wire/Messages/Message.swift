import PotluckModel

/// The versions of the protocol. docs/PROTOCOL.md describes each of them.
public enum ProtocolVersion {
    public static let current: UInt64 = 1
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
public enum Message: Hashable, Sendable {
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
    }

    /// Returns the kind of an encoded message, or nil if only a later version knows it.
    package static func kind(of octets: [UInt8]) -> Kind? {
        var reader = ByteReader(octets[...])
        return (try? reader.varint()).flatMap(Kind.init)
    }

    public func encoded() -> [UInt8] {
        switch self {
        case .hello(let hello): hello.encoded()
        case .welcome(let welcome): welcome.encoded()
        case .decline(let reason): Self.encoded(.decline, reason.rawValue)
        case .hold(let reason): Self.encoded(.hold, reason.rawValue)
        case .goodbye(let reason): Self.encoded(.goodbye, reason.rawValue)
        case .parcel(let parcel): parcel.encoded()
        case .received(let number): Self.encoded(.received, number)
        case .roster(let entries): RosterEntry.encoded(entries)
        case .role(let role): Self.encoded(.role, role.wireValue)
        case .job(let message): message.encoded()
        case .ranks(let frame): frame.encoded()
        }
    }

    /// Returns nil for a message that only a later version understands, by its kind
    /// or by its content. The receiver skips it.
    public static func decode(_ bytes: ArraySlice<UInt8>) throws(WireError) -> Message? {
        guard bytes.count <= maximumLength else { throw .tooLong(limit: maximumLength) }
        var reader = ByteReader(bytes)
        guard let kind = Kind(rawValue: try reader.varint()) else { return nil }
        var fields = FieldReader(reader)
        switch kind {
        case .hello: return .hello(try Hello(&fields))
        case .welcome: return .welcome(try Welcome(&fields))
        case .decline: return .decline(DeclineReason(rawValue: try number(&fields)))
        case .hold: return .hold(HoldReason(rawValue: try number(&fields)))
        case .goodbye: return .goodbye(GoodbyeReason(rawValue: try number(&fields)))
        case .data, .text: return .parcel(try Parcel(kind, &fields))
        case .received: return .received(try number(&fields))
        case .roster: return .roster(try RosterEntry.decode(&fields))
        case .role: return .role(try Role(wireValue: number(&fields)))
        case .order, .command, .withdraw, .taken, .refused, .list, .listed, .job, .ready, .unable, .cores, .lend, .drop,
            .interrupt, .improved, .bound, .results, .failure, .picture, .course, .result, .over, .unresolved,
            .forgotten, .fetch, .part, .lacking, .offer,
            .replica:
            return try JobMessage.decode(kind, &fields).map { .job($0) }
        case .ranks: return try RankFrame.decode(&fields).map { .ranks($0) }
        }
    }

    public static func decode(_ bytes: [UInt8]) throws(WireError) -> Message? { try decode(bytes[...]) }

    /// Encodes a message that is one number, under tag 1.
    private static func encoded(_ kind: Kind, _ number: UInt64) -> [UInt8] {
        var writer = FieldWriter(kind: kind.rawValue)
        writer.number(1, number)
        return writer.bytes
    }

    private static func number(_ fields: inout FieldReader) throws(WireError) -> UInt64 {
        var number: UInt64 = 0
        while let field = try fields.next() {
            if field.tag == 1 { number = try field.number() }
        }
        return number
    }
}
