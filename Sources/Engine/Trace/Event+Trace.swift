import PotluckCore
import PotluckKit

extension Event {
    /// Decodes an event of a trace. The version that wrote a trace reads it, so the format need not be stable.
    init(traced octets: ArraySlice<UInt8>) throws(WireError) {
        guard let event = try Self.read(octets, isStrict: true) else { throw .malformed("an event of an unknown kind") }
        self = event
    }
}

extension Event: WireUnion {
    package static let cases = WireCases<Event>([
        .session(.woke), .wanted(.takeOver, token: 0), .wanted(.output(JobID(0), .blank), token: 0),
        .prepared(JobID(0), .impossible("")), .partRead(.blank, offset: 0, [], for: .nobody), .shelved(.blank, .right),
        .collected(AttemptID(job: JobID(0), number: 0), .right), .sealed(JobID(0), .trouble("")), .computed([]),
        .improved(JobID(0), Best()), .guessed(JobID(0), .blank), .read(.blank, []), .unreadable(JobID(0), ""),
        .cores(0), .found([]), .durable(0),
        .journal(trouble: nil), .roundTrip(.nobody, .zero), .woke,
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .session(var event):
            try v.kind(1)
            try v.union(1, &event)
            self = .session(event)
        case .wanted(.output(var id, var blob), var token):
            try v.kind(14)
            try v.job(1, &id)
            try v.record(2, &blob)
            try v.number(3, &token)
            self = .wanted(.output(id, blob), token: token)
        case .wanted(let request, let token):
            try v.kind(2)
            var message = Message.job(request.message(token))
            try v.message(1, &message)
            guard let wanted = Event(asking: message) else { return try v.check(false, "an unknown request") }
            self = wanted
        case .prepared(var id, var preparation):
            try v.kind(3)
            try v.job(1, &id)
            try v.union(2, &preparation)
            self = .prepared(id, preparation)
        case .computed(var outcomes):
            try v.kind(4)
            try v.list(1, &outcomes, atMost: .max)
            self = .computed(outcomes)
        case .improved(var id, var best):
            try v.kind(15)
            try v.job(1, &id)
            try v.best(2, &best)
            self = .improved(id, best)
        case .guessed(var id, var guess):
            try v.kind(16)
            try v.job(1, &id)
            try v.record(2, &guess)
            self = .guessed(id, guess)
        case .read(var request, var readings):
            try v.kind(5)
            try v.record(1, &request)
            try v.list(2, &readings, atMost: .max)
            self = .read(request, readings)
        case .unreadable(var id, var why):
            try v.kind(9)
            try v.job(1, &id)
            try v.text(2, &why, atMost: .max)
            self = .unreadable(id, why)
        case .cores(var cores):
            try v.kind(6)
            try v.number(1, &cores)
            self = .cores(cores)
        case .roundTrip(var node, var time):
            try v.kind(7)
            try v.id(1, &node)
            try v.duration(2, &time)
            self = .roundTrip(node, time)
        case .woke: try v.kind(8)
        case .partRead(var hash, var offset, var octets, var node):
            try v.kind(10)
            try v.id(1, &hash)
            try v.number(2, &offset)
            try v.octets(3, &octets, atMost: JobMessage.longestPart)
            try v.id(4, &node)
            self = .partRead(hash, offset: offset, octets, for: node)
        case .shelved(var hash, var shelved):
            try v.kind(11)
            try v.id(1, &hash)
            try v.union(2, &shelved)
            self = .shelved(hash, shelved)
        case .collected(var attempt, var collected):
            try v.kind(12)
            try v.job(1, &attempt.job)
            try v.number(2, &attempt.number)
            try v.union(3, &collected)
            self = .collected(attempt, collected)
        case .sealed(var id, var sealed):
            try v.kind(13)
            try v.job(1, &id)
            try v.union(2, &sealed)
            self = .sealed(id, sealed)
        case .found(let jobs):
            try v.kind(20)
            var messages = jobs.flatMap { JobMessage.replica($0.record.id, $0.changes).pieces.map { Message.job($0) } }
            try v.list(1, &messages, blank: .received(0), atMost: .max, each: .max) {
                (v: inout V, message: inout Message) throws(WireError) in
                try v.union(nil, &message, of: Message.cases)
            }
            var kept = KeptJobs()
            for case .job(.replica(_, let changes)) in messages { for change in changes { kept.apply(change) } }
            self = .found(kept.unfinished)
        case .durable(var number):
            try v.kind(21)
            try v.number(1, &number)
            self = .durable(number)
        case .journal(var trouble):
            try v.kind(22)
            try v.text(1, &trouble)
            self = .journal(trouble: trouble)
        }
    }
}

