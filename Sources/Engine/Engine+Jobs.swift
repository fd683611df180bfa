import PotluckModel
import PotluckWire

/// What this node does when another one announces a job or tells its progress or its end.
extension Engine {
    mutating func received(
        _ id: JobID, _ spec: JobSpec, epoch: UInt64, known: UInt64, from node: NodeID, _ now: Instant
    ) {
        guard mayCoordinate(node) else { return }
        if node != own {
            let (mayLead, ledger) = coordinator.stepDown(
                from: id, for: node, epoch: epoch, known: known, &deeds, now: now)
            guard mayLead else { return }
            // This node coordinated the job until now. The other may know of fewer trials.
            if ledger != nil, !deeds.hasEnded(id), gallery.coordinator(of: id) == nil {
                deeds.effects.append(.news(.goesOn(id, node, name: name(of: node))))
            }
            if !deeds.hasEnded(id) { gallery.job(id, spec, epoch: epoch, from: node, name: name(of: node), &deeds) }
            replicas.coordinated(id, by: node, epoch: epoch, known: known, now: now)
            if let ledger, !deeds.hasEnded(id) {
                replicas.take(id, ledger.changes, from: node, isAutomatic: connected[node] == .peer, now: now)
            }
        }
        bench.job(id, spec, epoch: epoch, from: node, &deeds)
    }

    mutating func received(_ picture: JobPicture, from node: NodeID) {
        guard mayCoordinate(node) else { return }
        if node != own, case .failed(let why) = picture.state {
            coordinator.heard(picture.job, failed: why, &deeds)
        }
        gallery.picture(picture, from: node, &deeds)
    }

    mutating func received(_ id: JobID, _ result: JobResult, from node: NodeID, _ now: Instant) {
        guard mayCoordinate(node) else { return }
        if node != own { coordinator.heard(id, result, &deeds, now: now) }
        gallery.result(id, result, from: node, &deeds)
        bench.ended(id, &deeds)
        if gallery.coordinator(of: id) == node { replicas.forget(id) }
    }

    /// Only servers and peers coordinate jobs.
    private func mayCoordinate(_ node: NodeID) -> Bool { node == own || connected[node] != .client }
}
