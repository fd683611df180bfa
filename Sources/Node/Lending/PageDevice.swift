import Dispatch
import PotluckCore
import PotluckKit
import PotluckNet
import PotluckSystem

/// A page that computes in the place of a node's cores. Threads of that node wait here for its answers.
final class PageDevice: Sendable {
    /// The limits of a page's work, and of the time to wait for it.
    enum Limits {
        /// How long a page may take to fetch and compile a module: half a megabyte over a slow network, and an old phone.
        static let preparing: DispatchTimeInterval = .seconds(60)
        /// How often a thread looks whether its chunk is still wanted. A page is told this late at most.
        static let look: DispatchTimeInterval = .milliseconds(50)
        /// How long a page may take to end a chunk that it is to end: a block takes about 20 ms, on a phone five times as
        /// long. After that the chunk is dropped, with all that the page has done of it.
        static let interrupted: DispatchTimeInterval = .milliseconds(300)
        /// The memory of a module in bytes; that of the program's own sandbox.
        static let memory = 256 << 20
        /// The longest call in seconds. A call is about 20 ms of work; a phone in a pocket may pause for a while.
        static let seconds = 20.0
        /// The longest reason in bytes, as for members of the session.
        static let reason = 400
    }

    /// A chunk at the page, and the thread that waits for it.
    private final class Chunk: Sendable {
        enum End { case done(PageChunk), failed(block: UInt64, why: String), gone }

        let job: JobID
        let writes: Bool
        let bell = DispatchSemaphore(value: 0)
        let end = Guarded<End?>(nil)
        let output = Guarded<[UInt8]>([])

        init(of job: JobID, writes: Bool) { (self.job, self.writes) = (job, writes) }

        func finish(_ new: End) {
            end.with { $0 = $0 ?? new }
            bell.signal()
        }
    }

    /// A question to the page whether it can compute a job.
    private final class Question: Sendable {
        enum Answer {
            case ready
            /// The page cannot compute the job.
            case unable(String)
            /// Nobody needs the answer any more.
            case moot(String)
        }

        let bell = DispatchSemaphore(value: 0)
        let answer = Guarded<Answer?>(nil)

        func finish(_ new: Answer) {
            answer.with { $0 = $0 ?? new }
            bell.signal()
        }
    }

    private struct State {
        var isClosed = false
        var last: UInt64 = 0
        var chunks: [String: Chunk] = [:]
        var questions: [JobID: Question] = [:]
        var blobs: [BlobHash: [UInt8]] = [:]
        /// The blobs that each job needs.
        var needs: [JobID: [BlobHash]] = [:]
        /// The bytes that came of chunks under way.
        var outputs = 0
        /// The functions to call when the page gives up a job that it was ready for, because its memory ran out.
        var givesUp: [JobID: @Sendable (String) -> Void] = [:]
    }

    private let state = Guarded(State())
    private let send: @Sendable (GatewayMessage) -> Void

    init(send: @escaping @Sendable (GatewayMessage) -> Void) { self.send = send }

    // MARK: For the node

    /// Prepares the page for a job. Returns the simulation whose chunks it computes, or why it cannot. Waits for the page,
    /// so it is called on a thread that may wait. Calls `givesUp` if the page finds out later that it cannot compute the
    /// job.
    func prepare(
        _ job: JobID, _ work: LentWork, givesUp: @escaping @Sendable (String) -> Void
    ) -> Result<PreparedSimulation, PluginError> {
        switch ask(job, work, givesUp) {
        case .ready: .success(lent(work.simulation, job))
        case .unable(let why), .moot(let why): .failure(PluginError(why))
        }
    }

