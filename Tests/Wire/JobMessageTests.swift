import PotluckChecks
import PotluckKit
import Testing

@testable import PotluckCore

@Suite struct JobMessageTests {
    @Test(arguments: 0..<8) func anEncodedMessageDecodes(seed: UInt64) throws {
        var any = AnyJobMessage(seed: seed)
        for _ in 0..<400 {
            let message = any.next()
            let bytes = message.encoded()
            let read = try Message.decode(bytes)
            #expect(read == .job(message))
            #expect(read?.encoded() == bytes)
            #expect(bytes.count == message.length)
            #expect(message.prefersBulk || bytes.count <= JobMessage.longestControl)
        }
    }

    @Test func everyStateAndEveryKindOfWorkIsRead() throws {
        var picture = JobSamples.picture
        for state in JobSamples.states {
            picture.state = state
            #expect(try Message.decode(JobMessage.picture(picture).encoded()) == .job(.picture(picture)))
        }
        picture.nodes = JobSamples.works.map {
            NodeRow(node: Samples.node(1), name: "a", cores: 1, trials: 0, rate: nil, work: $0)
        }
        #expect(try Message.decode(JobMessage.picture(picture).encoded()) == .job(.picture(picture)))
    }

    /// Texts that are not fit for a screen are cleaned before they are sent, and
    /// numbers out of range are limited to the range.
    @Test func sentMessagesAreMadeReadable() throws {
        func sent(_ message: JobMessage) throws -> JobMessage? {
            guard case .job(let read)? = try Message.decode(message.encoded()) else { return nil }
            return read
        }
        #expect(try sent(.refused("no\nway\u{1b}", token: 0)) == .refused("no way ", token: 0))
        let long = String(repeating: "ü", count: 500)
        #expect(try sent(.unable(JobSamples.id, long)) == .unable(JobSamples.id, String(long.prefix(200))))
        #expect(try sent(.cores(-1)) == .cores(0))
        let work = WorkResult(attempt: 1, end: 1, tally: [], busy: .seconds(-1))
        let none = WorkResult(attempt: 1, end: 1, tally: [], busy: .zero)
        #expect(try sent(.results(JobSamples.id, [work])) == .results(JobSamples.id, [none]))
        let odd = Reading(name: "a", kind: .derived, value: .nan, exact: .infinity)
        let plain = Reading(name: "a", kind: .derived, value: nil, exact: .infinity)
        var picture = JobSamples.picture
        (picture.readings, picture.rate) = ([odd], .nan)
        picture.elapsed = .seconds(Int64.max)
        var read = picture
        (read.readings, read.rate) = ([plain], nil)
        read.elapsed = .seconds(10 * 365 * 86_400)
        #expect(try sent(.picture(picture)) == .picture(read))
    }

    /// The longest messages are accepted by the receiver, in their lane.
    @Test func theGreatestMessagesFit() throws {
        let label = String(repeating: "w", count: 500)
        let readings = (0..<JobMessage.mostReadings).map { _ in
            Reading(
                name: label, kind: .histogram, value: 1, interval: 0...1, exact: 1,
                bins: [UInt64](repeating: .max, count: JobMessage.mostBins + 2), range: 0...1)
        }
        let rows = (0..<JobMessage.mostRows).map { _ in
            NodeRow(
                node: Samples.node(0), name: label, cores: 4096, trials: .max, rate: 1, work: .unable(label),
                roundTrip: .seconds(1), since: .seconds(1 << 20))
        }
        #expect(JobTitle.longestValue == JobMessage.maximumLabel)
        let parameters = (0..<JobMessage.mostParameters).map { _ in
            JobTitle.Parameter(label: label, value: label, isStandard: true)
        }
        let counts = (0..<JobMessage.mostCounts).map { _ in
            JobTitle.Count(name: label, slot: JobMessage.mostSlots - 1)
        }
        let experiment = Experiment(
            simulation: JobSamples.experiment.simulation, parameters: [UInt64](repeating: .max, count: 64), seed: .max,
            blockSize: 16)
        let spec = JobSpec(
            JobRecipe(experiment: experiment, goal: Goal(trials: 1), module: JobSamples.module),
            title: JobTitle(summary: label, parameters: parameters, counts: counts))
        let point = CoursePoint(trials: .max, readings: readings)
        let result = JobResult(
            spec: spec, trials: .max, tally: [UInt64](repeating: .max, count: JobMessage.mostSlots),
            readings: readings, course: [CoursePoint](repeating: point, count: JobMessage.mostCourse),
            completion: .trials, elapsed: .seconds(1), nodes: rows)
        var picture = JobSamples.picture
        picture.counts = [UInt64](repeating: .max, count: JobMessage.mostCounts)
        (picture.readings, picture.nodes) = (readings, rows)
        var order = JobOrder(
            JobRecipe(
                experiment: experiment, goal: Goal(), module: JobSamples.module, payload: JobSamples.module,
                collects: true))
        order.nodes = [String](repeating: label, count: JobOrder.mostWorkers)
        let part = [UInt8](repeating: 0xff, count: JobMessage.longestPart)
        let messages: [JobMessage] = [
            .job(JobSamples.id, spec), .order(order, ticket: JobSamples.ticket, token: .max),
            .course(JobSamples.id, index: 223, point), .picture(picture), .result(JobSamples.id, result),
            .results(JobSamples.id, [WorkResult(attempt: .max, end: 1, tally: result.tally, busy: .seconds(1))]),
            .part(JobSamples.module.hash, offset: BlobReference.largest - 1, octets: part),
            .lacking(JobSamples.module.hash, label),
        ]
        for message in messages {
            let bytes = message.encoded()
            #expect(bytes.count <= (message.prefersBulk ? Message.maximumLength : 64 << 10))
            #expect(try Message.decode(bytes) != nil)
        }
        // One frame of a link holds this many bytes.
        #expect(messages[6].encoded().count <= 16_380)
        guard case .job(.result(_, let read))? = try Message.decode(messages[4].encoded()) else {
            Issue.record("no result")
            return
        }
        #expect(read.tally == result.tally && read.readings.count == readings.count && read.nodes.count == rows.count)
    }

