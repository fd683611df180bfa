import PotluckModel

/// The versions of this protocol. docs/PROTOCOL.md describes each.
public enum ProtocolVersion {
    public static let current: UInt64 = 1
    /// What this program can speak. The lower end rises only where keeping up the old costs more than people gain by it.
    public static let supported: ClosedRange<UInt64> = 1...1

    /// The highest that both can speak.
    public static func agreed(_ a: ClosedRange<UInt64>, _ b: ClosedRange<UInt64>) -> UInt64? {
        let highest = min(a.upperBound, b.upperBound)
        return highest >= max(a.lowerBound, b.lowerBound) ? highest : nil
    }
}

/// What nodes say to each other over a link, one message a frame.
public enum Message: Hashable, Sendable {
    /// Who I am, with the proof. The first message on a link.
    case hello(Hello)
    /// You are in, as far as I am concerned.
    case welcome(Welcome)
    /// You are not in, or this link is not needed. The link closes.
    case decline(DeclineReason)
    /// Not yet: somebody is being asked.
    case hold(HoldReason)
    /// I leave, or you are to leave. The link closes.
    case goodbye(GoodbyeReason)
    /// What a program or a person sends.
    case parcel(Parcel)
    /// Your reliable parcels have arrived, up to and with this number.
    case received(UInt64)
    /// All who are in the session, from the one who knows them all.
    case roster([RosterEntry])
    /// What you may do from now on.
    case role(Role)
    /// About a job.
    case job(JobMessage)

    /// The most a message may have: the longest parcel and what is around it.
    public static let maximumLength = Parcel.maximumContent + 8 * 1024

    /// Append-only: a number is never used again for something else.
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
    }

    /// The kind of an encoded message; nil for one that a later version has.
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
        }
    }

    /// Nil for a message of a kind that a later version has, or about something that only a later version has: it is
    /// skipped.
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
        case .order, .command, .taken, .refused, .job, .ready, .unable, .cores, .lend, .drop, .interrupt, .results,
            .failure, .picture, .course, .result, .over, .fetch, .part, .lacking, .offer, .replica:
            return try JobMessage.decode(kind, &fields).map { .job($0) }
        }
    }

    public static func decode(_ bytes: [UInt8]) throws(WireError) -> Message? { try decode(bytes[...]) }

    /// A message of one number, under tag 1.
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
