import PotluckCore
import PotluckEngine

/// A user's sweep: some of its points are in hand as jobs, and the next one is ordered when one ends, as
/// `potluck sweep --session` does.
struct VirtualSweep {
    /// The jobs in hand at most.
    static let window = 8
    /// After a refusal the next order is given this much later.
    static let pause = Duration.milliseconds(500)
    /// No point is ordered so long after the faults have ended, so that the schedule ends.
    static let latest = Duration.seconds(40)

    let seat: Seat
    /// The node that sweeps. If it ends, nobody continues the sweep.
    let start: Int
    /// The points that no job computes, the next one last.
    var todo: [JobOrder]
    /// The request whose answer is awaited, and its point.
    var asked: (token: UInt64, order: JobOrder)?
    /// The points in hand.
    var jobs: [JobID: JobOrder] = [:]
    var isPausing = false

    var isOver: Bool { todo.isEmpty && jobs.isEmpty && asked == nil }
}

extension SimulatedCluster {
    func sweep(_ seat: Seat, _ points: [JobOrder]) {
        guard laptops[seat].isAwake else { return }
        note("\(laptops[seat].name) sweeps \(points.count) points")
        var points = points
        // Every other one goes round by round, as sweeps without a session do, also if its coordinator is lost.
        if wishes.sweeps.count % 2 == 1 {
            for index in points.indices { points[index].sweep = JobID(UInt64(wishes.sweeps.count)) }
        }
        wishes.sweeps.append(VirtualSweep(seat: seat, start: laptops[seat].start, todo: points.reversed()))
        refill(wishes.sweeps.count - 1)
    }

    /// Whether every sweep has ended, or its node has.
    var areSweepsOver: Bool {
        wishes.sweeps.allSatisfy { $0.isOver || laptops[$0.seat].start != $0.start || !laptops[$0.seat].isAwake }
    }

    private func refill(_ index: Int) {
        let sweep = wishes.sweeps[index]
        let laptop = laptops[sweep.seat]
        if now > .start + wishes.war + VirtualSweep.latest { wishes.sweeps[index].todo = [] }
        guard laptop.start == sweep.start, laptop.isAwake, sweep.asked == nil, !sweep.isPausing,
            sweep.jobs.count < VirtualSweep.window, let order = wishes.sweeps[index].todo.popLast()
        else { return }
        // The answer may come at once.
        wishes.sweeps[index].asked = (UInt64(wishes.wishes.count + 1), order)
        self.order(sweep.seat, order)
    }

    /// Takes the answer to a sweep's order. Returns whether it is one.
    func sweepTook(_ answer: JobAnswer, _ token: UInt64) -> Bool {
        guard let index = wishes.sweeps.firstIndex(where: { $0.asked?.token == token }),
            let order = wishes.sweeps[index].asked?.order
        else { return false }
        wishes.sweeps[index].asked = nil
        if case .taken(let id) = answer {
            // The job may be over before its order is confirmed.
            if laptops[wishes.sweeps[index].seat].observed.endings[id] == nil { wishes.sweeps[index].jobs[id] = order }
            after(.zero) { $0.refill(index) }
        } else {
            wishes.sweeps[index].todo.append(order)
            wishes.sweeps[index].isPausing = true
            after(VirtualSweep.pause) { room in
                room.wishes.sweeps[index].isPausing = false
                room.refill(index)
            }
        }
        return true
    }

    /// A node was told the end of a job. The next point of its sweep is ordered; a lost one is ordered again.
    func sweepEnded(_ laptop: Laptop, _ id: JobID, isLost: Bool) {
        for index in wishes.sweeps.indices {
            guard wishes.sweeps[index].seat == laptop.seat, wishes.sweeps[index].start == laptop.start,
                let order = wishes.sweeps[index].jobs.removeValue(forKey: id)
            else { continue }
            if isLost { wishes.sweeps[index].todo.append(order) }
            after(.zero) { $0.refill(index) }
        }
    }
}