    /// The lane depends on the length, which is measured without encoding.
    @Test func lengthsAreMeasured() {
        let rows = (0..<JobMessage.mostRows).map { _ in
            NodeRow(
                node: Samples.node(0), name: "ana", cores: 4096, trials: .max, rate: 1, work: .unable("x"),
                roundTrip: .seconds(1), since: .seconds(300_000_000))
        }
        let readings = (0..<JobMessage.mostReadings).map { _ in
            Reading(
                name: "stay", kind: .mean, value: 1, interval: 0...1, exact: 1, varies: false, isSpoilt: true,
                bins: [1, 2, 3], range: 0...1)
        }
        let works = (0..<1000).map { _ in
            WorkResult(attempt: .max, end: 1 << 60, tally: [1], busy: .seconds(300_000_000))
        }
        var crowd = JobSamples.picture
        crowd.nodes = rows
        var wealth = JobSamples.picture
        wealth.readings = readings
        let points = (0..<JobMessage.mostCourse).map { _ in CoursePoint(trials: .max, readings: [JobSamples.spread]) }
        let result = JobResult(
            spec: JobSamples.spec, trials: .max, tally: [1], readings: readings, course: points, completion: .trials,
            elapsed: .seconds(1), nodes: rows)
        for message: JobMessage in [
            .picture(crowd), .picture(wealth), .results(JobSamples.id, works), .result(JobSamples.id, result),
        ] {
            #expect(message.encoded().count == message.length)
        }
    }

    @Test func longListsAreCutIntoPieces() throws {
        var random = RandomStream(seed: 1, block: 8, lane: 0)
        func number() -> UInt64 { random.next64() >> UInt64(random.below(64)) }
        func blocks() -> Range<UInt64> {
            let first = number() % (JobMessage.mostBlocks - 1)
            return first..<first + 1 + number() % (JobMessage.mostBlocks - first)
        }
        let chunks = (0..<5000).map { _ in LentChunk(attempt: number(), blocks: blocks()) }
        let attempts = (0..<9000).map { _ in number() }
        let works = (0..<5000).map { _ in
            WorkResult(attempt: number(), end: 1, tally: (0..<random.below(20)).map { _ in number() }, busy: .zero)
        }
        var lent: [LentChunk] = [], dropped: [UInt64] = [], brought: [WorkResult] = []
        for message: JobMessage in [
            .lend(JobSamples.id, chunks), .drop(JobSamples.id, attempts: attempts), .results(JobSamples.id, works),
        ] {
            for piece in message.pieces {
                let bytes = piece.encoded()
                #expect(bytes.count <= 64 << 10 && !piece.prefersBulk)
                #expect(try Message.decode(bytes) == .job(piece))
                switch piece {
                case .lend(_, let some): lent += some
                case .drop(_, let some): dropped += some
                case .results(_, let some): brought += some
                default: Issue.record("another message")
                }
            }
        }
        #expect(lent == chunks && dropped == attempts && brought == works)
        for message in JobSamples.messages { #expect(message.pieces == [message]) }
        let large = WorkResult(attempt: 1, end: 1, tally: [UInt64](repeating: 1, count: 5000), busy: .zero)
        let pieces = JobMessage.results(JobSamples.id, [large, large]).pieces
        #expect(pieces.count == 2 && pieces.allSatisfy { $0.prefersBulk })
    }

    /// No bytes after a length are read before the length is checked.
    @Test func aLengthIsNotBelieved() {
        let lies = [
            "16 0108 0807060504030201 02 ffffffff0f", "18 0108 0807060504030201 05 ffffffff0f",
            "16 0108 0807060504030201 02 06 ffffffff0f00", "1a 06 ffffffffffffffff7f",
        ]
        for lie in lies { #expect(throws: WireError.self) { try Message.decode(Samples.octets(lie)) } }
    }
}

extension JobMessage {
    func encoded() -> [UInt8] { Message.job(self).encoded() }
}
