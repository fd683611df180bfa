import PotluckKit

extension JobMessage {
    /// A message of each kind, with which a reader begins.
    static let blanks: [JobMessage] = [
        .order(.blank, ticket: .none, token: 0), .command(.pause, JobID(0), ticket: nil, token: 0),
        .withdraw(.none, token: 0), .taken(JobID(0), token: 0), .refused("", token: 0), .list(token: 0),
        .listed(token: 0), .job(JobID(0), .blank), .ready(JobID(0)),
        .unable(JobID(0), ""), .cores(0), .lend(JobID(0), []), .drop(JobID(0), attempts: []), .interrupt(JobID(0)),
        .results(JobID(0), []), .improved(JobID(0), Best()), .bound(JobID(0), Best()),
        .failure(JobID(0), attempt: 0, block: 0, text: ""), .picture(.blank), .course(JobID(0), index: 0, .blank),
        .result(JobID(0), .blank), .over(JobID(0)), .unresolved([]), .forgotten([]), .offer(JobID(0), []),
        .replica(JobID(0), []), .fetch(.blank, offset: 0), .part(.blank, offset: 0, octets: []), .lacking(.blank, ""),
        .guesses(JobID(0), []),
    ]

    mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .order(var order, var ticket, var token):
            try v.kind(.order)
            try order.visit(&v, ticket: &ticket, token: &token)
            self = .order(order, ticket: ticket, token: token)
        case .command(var command, var id, var ticket, var token):
            try v.kind(.command)
            try v.job(1, &id)
            try v.one(2, &command)
            try v.id(3, &ticket)
            try v.number(4, &token)
            self = .command(command, id, ticket: ticket, token: token)
        case .withdraw(var ticket, var token):
            try v.kind(.withdraw)
            try v.id(1, &ticket)
            try v.number(2, &token)
            self = .withdraw(ticket, token: token)
        case .taken(var id, var token):
            try v.kind(.taken)
            try v.job(1, &id)
            try v.number(2, &token)
            self = .taken(id, token: token)
        case .refused(var why, var token):
            try v.kind(.refused)
            try v.line(1, &why, atMost: Self.maximumLine)
            try v.number(2, &token)
            self = .refused(why, token: token)
        case .list(var token):
            try v.kind(.list)
            try v.number(1, &token)
            self = .list(token: token)
        case .listed(var token):
            try v.kind(.listed)
            try v.number(1, &token)
            self = .listed(token: token)
        case .job(var id, var spec, var epoch, var known):
            try v.kind(.job)
            try v.job(1, &id)
            try spec.visit(&v)
            try v.module(5, &spec.recipe.module)
            try v.payload(6, &spec.recipe.payload)
            try v.flag(7, &spec.recipe.collects)
            try v.number(8, &epoch, atMost: JobRecord.lastEpoch)
            known = min(known, Self.mostBlocks)
            try v.number(9, &known, atMost: Self.mostBlocks)
            self = .job(id, spec, epoch: epoch, known: known)
        case .ready(var id):
            try v.kind(.ready)
            try v.job(1, &id)
            self = .ready(id)
        case .unable(var id, var why):
            try v.kind(.unable)
            try v.job(1, &id)
            try v.line(2, &why, atMost: Self.maximumLine)
            self = .unable(id, why)
        case .cores(var cores):
            try v.kind(.cores)
            try v.clamped(1, &cores, atMost: Introduction.maximumCores)
            self = .cores(cores)
        case .lend(var id, var chunks):
            try v.kind(.lend)
            try v.job(1, &id)
            try v.chunks(2, &chunks)
            try v.bounds(3, of: &chunks)
            self = .lend(id, chunks)
        case .drop(var id, var attempts):
            try v.kind(.drop)
            try v.job(1, &id)
            try v.attempts(2, &attempts)
            self = .drop(id, attempts: attempts)
        case .interrupt(var id):
            try v.kind(.interrupt)
            try v.job(1, &id)
            self = .interrupt(id)
        case .results(var id, var results):
            try v.kind(.results)
            try v.job(1, &id)
            try v.list(2, &results, atMost: LentChunk.most)
            self = .results(id, results)
        case .improved(var id, var best):
            try v.kind(.improved)
            try v.job(1, &id)
            try v.best(2, &best)
            self = .improved(id, best)
        case .bound(var id, var best):
            try v.kind(.bound)
            try v.job(1, &id)
            try v.best(2, &best)
            self = .bound(id, best)
        case .failure(var id, var attempt, var block, var text):
            try v.kind(.failure)
            try v.job(1, &id)
            try v.number(2, &attempt)
            try v.number(3, &block, atMost: Self.mostBlocks - 1)
            try v.line(4, &text, atMost: Self.maximumLine)
            self = .failure(id, attempt: attempt, block: block, text: text)
        case .offer(var id, var work):
            try v.kind(.offer)
            try v.job(1, &id)
            try v.list(2, &work, atMost: Self.mostOffered)
            self = .offer(id, work)
        case .picture(var picture):
            try v.kind(.picture)
            try picture.visit(&v)
            self = .picture(picture)
        case .course(var id, var index, var point):
            try v.kind(.course)
            try v.job(1, &id)
            try v.number(2, &index, atMost: Self.mostCourse - 1)
            try v.record(3, &point)
            self = .course(id, index: index, point)
        case .result(var id, var result):
            try v.kind(.result)
            try v.job(1, &id)
            try result.visit(&v)
            self = .result(id, result)
        case .guesses(var id, var guesses):
            try v.kind(.guesses)
            try v.job(1, &id)
            try v.list(2, &guesses, atMost: Guesses.most)
            self = .guesses(id, guesses)
        case .over(var id):
            try v.kind(.over)
            try v.job(1, &id)
            self = .over(id)
        case .unresolved(var jobs):
            try v.kind(.unresolved)
            try v.jobs(1, &jobs)
            self = .unresolved(jobs)
        case .forgotten(var jobs):
            try v.kind(.forgotten)
            try v.jobs(1, &jobs)
            self = .forgotten(jobs)
        case .replica(var id, var changes):
            try v.kind(.replica)
            try v.job(1, &id)
            // Only a reader asks for the cases.
            lazy var cases = JournalChange.cases(of: id)
            try v.list(2, &changes, blank: .forgotten(id), atMost: Self.mostChanges, each: .max) {
                (v: inout V, change: inout JournalChange) throws(WireError) in try v.union(1, &change, of: cases)
            }
            self = .replica(id, changes)
        case .fetch(var blob, var offset):
            try v.kind(.fetch)
            try v.part(1, &blob, &offset)
            self = .fetch(blob, offset: offset)
        case .part(var blob, var offset, var octets):
            try v.kind(.part)
            try v.part(1, &blob, &offset)
            try v.octets(3, &octets, atMost: Self.longestPart)
            try v.check(!octets.isEmpty, "a message without a required field")
            self = .part(blob, offset: offset, octets: octets)
        case .lacking(var blob, var why):
            try v.kind(.lacking)
            try v.id(1, &blob)
            try v.line(2, &why, atMost: Self.maximumLine)
            self = .lacking(blob, why)
        }
    }

    /// The message without what does not fit: only pictures and results may be too long.
    var fitting: JobMessage {
        switch self {
        case .picture(let picture): .picture(picture.fitting)
        case .result(let id, let result): .result(id, result.fitting)
        default: self
        }
    }
}

extension FieldVisitor {
    mutating func kind(_ kind: Message.Kind) throws(WireError) { try self.kind(kind.rawValue) }

    /// Visits the IDs of jobs, of which the first are written.
    fileprivate mutating func jobs(_ tag: UInt64, _ jobs: inout [JobID]) throws(WireError) {
        var numbers = jobs.prefix(JobMessage.mostUnresolved).map(\.number)
        try slots(tag, &numbers, atMost: JobMessage.mostUnresolved)
        let read = numbers
        try check(!read.contains(0), "a job without a number")
        jobs = numbers.map { JobID($0) }
    }

    /// Visits the hash of a blob, and where a part of it begins.
    fileprivate mutating func part(_ tag: UInt64, _ blob: inout BlobHash, _ offset: inout Int) throws(WireError) {
        try id(tag, &blob)
        try number(tag + 1, &offset, atMost: BlobReference.largest - 1)
    }
}

extension JobCommand: WireListed {}