    /// Asks the page whether it can compute a job, and waits for the answer.
    private func ask(
        _ job: JobID, _ work: LentWork, _ givesUp: @escaping @Sendable (String) -> Void
    ) -> Question.Answer {
        guard let preparation = Self.preparation(job, work) else {
            return .moot("a browser cannot compute it")
        }
        let question = Question()
        let isOpen = state.with { state in
            guard !state.isClosed else { return false }
            state.blobs[preparation.module.blob.hash] = work.module
            var needs = [preparation.module.blob.hash]
            if let tables = work.tables, let blob = preparation.tables.blob {
                state.blobs[blob.hash] = tables
                needs.append(blob.hash)
            }
            state.needs[job] = needs
            state.givesUp[job] = givesUp
            state.questions.updateValue(question, forKey: job)?.finish(.moot("it was asked again"))
            return true
        }
        guard isOpen else { return .moot("its page is closed") }
        send(.prepare(preparation))
        let outcome = question.bell.wait(timeout: .now() + Limits.preparing)
        state.with { state in
            if state.questions[job] === question { state.questions[job] = nil }
        }
        guard outcome == .success, let answer = question.answer.with({ $0 }) else {
            return .moot("its page did not answer in time")
        }
        return answer
    }

    private static func preparation(_ job: JobID, _ work: LentWork) -> PagePreparation? {
        guard let module = BlobReference(ofModule: work.module) else { return nil }
        let simulation = work.simulation
        let fields = simulation.layout.fields.filter { $0.kind != .print }
        let asked = work.recipe.experiment
        // Those of the job end with the hash of its tables.
        let experiment = Experiment(
            simulation: asked.simulation, parameters: simulation.parameters, seed: asked.seed,
            blockSize: asked.blockSize)
        return PagePreparation(
            job: job, name: experiment.simulation.name, shape: simulation.units == nil ? .tally : .collect,
            module: .init(blob: module, memory: Limits.memory, seconds: Limits.seconds),
            tables: .init(blob: work.recipe.payload, count: work.tables == nil ? 0 : 1), experiment: experiment,
            trials: work.recipe.goal.trials ?? simulation.units, writes: simulation.writes != .nothing,
            layout: fields.map { .init(kind: Int($0.kind.rawValue), bins: $0.parts) },
            slots: fields.reduce(0) { $0 + $1.slots.count })
    }

    /// The simulation with the page in the place of its own code.
    private func lent(_ simulation: PreparedSimulation, _ job: JobID) -> PreparedSimulation {
        simulation.computed { [self] request, shouldStop in compute(request, of: job, simulation, shouldStop) }
    }

    private func compute(
        _ request: ChunkRequest, of job: JobID, _ simulation: PreparedSimulation, _ shouldStop: () -> Bool
    ) -> ChunkReply {
        let first = request.blocks.lowerBound
        let nothing = ChunkReply(end: first, slots: simulation.layout.empty)
        let chunk = Chunk(of: job, writes: simulation.writes != .nothing)
        let attempt = state.with { state -> String? in
            guard !state.isClosed, state.givesUp[job] != nil else { return nil }
            state.last += 1
            let attempt = "\(state.last)"
            state.chunks[attempt] = chunk
            return attempt
        }
        guard let attempt else { return nothing }
        send(.chunks(job, [PageLoan(attempt: attempt, blocks: request.blocks)]))
        defer { forget(attempt, chunk) }
        while chunk.bell.wait(timeout: .now() + Limits.look) == .timedOut {
            guard shouldStop() else { continue }
            send(.interrupt(job))
            if chunk.bell.wait(timeout: .now() + Limits.interrupted) == .success { break }
            send(.drop([attempt]))
            return nothing
        }
        switch chunk.end.with({ $0 }) {
        case .done(let done): return Self.reply(done, chunk.output.with { $0 }, request, simulation)
        case .failed(let block, let why):
            let place = request.blocks.contains(block) ? block : first
            return ChunkReply(
                end: place, slots: simulation.layout.empty, failure: SimulationFailure(why, block: place))
        case .gone, nil: return nothing
        }
    }

    private func forget(_ attempt: String, _ chunk: Chunk) {
        let count = chunk.output.with { $0.count }
        state.with { state in
            if state.chunks.removeValue(forKey: attempt) != nil { state.outputs -= count }
        }
    }

