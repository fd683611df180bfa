import PotluckCore
import PotluckEngine

/// What the law about idle nodes has noted: a node that is idle and a job that could use it do not coexist for long.
struct IdleLaw {
    /// How long they may. Messages travel meanwhile.
    static let patience = Duration.seconds(1)

    /// By seat, how many chunks the laptop had begun when it became idle, and when that was.
    var since: [Seat: (begun: Int, at: Instant)] = [:]
    /// By job that runs, since when each seat could have had blocks of it, at this look and at the one before.
    var couldWorkSince: [JobID: [Seat: Instant]] = [:]
    var couldWorkBefore: [JobID: [Seat: Instant]] = [:]
}

extension SimulatedCluster {
    func noteIdle() {
        laws.screens.idle.couldWorkBefore = laws.screens.idle.couldWorkSince
        laws.screens.idle.couldWorkSince = [:]
        for laptop in laptops {
            let bench = laptop.bench
            if !laptop.isAwake || !bench.working.isEmpty || !bench.queued.isEmpty || !bench.urgent.isEmpty {
                laws.screens.idle.since[laptop.seat] = nil
            } else if laws.screens.idle.since[laptop.seat]?.begun != bench.begun {
                laws.screens.idle.since[laptop.seat] = (bench.begun, now)
            }
        }
    }

    /// Checks that no node is idle which a job could use: one that waits although enough nodes are ready, or one that
    /// runs and has blocks which no node has. A node whose outputs still travel gets no more blocks, lest they pile up.
    func checkIdle(_ id: JobID, _ leader: Laptop, _ lead: Lead) {
        guard let order = wishes.known[id]?.order, order.experiment.kind != .moody, !leader.observed.cannotWrite,
            let state = leader.screen.shown[id]?.last?.state
        else { return }
        let ready = laptops.filter { laptop in
            isAble(laptop, leader, order)
                && (laptop.bench.readySince[id].map { now - $0 > IdleLaw.patience } ?? false)
        }
        let idle = ready.filter { laptop in
            laws.screens.idle.since[laptop.seat].map { now - $0.at > IdleLaw.patience } ?? false
        }
        if case .waiting = state {
            guard ready.count >= order.workers, hasWaited(id, leader, lead, order) else { return }
        } else if state == .running, !order.collects {
            let clock = leader.clock.local(now)
            let capable = idle.filter { leader.engine.hasBlocks(for: $0.node, of: id, now: clock) }
            let before = laws.screens.idle.couldWorkBefore[id] ?? [:]
            let since = Dictionary(uniqueKeysWithValues: capable.map { ($0.seat, before[$0.seat] ?? now) })
            laws.screens.idle.couldWorkSince[id] = since
            guard since.values.contains(where: { now - $0 > IdleLaw.patience }) else { return }
        } else {
            return
        }
        guard let idle = idle.first else { return }
        fail(.idle, "\(idle.name) is idle and could compute \(id), which is \(state) at \(leader.name)")
    }

    /// Whether all that a job waited for lately was others, or nodes.
    private func hasWaited(_ id: JobID, _ leader: Laptop, _ lead: Lead, _ order: JobOrder) -> Bool {
        guard now - lead.since > order.delay + IdleLaw.patience, let shown = leader.screen.shown[id],
            let last = shown.lastIndex(where: { now - $0.at > IdleLaw.patience })
        else { return false }
        return shown[last...].allSatisfy { if case .waiting = $0.state { true } else { false } }
    }
}
