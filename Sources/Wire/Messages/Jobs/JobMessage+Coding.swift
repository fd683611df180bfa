import PotluckModel

extension JobMessage {
    func encoded() -> [UInt8] {
        switch self {
        case .order(let order, let ticket, let token): order.encoded(ticket: ticket, token: token)
        case .command(let command, let id, let ticket, let token):
            Self.encoded(.command, id) {
                $0.number(2, command.onWire)
                if let ticket { $0.octets(3, ticket.octets) }
                $0.number(4, token)
            }
        case .withdraw(let ticket, let token): Self.encoded(ticket, token)
        case .taken(let id, let token): Self.encoded(.taken, id) { $0.number(2, token) }
        case .refused(let why, let token): Self.encoded(why, token)
        case .list(let token): Self.encoded(.list, nil) { $0.number(1, token) }
        case .listed(let token): Self.encoded(.listed, nil) { $0.number(1, token) }
        case .job(let id, let spec, let epoch, let known):
            Self.encoded(.job, id) { writer in
                spec.write(to: &writer)
                writer.blob(5, spec.module)
                writer.blob(6, spec.payload)
                writer.number(7, spec.collects ? 1 : 0)
                writer.number(8, epoch)
                writer.number(9, min(known, Self.mostBlocks))
            }
        case .ready(let id): Self.encoded(.ready, id)
        case .unable(let id, let why): Self.encoded(.unable, id) { $0.line(2, why, limit: Self.maximumLine) }
        case .cores(let cores):
            Self.encoded(.cores, nil) { $0.number(1, UInt64(min(max(cores, 0), Introduction.maximumCores))) }
        case .lend(let id, let chunks): Self.encoded(id, chunks)
        case .drop(let id, let attempts): Self.encoded(.drop, id) { $0.octets(2, Self.packed(attempts)) }
        case .interrupt(let id): Self.encoded(.interrupt, id)
        case .results(let id, let results): WorkResult.encoded(id, results, reserving: longest)
        case .improved(let id, let best): Self.encoded(.improved, id) { $0.octets(2, best.packed) }
        case .bound(let id, let best): Self.encoded(.bound, id) { $0.octets(2, best.packed) }
        case .failure(let id, let attempt, let block, let text):
            Self.encoded(.failure, id) {
                $0.number(2, attempt)
                $0.number(3, block)
                $0.line(4, text, limit: Self.maximumLine)
            }
        case .picture(let picture): picture.encoded()
        case .course(let id, let index, let point):
            Self.encoded(.course, id) {
                $0.number(2, UInt64(clamping: index))
                $0.record(3) { point.write(to: &$0) }
            }
        case .result(let id, let result): result.encoded(id)
        case .over(let id): Self.encoded(.over, id)
        case .unresolved(let jobs): Self.encoded(.unresolved, jobs)
        case .forgotten(let jobs): Self.encoded(.forgotten, jobs)
        case .offer(let id, let work): OfferedWork.encoded(id, work)
        case .replica(let id, let changes): JournalChange.encoded(id, changes)
        case .fetch(let module, let offset): Self.encoded(.fetch, module, offset)
        case .part(let module, let offset, let octets):
            Self.encoded(.part, module, offset) { $0.octets(3, octets) }
        case .lacking(let module, let why): Self.encoded(.lacking, module) { $0.line(2, why, limit: Self.maximumLine) }
        }
    }