extension FieldVisitor {
    /// Visits a text or nil, which differ from each other even if the text is empty.
    mutating func text(_ tag: UInt64, _ text: inout String?) throws(WireError) {
        var texts = text.map { [$0] } ?? []
        try self.texts(tag, &texts, atMost: 1, each: .max)
        text = texts.first
    }
}

extension Preparation: WireUnion {
    package static let cases = WireCases<Preparation>([.ready(.blank), .impossible(""), .lacks(.blank)])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .ready(var facts):
            try v.kind(1)
            try v.record(3, &facts)
            self = .ready(facts)
        case .impossible(var why):
            try v.kind(2)
            try v.text(3, &why, atMost: .max)
            self = .impossible(why)
        case .lacks(var blob):
            try v.kind(3)
            try v.record(3, &blob)
            self = .lacks(blob)
        }
    }
}

extension Checked: WireUnion {
    package static let cases = WireCases<Checked>([.right, .wrong, .trouble("")])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .right: try v.kind(1)
        case .wrong: try v.kind(2)
        case .trouble(var why):
            try v.kind(3)
            try v.text(4, &why, atMost: .max)
            self = .trouble(why)
        }
    }
}

extension Sealed: WireUnion {
    package static let cases = WireCases<Sealed>([.whole(.blank), .trouble("")])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .whole(var blob):
            try v.kind(1)
            try v.record(4, &blob)
            self = .whole(blob)
        case .trouble(var why):
            try v.kind(3)
            try v.text(4, &why, atMost: .max)
            self = .trouble(why)
        }
    }
}

extension ChunkOutcome: WireRecord {
    package static let blank = ChunkOutcome.failed(
        ChunkFailure(attempt: AttemptID(job: JobID(0), number: 0), block: 0, text: ""))

    /// Visits the message in which a worker sends the outcome.
    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        let job = attempt.job
        var message: Message =
            switch self {
            case .done(let result):
                .job(.results(job, [WorkResult(result)]))
            case .failed(let failure):
                .job(.failure(job, attempt: failure.attempt.number, block: failure.block, text: failure.text))
            }
        try v.union(nil, &message, of: Message.cases)
        switch message {
        case .job(.results(let job, let results)) where results.count == 1:
            self = .done(ChunkResult(results[0], of: job))
        case .job(.failure(let job, let attempt, let block, let text)):
            self = .failed(ChunkFailure(attempt: AttemptID(job: job, number: attempt), block: block, text: text))
        default: try v.check(false, "an unknown outcome")
        }
    }
}

extension ReadRequest: WireRecord {
    package static let blank = ReadRequest(job: JobID(0), tally: [], trials: 0, purpose: .picture)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (job, tally, trials, edition, purpose) = (job, tally, trials, edition, purpose)
        try v.job(1, &job)
        try v.slots(2, &tally, atMost: JobMessage.mostSlots)
        try v.number(3, &trials)
        try v.number(4, &edition)
        try v.union(5, &purpose)
        self = ReadRequest(job: job, tally: tally, trials: trials, purpose: purpose, edition: edition)
    }
}

extension ReadRequest.Purpose: WireUnion {
    package static let cases = WireCases<ReadRequest.Purpose>([
        .picture, .checkpoint(0), .result(.trials), .question, .opening,
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .picture: try v.kind(1)
        case .question: try v.kind(4)
        case .opening: try v.kind(5)
        case .checkpoint(var index):
            try v.kind(2)
            try v.number(6, &index)
            self = .checkpoint(index)
        case .result(var completion):
            try v.kind(3)
            try v.one(6, &completion)
            self = .result(completion)
        }
    }
}

extension JobFacts: WireRecord {
    package static let blank = JobFacts(layout: TallyLayout([])!, blockSize: 1, title: JobTitle())

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var fields = layout.fields.map {
            TallyLayout.DeclaredField(name: $0.name, kind: $0.kind, bins: $0.parts, range: $0.range)
        }
        var (blockSize, writes, title) = (blockSize, writes, title)
        try v.list(1, &fields, atMost: .max)
        guard let layout = TallyLayout(fields) else { return try v.check(false, "an invalid tally") }
        try v.number(2, &blockSize)
        try v.flag(3, &writes)
        try v.record(4, &title)
        self = JobFacts(layout: layout, blockSize: blockSize, title: title, writes: writes)
    }
}

extension TallyLayout.DeclaredField: WireRecord {
    package static let blank = TallyLayout.DeclaredField(name: "", kind: .count)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.text(1, &name, atMost: .max)
        try v.one(2, &kind)
        try v.number(3, &bins, atMost: 1 << 20)
        try v.range(4, &range)
    }
}

extension FieldKind: WireNumbered {}
