import PotluckCore
import PotluckEngine
import PotluckScreen

@testable import PotluckSimulation

extension Sensor {
    private static let other = JobID(8)

    /// What screens show.
    static let ofScreens = [
        Sensor(.shown, "shows a job twice") { evening in
            let snapshot = evening.snapshot(.running)
            evening.room.check(evening.bob, ClusterPicture(jobs: [snapshot, snapshot]), [:])
        },
        Sensor(.shown, "shows another result") { evening in
            let order = evening.order()
            evening.know(order)
            evening.room.show(evening.ana, .finished(evening.id, evening.result(of: order), isOurs: true))
            evening.show(.finished(evening.id, evening.result(of: order, trials: 16), isOurs: false))
            evening.look()
        },
        Sensor(.shown, "but it is over") { evening in
            evening.end()
            evening.show(.snapshot(evening.snapshot(.running)))
            evening.look()
            evening.look()
        },
        Sensor(.shown, "but no node has it") { evening in
            evening.know(evening.order())
            evening.ana.observed.leads[evening.id] = nil
            evening.show(.snapshot(evening.snapshot(.running)))
            evening.look()
            evening.wait(.seconds(11))
            evening.room.checkScreens()
        },
        Sensor(.shown, "does not show 00000") { evening in
            evening.know(evening.order())
            evening.room.show(evening.ana, .snapshot(evening.snapshot(.running)))
            evening.look()
        },
        Sensor(.shown, "but at ana it is [") { evening in
            evening.know(evening.order())
            evening.room.show(evening.ana, .snapshot(evening.snapshot(.running)))
            evening.show(.snapshot(evening.snapshot(.paused)))
            evening.look()
        },
        Sensor(.shown, "shows 5 trials") { evening in
            evening.know(evening.order())
            evening.room.show(evening.ana, .snapshot(evening.snapshot(.running, trials: 6)))
            evening.show(.snapshot(evening.snapshot(.running, trials: 5)))
            evening.wait(.seconds(4))
            evening.look()
        },
        Sensor(.shown, "ended last") { evening in
            let result = evening.result(of: evening.order())
            for id in [evening.id, other] { evening.show(.finished(id, result, isOurs: false)) }
            evening.bob.screen.lastEnd = evening.id
            evening.room.checkFocus(evening.bob, ClusterPicture(outcomes: evening.bob.screen.own.outcomes))
        },
        Sensor(.learned, "not told its end") { evening in
            evening.end()
            evening.show(.snapshot(evening.snapshot(.running)))
            evening.show(.snapshot(evening.snapshot(.done(.trials))))
            evening.look()
            evening.look()
        },
        Sensor(.reason, "does not say for what") { evening in
            evening.know(evening.order())
            evening.room.show(evening.ana, .snapshot(evening.snapshot(.waiting(.simulation))))
            evening.wait(.seconds(3))
            evening.room.checkScreens()
        },
        Sensor(.reason, "but there are none") { evening in
            evening.know(evening.order(), submitter: evening.ana.seat)
            evening.room.show(evening.ana, .snapshot(evening.snapshot(.waiting(.line(1)))))
            evening.wait(.seconds(3))
            evening.room.checkScreens()
        },
        Sensor(.idle, "bob is idle and could compute") { evening in
            evening.room.wishes.known[other] = KnownJob(id: other)
            evening.room.wishes.jobs.append(other)
            evening.ana.observed.leads[other] = Lead(epoch: 0, isTaken: true, now: evening.room.now)
            evening.know(evening.order(), submitter: evening.ana.seat)
            let waiting = evening.snapshot(.waiting(.line(1)))
            evening.room.show(evening.ana, .snapshot(waiting))
            evening.show(.snapshot(waiting))
            evening.bob.bench.readySince[evening.id] = evening.room.now
            evening.wait(.seconds(25))
            evening.look()
            evening.room.checkScreens()
            evening.wait(.seconds(2))
            evening.room.checkScreens()
        },
        Sensor(.searched, "screens showed 600 points") { evening in
            let whole = evening.searched { $0 }
            evening.room.show(evening.ana, .snapshot(evening.snapshot(.running, trials: 600)))
            let result = JobResult(
                spec: whole.spec, trials: 500, tally: whole.tally, readings: [], completion: .stopped,
                elapsed: .seconds(1), nodes: [])
            evening.room.show(evening.ana, .finished(evening.id, result, isOurs: true))
        },
    ]
}

extension Evening {
    /// Shows an event on bob's screens.
    func show(_ event: JobEvent) { bob.screen.show(event, at: .start) { _ in false } }

    /// Ana ends the job.
    func end() {
        let order = order()
        know(order)
        ana.observed.leads[id]?.isOver = true
        room.show(ana, .finished(id, result(of: order), isOurs: true))
    }

    /// Looks at the screens of nodes that have been connected for long enough.
    func look() {
        wait(.seconds(3))
        ana.observed.peers[bob.node] = Laptop.KnownPeer(state: .connected, since: .start)
        bob.observed.peers[ana.node] = Laptop.KnownPeer(state: .connected, since: .start)
        room.checkScreens()
    }
}