    static func encoded(
        _ kind: Message.Kind, _ job: JobID?, _ write: (inout FieldWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = FieldWriter(kind: kind.rawValue)
        if let job { writer.id(1, job) }
        write(&writer)
        return writer.bytes
    }

    private static func encoded(_ ticket: JobTicket, _ token: UInt64) -> [UInt8] {
        encoded(.withdraw, nil) {
            $0.octets(1, ticket.octets)
            $0.number(2, token)
        }
    }

    private static func encoded(_ why: String, _ token: UInt64) -> [UInt8] {
        encoded(.refused, nil) {
            $0.line(1, why, limit: maximumLine)
            $0.number(2, token)
        }
    }

    private static func encoded(_ id: JobID, _ chunks: [LentChunk]) -> [UInt8] {
        encoded(.lend, id) {
            $0.octets(2, LentChunk.packed(chunks))
            $0.octets(3, LentChunk.bounds(chunks))
        }
    }

    private static func encoded(_ kind: Message.Kind, _ jobs: [JobID]) -> [UInt8] {
        encoded(kind, nil) { $0.slots(1, jobs.prefix(mostUnresolved).map(\.number)) }
    }

    /// Returns nil for a message about something that only a later version knows.
    static func decode(_ kind: Message.Kind, _ fields: inout FieldReader) throws(WireError) -> JobMessage? {
        switch kind {
        case .order: try order(&fields)
        case .command: try command(&fields)
        case .withdraw: try withdraw(&fields)
        case .taken: try taken(&fields)
        case .refused: try refused(&fields)
        case .list: .list(token: try token(&fields))
        case .listed: .listed(token: try token(&fields))
        case .job: try job(&fields)
        case .ready: .ready(try name(&fields))
        case .unable: try unable(&fields)
        case .cores: try cores(&fields)
        case .lend: try lend(&fields)
        case .drop: try drop(&fields)
        case .interrupt: .interrupt(try name(&fields))
        case .results: try results(&fields)
        case .improved: try solution(&fields, JobMessage.improved)
        case .bound: try solution(&fields, JobMessage.bound)
        case .failure: try failure(&fields)
        case .picture: try JobPicture.decode(&fields).map { .picture($0) }
        case .course: try course(&fields)
        case .result: try result(&fields)
        case .over: .over(try name(&fields))
        case .unresolved: .unresolved(try names(&fields))
        case .forgotten: .forgotten(try names(&fields))
        case .offer: try offer(&fields)
        case .replica: try replica(&fields)
        case .fetch: try fetch(&fields)
        case .part: try part(&fields)
        case .lacking: try lacking(&fields)
        case .hello, .welcome, .decline, .hold, .goodbye, .data, .text, .received, .roster, .role, .ranks: nil
        }
    }

    /// Decodes a message that contains only a job's ID.
    private static func name(_ fields: inout FieldReader) throws(WireError) -> JobID {
        var id: JobID?
        while let field = try fields.next() {
            if field.tag == 1 { id = try field.job() }
        }
        return try there(id)
    }

    /// Decodes a message that contains only the IDs of jobs.
    private static func names(_ fields: inout FieldReader) throws(WireError) -> [JobID] {
        var ids: [UInt64] = []
        while let field = try fields.next() {
            if field.tag == 1 { ids = try field.slots(limit: mostUnresolved) }
        }
        guard !ids.contains(0) else { throw .malformed("a job without a number") }
        return ids.map { JobID($0) }
    }

    /// Returns a required field. Throws if it is absent.
    static func there<Value>(_ value: Value?) throws(WireError) -> Value {
        guard let value else { throw .malformed("a message about a job without a required field") }
        return value
    }

    private static func command(_ fields: inout FieldReader) throws(WireError) -> JobMessage? {
        var id: JobID?, number: UInt64?, ticket: JobTicket?, token: UInt64 = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: number = try field.number()
            case 3: ticket = JobTicket(try field.bytes(exactly: JobTicket.length))
            case 4: token = try field.number()
            default: break
            }
        }
        let named = try there(id)
        return JobCommand(onWire: try there(number)).map { .command($0, named, ticket: ticket, token: token) }
    }

    private static func withdraw(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var ticket: JobTicket?, token: UInt64 = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: ticket = JobTicket(try field.bytes(exactly: JobTicket.length))
            case 2: token = try field.number()
            default: break
            }
        }
        return .withdraw(try there(ticket), token: token)
    }

    /// Decodes a message that contains only a token.
    private static func token(_ fields: inout FieldReader) throws(WireError) -> UInt64 {
        var token: UInt64 = 0
        while let field = try fields.next() {
            if field.tag == 1 { token = try field.number() }
        }
        return token
    }

    private static func taken(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, token: UInt64 = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: token = try field.number()
            default: break
            }
        }
        return .taken(try there(id), token: token)
    }

    private static func refused(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var why = "", token: UInt64 = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: why = try field.line(limit: maximumLine)
            case 2: token = try field.number()
            default: break
            }
        }
        return .refused(why, token: token)
    }

    private static func unable(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, why = ""
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: why = try field.line(limit: maximumLine)
            default: break
            }
        }
        return .unable(try there(id), why)
    }

    private static func cores(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var cores = 0
        while let field = try fields.next() {
            if field.tag == 1 { cores = Int(try field.number(atMost: UInt64(Introduction.maximumCores))) }
        }
        return .cores(cores)
    }
}

extension JobCommand {
    var onWire: UInt64 {
        switch self {
        case .pause: 1
        case .resume: 2
        case .cancel: 3
        case .reveal: 4
        case .hide: 5
        }
    }

    /// Returns nil for a command that only a later version knows.
    init?(onWire number: UInt64) {
        guard let command = Self.allCases.first(where: { $0.onWire == number }) else { return nil }
        self = command
    }
}