    /// Makes a reply of a page's answer. An answer that does not fit is a failure, because it could not be counted.
    private static func reply(
        _ done: PageChunk, _ octets: [UInt8], _ request: ChunkRequest, _ simulation: PreparedSimulation
    ) -> ChunkReply {
        let first = request.blocks.lowerBound
        func wrong(_ what: String) -> ChunkReply {
            ChunkReply(
                end: first, slots: simulation.layout.empty, failure: SimulationFailure("its page \(what)", block: first)
            )
        }
        guard first <= done.end, done.end <= request.blocks.upperBound else {
            return wrong("returned blocks that it was not given")
        }
        var slots = simulation.layout.empty
        let own = simulation.layout.fields.filter { $0.kind != .print }.reduce(0) { $0 + $1.slots.count }
        guard done.tally.count == own else { return wrong("returned a tally of another length") }
        slots.replaceSubrange(0..<own, with: done.tally)
        guard simulation.writes != .nothing else { return ChunkReply(end: done.end, slots: slots) }
        guard done.output == octets.count, let outputs = Framed.outputs(octets, blocks: Int(done.end - first)) else {
            return wrong("returned another output than it wrote")
        }
        return ChunkReply(end: done.end, slots: slots, outputs: outputs)
    }

    /// The job is over, or the page is not to compute it any more.
    func forget(_ job: JobID) {
        // A page says nothing more of a job that it is to forget.
        state.with { $0.questions.removeValue(forKey: job) }?.finish(.moot("the job is over"))
        let isKnown = state.with { state in
            guard let gone = state.needs.removeValue(forKey: job) else { return false }
            state.givesUp[job] = nil
            let needed = Set(state.needs.values.joined())
            for blob in gone where !needed.contains(blob) { state.blobs[blob] = nil }
            return true
        }
        if isKnown { send(.forget(job)) }
    }

    var isClosed: Bool { state.with(\.isClosed) }

    // MARK: For the page

    func received(_ work: PageWork) {
        switch work {
        case .fetch(let hash, let from): send(part(hash, from))
        case .ready(let job): state.with { $0.questions[job] }?.finish(.ready)
        case .unable(let job, let why): unable(job, why.isEmpty ? "its browser cannot compute it" : Self.line(why))
        case .output(let attempt, let octets): keep(octets, of: attempt)
        case .done(let done): state.with { $0.chunks[done.attempt] }?.finish(.done(done))
        case .failed(let attempt, let block, let why):
            state.with { $0.chunks[attempt] }?.finish(.failed(block: block, why: Self.line(why)))
        }
    }

    /// A page's reason, fit for a screen. Nothing else looks at its characters on their way there.
    private static func line(_ why: String) -> String { why.line(limit: Limits.reason) }

    /// Keeps a piece of a chunk's output. All chunks of a page together may write as much as one.
    private func keep(_ octets: [UInt8], of attempt: String) {
        let (chunk, fits) = state.with { state -> (Chunk?, Bool) in
            guard let chunk = state.chunks[attempt], chunk.writes else { return (nil, true) }
            guard state.outputs + octets.count <= BlobReference.largestOutput else { return (chunk, false) }
            state.outputs += octets.count
            chunk.output.with { $0 += octets }
            return (chunk, true)
        }
        if !fits { chunk?.finish(.failed(block: 0, why: "its output is too long")) }
    }

    private func unable(_ job: JobID, _ why: String) {
        if let question = state.with({ $0.questions[job] }) { return question.finish(.unable(why)) }
        let (givesUp, chunks) = state.with { state in
            (state.givesUp.removeValue(forKey: job), state.chunks.values.filter { $0.job == job })
        }
        // This comes before the ends of chunks, because the node gives a page more of the job when a chunk ends.
        givesUp?(why)
        for chunk in chunks { chunk.finish(.gone) }
    }

    private func part(_ hash: BlobHash, _ from: Int) -> GatewayMessage {
        guard let octets = state.with({ $0.blobs[hash] }) else {
            return .lacking(hash, why: "it is not needed any more")
        }
        guard from < octets.count else { return .lacking(hash, why: "it is shorter") }
        return .part(hash, from: from, octets: Array(octets[from..<min(octets.count, from + PageLimits.part)]))
    }

    /// The page is gone, or lends nothing any more. Ends all waiting.
    func close() {
        let (chunks, questions) = state.with { state in
            state.isClosed = true
            defer {
                (state.chunks, state.questions, state.blobs, state.needs) = ([:], [:], [:], [:])
                (state.outputs, state.givesUp) = (0, [:])
            }
            return (state.chunks, state.questions)
        }
        for chunk in chunks.values { chunk.finish(.gone) }
        for question in questions.values { question.finish(.moot("its page is closed")) }
    }
}
