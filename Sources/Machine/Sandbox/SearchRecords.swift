import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

// The requests to a module that searches a space of points, and its answers.

extension RunRequest {
    /// A request to search points.
    init(_ request: SearchRequest) {
        let points = request.points.upperBound - request.points.lowerBound
        self.init(
            shape: .space, seed: 0, first: request.points.lowerBound, blocks: points, trials: points,
            bound: UInt64(bitPattern: request.bound.key), payload: request.path.map { UInt64($0) }.octets)
        (point, nodes) = (request.bound.point, request.budget)
    }

    /// A request to compute one block again.
    init(replaying block: UInt64, of shape: ModuleInterface.Shape, seed: UInt64, trials: UInt64) {
        guard shape == .space else {
            self.init(shape: shape, seed: seed, first: block, blocks: 1, trials: trials)
            return
        }
        self.init(SearchRequest(points: block..<block + 1))
    }

    /// A request to show a solution.
    init(showing best: Best) {
        self.init(
            shape: .space, seed: 0, first: best.point, blocks: 1, trials: 1, bound: UInt64(bitPattern: best.key))
        point = best.point
    }

    fileprivate var best: Best { Best(key: Int64(bitPattern: bound), point: point) }
}

extension RunReply {
    /// Checks the answer of a search against its request.
    func checkSpace(_ request: RunRequest, _ reader: RecordReader) throws(SandboxError) {
        let found = Best(key: Int64(bitPattern: best), point: slots[1])
        guard slots[0] == best else { throw reader.wrong("two different best values") }
        guard expanded <= request.nodes else { throw reader.wrong("\(expanded) nodes instead of \(request.nodes)") }
        guard request.nodes > 0 else {
            guard !hasMore, blocks == 0, rest.isEmpty, found.isEmpty ? output.isEmpty : found == request.best else {
                throw reader.wrong("another solution")
            }
            return
        }
        guard output.isEmpty else { throw reader.wrong("output that was not asked for") }
        guard blocks <= request.blocks else { throw reader.wrong("\(blocks) points instead of \(request.blocks)") }
        guard hasMore == (blocks < request.blocks) else { throw reader.wrong("both finished and unfinished") }
        guard hasMore || rest.isEmpty else { throw reader.wrong("a finished search with work left") }
        // Otherwise it could be asked without end.
        guard !hasMore || expanded > 0 else { throw reader.wrong("an unfinished search that does nothing") }
        guard rest.count % 8 == 0, rest.count / 8 < SearchSpace.deepest else { throw reader.wrong("a wrong path") }
        guard !found.isEmpty else { return }
        // A request without points asks for the author's start, which may be anywhere.
        let end = request.blocks == 0 ? SearchSpace.points : request.first + request.blocks
        guard found < request.best, (request.first..<end).contains(found.point) else {
            throw reader.wrong("a best value that is no better than the bound, or is elsewhere")
        }
    }

    /// The answer as a reply, if it belongs to this request.
    func reply(to request: RunRequest) -> SearchReply {
        let path = stride(from: 0, to: rest.count, by: 8).map { start in
            rest[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return SearchReply(
            end: request.first + blocks, path: path.map { UInt32(truncatingIfNeeded: $0) },
            best: Best(key: Int64(bitPattern: best), point: slots[1]), expanded: expanded)
    }
}

extension PluginWorker {
    /// The search of a module.
    func search(
        _ configuration: ModuleConfiguration, _ ready: Ready, _ memory: ReadyMemory = ReadyMemory(),
        start: Best = Best()
    ) -> PreparedSearch {
        let search = PreparedSearch(
            walk: { body in
                do throws(SandboxError) {
                    // A native program keeps its configuration.
                    if native == nil,
                        let octets = try memory.octets({ most throws(SandboxError) in
                            try withReady(configuration, ready, isChunk: true) { $0.image(most: most) }
                        })
                    {
                        let isDone = try module.withInstance(limits, isChunk: true) { instance in
                            let isReady = instance.copy(octets)
                            if isReady { walk(instance, body) }
                            return isReady
                        }
                        if isDone { return nil }
                    }
                    try withChunk(configuration, ready) { walk($0, body) }
                    return nil
                } catch {
                    return failure(error)
                }
            },
            show: { best in
                guard best.point < SearchSpace.points else { return nil }
                let asked = RunRequest(showing: best)
                let answer = try? withReady(configuration, ready) { instance throws(SandboxError) in
                    try ask(asked, instance)
                }
                guard let answer, answer.best == asked.bound else { return nil }
                var output = Output()
                for octet in answer.output { output.put(octet) }
                return output
            }, start: start)
        return PreparedSearch(
            walk: search.walk, show: search.show, trial: trial(of: search, configuration), start: start)
    }

    /// The nodes of each rule that a run looks at before its first chunk, and the time for all of them in nanoseconds. With
    /// cheap nodes it takes some milliseconds.
    private static let trialNodes: UInt64 = 2000
    private static let trialTime: Int64 = 100_000_000

    /// Returns the function that checks the author's code once, before the first chunk.
    private func trial(
        of search: PreparedSearch, _ configuration: ModuleConfiguration
    ) -> @Sendable () -> SearchTrial {
        let made = Guarded<SearchTrial?>(nil)
        return {
            made.with { made in
                if let made { return made }
                let check = SearchCheck(
                    search, native: nil, nodes: Self.trialNodes,
                    until: nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) + Self.trialTime
                ) { readings(of: $0, configuration) }
                // A part that fails may be one that a run never reaches.
                let flaw = check.failure == nil ? check.findings.first { $0.grade == .broken } : nil
                let trial = SearchTrial(flaw.map { SimulationFailure("\(label): \($0.text)") }, best: check.best)
                made = trial
                return trial
            }
        }
    }

    private func readings(of best: Best, _ configuration: ModuleConfiguration) -> [Reading] {
        (try? read(SearchTally(best).slots(own.slots), SearchSpace.points, configuration).get()) ?? []
    }

    /// Calls `body` with a walk in this instance.
    private func walk(_ instance: any Answering, _ body: (PreparedSearch.Walk) -> Void) {
        body { request in
            let asked = RunRequest(request)
            do throws(SandboxError) {
                return .success(try ask(asked, instance).reply(to: asked))
            } catch {
                let place = "\(label), point \(request.points.lowerBound)"
                return .failure(SimulationFailure("\(place): \(error.reason)"))
            }
        }
    }

    /// Returns the solution of the author's start branches. A module that is older or by hand may fail and has none.
    func start(_ instance: any Answering) -> Best {
        let asked = RunRequest(SearchRequest.start)
        return (try? ask(asked, instance).reply(to: asked).best) ?? Best()
    }

    private func ask(_ request: RunRequest, _ instance: any Answering) throws(SandboxError) -> RunReply {
        try RunReply(try instance.record("potluck_run", request.record), to: request, slots: own.slots)
    }
}
