import PotluckCore
import PotluckKit

/// A value of an effect, which a fingerprint covers. A value with a description is mixed as it would be written, so that a
/// new field is covered too.
private protocol Traced {
    func mix(into hash: inout TraceHash)
}

extension TraceHash {
    /// Mixes an effect, without the parts that a trace omits. So a replay without them has the same fingerprint.
    public mutating func mix(_ effect: Effect) {
        switch effect {
        case .session(let effect): mix(effect)
        case .job(let effect): mix(effect)
        case .tell(let event): mix(event)
        case .answer(.taken(let id), let token): add(1, token, id)
        case .answer(.takenOver(let count), let token): add(2, token, count)
        case .answer(.jobs(let open), let token): add(3, token, open.keys.sorted())
        case .answer(.output(let blob), let token): add(4, token, blob)
        case .answer(.refused(let why), let token): add(5, token, why)
        case .wake(let at): add(6, at.nanoseconds)
        }
    }

    private mutating func mix(_ effect: SessionEffect) {
        switch effect {
        case .dial(let link, _): add(11, link)
        case .greet(let link, let introduction): add(12, link, introduction)
        case .send(let link, let message, let reliably): add(13, link, message, reliably)
        case .close(let link): add(14, link)
        case .changed(let peer): add(15, peer.node, peer.displayName)
        case .ask(let peer): add(16, peer.node)
        case .deliver(let octets, _, let node, _): add(17, octets.count, node)
        case .said(let text, let node): add(18, text.utf8.count, node)
        case .roster(let entries): add(19, entries)
        case .role(let role): add(20, role.wireNumber)
        case .choose(let peers): add(21, peers.map(\.node))
        case .announce(let available): add(22, available)
        case .trouble: add(23)
        case .ended: add(24)
        case .approved(let nodes): add(25, nodes)
        }
    }

    private mutating func mix(_ effect: JobEffect) {
        switch effect {
        case .prepare(let id, let recipe): add(31, JobMessage.job(id, JobSpec(recipe)))
        case .readPart(let hash, let offset, let node): add(32, hash, offset, node)
        case .keepPart(let blob, let offset, let octets): add(33, blob, offset, octets.count)
        case .shelve(let blob): add(34, blob)
        case .discard(let hash): add(35, hash)
        case .collect(let attempt, let blocks, let tally, let blob):
            add(36, attempt, blocks.lowerBound, blocks.upperBound, tally, blob)
        case .seal(let id, let end): add(37, id, end)
        case .unseal(let id, let hash): add(38, id, hash)
        case .compute(let chunk, let experiment, let trials, let duty):
            let lent = LentChunk(attempt: chunk.attempt.number, blocks: chunk.blocks, bound: chunk.bound)
            add(39, JobMessage.lend(chunk.attempt.job, [lent]), experiment, trials ?? 0, duty != .worker, duty.isFresh)
        case .bound(let id, let best): add(40, JobMessage.bound(id, best))
        case .interrupt(let id): add(41, id)
        case .drop(let attempts): add(42, attempts)
        case .forget(let id): add(43, id)
        case .stepDown(let id): add(44, id)
        case .read(let request): add(45, request)
        case .record(let changes): for change in changes { add(46, JobMessage.replica(change.job, [change])) }
        }
    }

    private mutating func mix(_ event: JobEvent) {
        switch event {
        case .snapshot(let snapshot): add(51, snapshot.picture, snapshot.course.count)
        case .finished(let id, let result, let isOurs): add(52, id, result, isOurs)
        case .failed(let id, let failure): add(53, id, failure.description)
        case .lost(let id): add(54, id)
        case .news(.liar(let id, let node, let name)): add(61, id, node, name)
        case .news(.setAside(let id, let node, let name, let why)): add(62, id, node, name, why)
        case .news(.unable(let id, let node, let name, let why)): add(63, id, node, name, why)
        case .news(.orphaned(let id, let node, let name)): add(64, id, node, name)
        case .news(.continues(let id, let node, let name)): add(65, id, node, name)
        case .news(.forgotten(let id, let node, let name)): add(66, id, node, name)
        case .news(.stranded(let id, let why)): add(67, id, why)
        case .news(.journalStuck(let why)): add(68, why)
        case .news(.journalWell): add(69)
        }
    }

    private mutating func add<each Value: Traced>(_ kind: UInt64, _ values: repeat each Value) {
        mix(kind)
        repeat (each values).mix(into: &self)
    }
}

extension Traced where Self: WireRecord {
    func mix(into hash: inout TraceHash) { hash.mix(fields) }
}

extension Traced where Self: WireUnion {
    func mix(into hash: inout TraceHash) { hash.mix(encodedCase()) }
}

extension Traced where Self: WireID {
    func mix(into hash: inout TraceHash) { hash.mix(octets) }
}

extension Array: Traced where Element: Traced {
    func mix(into hash: inout TraceHash) {
        hash.mix(UInt64(count))
        for element in self { element.mix(into: &hash) }
    }
}

extension UInt64: Traced { func mix(into hash: inout TraceHash) { hash.mix(self) } }
extension Int: Traced { func mix(into hash: inout TraceHash) { hash.mix(UInt64(self)) } }
extension Bool: Traced { func mix(into hash: inout TraceHash) { hash.mix(self ? 1 : 0) } }
extension String: Traced { func mix(into hash: inout TraceHash) { hash.mix(Array(utf8)) } }
extension JobID: Traced { func mix(into hash: inout TraceHash) { hash.mix(number) } }
extension AttemptID: Traced {
    func mix(into hash: inout TraceHash) {
        hash.mix(job.number)
        hash.mix(number)
    }
}
extension Message: Traced {
    func mix(into hash: inout TraceHash) {
        hash.mix(Redaction.message(self) { _ in Redaction.ticket(0) }.encodedCase())
    }
}
extension JobMessage: Traced { func mix(into hash: inout TraceHash) { Message.job(self).mix(into: &hash) } }
extension NodeID: Traced {}
extension BlobHash: Traced {}
extension BlobReference: Traced {}
extension Experiment: Traced {}
extension Introduction: Traced {}
extension JobPicture: Traced {}
extension JobResult: Traced {}
extension ReadRequest: Traced {}
extension RosterEntry: Traced {}
extension LinkName: Traced {}
