import PotluckCore
import PotluckKit

extension TraceHash {
    /// Mixes an effect, without the parts that a trace omits. So a replay without them has the same fingerprint.
    public mutating func mix(_ effect: Effect) {
        switch effect {
        case .session(let effect):
            mix(1)
            mix(effect)
        case .job(let effect): mix(effect)
        case .tell(let event): mix(event)
        case .answer(let answer, let token):
            mix(2)
            mix(token)
            switch answer {
            case .taken(let id): mix(id.number)
            case .takenOver(let count): mix(UInt64(count))
            case .output(let blob): mix(blob.hash.octets)
            case .jobs(let open): for id in open.keys.sorted() { mix(id.number) }
            case .refused(let why): mix(why)
            }
        case .wake(let at):
            mix(10)
            mix(at.nanoseconds)
        }
    }

    private mutating func mix(_ effect: JobEffect) {
        switch effect {
        case .prepare(let id, let recipe):
            mix(3)
            mix(id.number)
            mix(recipe.experiment)
            for blob in recipe.blobs { mix(blob.hash.octets) }
            mix(recipe.collects ? 1 : 0)
        case .readPart(let hash, let offset, let node):
            mix(16)
            mix(hash.octets)
            mix(UInt64(offset))
            mix(node.octets)
        case .keepPart(let module, let offset, let octets):
            mix(17)
            mix(module.hash.octets)
            mix(UInt64(offset))
            mix(UInt64(octets.count))
        case .shelve(let module):
            mix(18)
            mix(module.hash.octets)
        case .discard(let hash):
            mix(19)
            mix(hash.octets)
        case .collect(let attempt, let blocks, let tally, let blob):
            mix(20)
            mix(attempt)
            mix(blocks.lowerBound)
            mix(blocks.upperBound)
            for slot in tally { mix(slot) }
            mix(blob.hash.octets)
        case .seal(let id, let end):
            mix(21)
            mix(id.number)
            mix(end)
        case .unseal(let id, let hash):
            mix(22)
            mix(id.number)
            mix(hash.octets)
        case .compute(let chunk, let experiment, let trials, let duty):
            switch duty {
            case .worker: mix(4)
            case .referee(let isFresh): mix(isFresh ? 5 : 23)
            }
            mix(chunk.attempt)
            mix(chunk.blocks.lowerBound)
            mix(chunk.blocks.upperBound)
            if let bound = chunk.bound {
                mix(UInt64(bitPattern: bound.best.key))
                mix(bound.best.point)
                mix(bound.isFixed ? 1 : 0)
            }
            mix(trials ?? 0)
            mix(experiment)
        case .bound(let id, let best):
            mix(24)
            mix(id.number)
            mix(UInt64(bitPattern: best.key))
            mix(best.point)
        case .interrupt(let id):
            mix(6)
            mix(id.number)
        case .drop(let attempts):
            mix(7)
            for attempt in attempts { mix(attempt) }
        case .forget(let id):
            mix(8)
            mix(id.number)
        case .stepDown(let id):
            mix(23)
            mix(id.number)
        case .read(let request):
            mix(9)
            mix(request)
        case .record(let changes):
            mix(16)
            for change in changes {
                let shown = Redaction.change(change) { _ in Redaction.ticket(0) }
                mix(Message.job(.replica(change.job, [shown])).encoded())
            }
        }
    }

    private mutating func mix(_ event: JobEvent) {
        switch event {
        case .snapshot(let snapshot):
            mix(11)
            mix(snapshot)
        case .finished(let id, let result, _):
            mix(12)
            mix(id.number)
            mix(result.digestInput)
            mix(UInt64(result.course.count))
            mix(UInt64(result.nodes.count))
            if let output = result.output { mix(output.hash.octets) }
        case .failed(let id, let why):
            mix(13)
            mix(id.number)
            mix(why.description)
        case .lost(let id):
            mix(14)
            mix(id.number)
        case .news(let news):
            mix(15)
            mix(news)
        }
    }

    private mutating func mix(_ attempt: AttemptID) {
        mix(attempt.job.number)
        mix(attempt.number)
    }

    private mutating func mix(_ experiment: Experiment) {
        mix(experiment.seed)
        mix(experiment.blockSize)
        mix(experiment.simulation.name)
        for slot in experiment.parameters { mix(slot) }
    }

    private mutating func mix(_ request: ReadRequest) {
        mix(request.job.number)
        mix(request.trials)
        mix(UInt64(request.edition))
        for slot in request.tally { mix(slot) }
        switch request.purpose {
        case .picture: mix(1)
        case .checkpoint(let index): mix(2 + UInt64(index))
        case .result(let completion): mix(UInt64(1000 + (Completion.allCases.firstIndex(of: completion) ?? 0)))
        }
    }

    private mutating func mix(_ snapshot: JobSnapshot) {
        mix(snapshot.id.number)
        mix(snapshot.trials)
        for count in snapshot.counts { mix(count) }
        mix(UInt64(snapshot.course.count))
        mix(UInt64(bitPattern: snapshot.elapsed.nanoseconds))
        mix(snapshot.rate?.bitPattern ?? 0)
        if case .about(let time) = snapshot.remaining { mix(UInt64(bitPattern: time.nanoseconds)) }
        for row in snapshot.nodes {
            mix(row.node.octets)
            mix(row.trials)
            mix(UInt64(row.cores))
        }
    }

    private mutating func mix(_ news: JobNews) {
        switch news {
        case .liar(let id, let node, _):
            mix(id.number)
            mix(node.octets)
        case .setAside(let id, let node, _, let why), .unable(let id, let node, _, let why):
            mix(id.number)
            mix(node.octets)
            mix(why)
        case .orphaned(let id, let node, _), .goesOn(let id, let node, _), .forgotten(let id, let node, _):
            mix(id.number)
            mix(node.octets)
        case .stranded(let id, let why):
            mix(id.number)
            mix(why)
        case .journalStuck(let why): mix(why)
        case .journalWell: mix(1)
        }
    }

    private mutating func mix(_ effect: SessionEffect) {
        switch effect {
        case .dial(let link, _):
            mix(1)
            mix(link)
        case .greet(let link, let introduction):
            mix(2)
            mix(link)
            mix(introduction.dial)
        case .send(let link, let message, let reliably):
            mix(reliably ? 4 : 3)
            mix(link)
            mix(Redaction.message(message, ticket: { _ in Redaction.ticket(0) }).encoded())
        case .close(let link):
            mix(5)
            mix(link)
        case .changed(let peer):
            mix(7)
            mix(peer.node.octets)
            mix(peer.displayName)
        case .ask(let peer):
            mix(8)
            mix(peer.node.octets)
        case .deliver(let octets, _, let node, _):
            mix(9)
            mix(UInt64(octets.count))
            mix(node.octets)
        case .said(let text, let node):
            mix(10)
            mix(UInt64(text.utf8.count))
            mix(node.octets)
        case .roster(let entries):
            mix(11)
            for entry in entries { mix(entry.node.octets) }
        case .role: mix(12)
        case .choose(let peers):
            mix(13)
            for peer in peers { mix(peer.node.octets) }
        case .announce(let available): mix(available ? 15 : 14)
        case .trouble: mix(16)
        case .ended: mix(17)
        case .approved(let nodes):
            mix(18)
            for node in nodes { mix(node.octets) }
        }
    }

    private mutating func mix(_ link: SessionLink) {
        switch link {
        case .dialled(let number): mix(number)
        case .accepted(let number): mix(~number)
        }
    }
}
