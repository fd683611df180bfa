import PotluckCore
import PotluckEngine
import PotluckKit

@testable import PotluckSimulation

extension Sensor {
    /// Results.
    static let ofResults = [
        Sensor(.exact, "something else was ordered") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, goal: Goal(trials: Evening.trials + 1)))
        },
        Sensor(.exact, "the job has fewer trials") { evening in
            let trials = (Truth.most + 1) * Evening.blockSize
            let order = evening.order(goal: Goal(trials: trials))
            evening.know(order)
            // No virtual job has so many blocks, so its course cannot be made.
            var result = evening.result(of: order)
            result = JobResult(
                spec: result.spec, trials: trials, tally: result.tally, readings: [], completion: .trials,
                elapsed: .seconds(1), nodes: result.nodes)
            evening.judge(result)
        },
        Sensor(.exact, "its tally is") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, tally: { $0[2] += 1 }))
        },
        // A moody simulation's marks may be anything, but its trials must be right.
        Sensor(.exact, "its tally counts") { evening in
            let order = evening.order(.moody)
            evening.know(order)
            evening.judge(evening.result(of: order, tally: { $0[0] -= 1 }))
        },
        Sensor(.exact, "add up to") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, shares: Evening.trials - 1))
        },
        Sensor(.exact, "its readings are not those of its tally") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, readings: []))
        },
        Sensor(.exact, "there is no solution") { evening in
            evening.judge(evening.searched { Best(key: $0.key - 1, point: $0.point) })
        },
        Sensor(.exact, "its best is") { evening in
            evening.judge(evening.searched { _ in Best() })
        },
        Sensor(.exact, "the shares of its nodes") { evening in
            evening.judge(evening.searched(shares: 7) { $0 })
        },
        Sensor(.exact, "its output is missing") { evening in
            let order = evening.order(collects: true)
            evening.know(order)
            evening.judge(evening.result(of: order))
        },
        Sensor(.exact, "its output is not that of its tally") { evening in
            let order = evening.order(collects: true)
            evening.know(order)
            evening.judge(evening.result(of: order, output: evening.blob(1)))
        },
        Sensor(.exact, "point 1 of its course is at") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(
                evening.result(
                    of: order, course: { $0[1] = CoursePoint(trials: $0[1].trials + 1, readings: $0[1].readings) }))
        },
        Sensor(.exact, "its course is wrong at") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(
                evening.result(of: order, course: { $0[1] = CoursePoint(trials: $0[1].trials, readings: []) }))
        },
        Sensor(.exact, "its course ends at") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, course: { $0.removeLast() }))
        },
        Sensor(.exact, "another output than that of") { evening in
            let token = evening.wish(evening.bob, .output(evening.id, evening.blob(1)))
            evening.room.answered(evening.bob, .output(evening.blob(2)), token)
        },
        Sensor(.exact, "without block 0") { evening in
            evening.room.seal(evening.ana, evening.id, 1)
            evening.wait(.seconds(1))
        },
        Sensor(.liar, "contains lies of") { evening in
            let order = evening.order()
            evening.know(order)
            evening.bob.character.lies = 1
            evening.bob.observed.lies[evening.id] = 1
            evening.judge(evening.result(of: order, tally: { $0[2] += 1 }))
        },
    ]

    /// Stop rules, progress and failures.
    static let ofStopping = [
        Sensor(.stop, "it should end at Optional(\(Evening.trials))") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, trials: Evening.trials / 2))
        },
        Sensor(.stop, "it should end at nil") { evening in
            let order = evening.order(goal: Goal(trials: Evening.trials, precision: .absolute(1e-9)))
            evening.know(order)
            evening.judge(evening.result(of: order, completion: .precision))
        },
        Sensor(.stop, "was precise enough at") { evening in
            let order = evening.order(goal: Goal(trials: 2 * Evening.trials, precision: .absolute(0.4)))
            evening.know(order)
            evening.judge(evening.result(of: order, completion: .stopped))
        },
        Sensor(.stop, "no block ends there") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, trials: Evening.trials / 2 + 1, completion: .stopped))
        },
        Sensor(.stop, "it had no time limit") { evening in
            let order = evening.order()
            evening.know(order)
            evening.judge(evening.result(of: order, trials: Evening.trials / 2, completion: .duration))
        },
        Sensor(.progress, "could compute") { evening in
            evening.know(evening.order())
            evening.ana.observed.leads[evening.id]?.state = .running
            evening.wait(Laws.patience + .seconds(1))
            evening.room.look()
        },
        Sensor(.ends, "never shown") { evening in
            evening.know(evening.order())
            evening.room.checkEnd()
        },
        Sensor(.named, "block 5 traps") { evening in
            evening.know(evening.order(.trap))
            evening.room.failed(evening.ana, evening.id, "something is wrong")
        },
        Sensor(.named, "it is not repeatable") { evening in
            evening.know(evening.order(.moody))
            evening.room.failed(evening.ana, evening.id, "something is wrong")
        },
        // All laptops have the rare simulation here.
        Sensor(.named, "failed: there is no such simulation") { evening in
            evening.know(evening.order(.rare))
            evening.room.failed(evening.ana, evening.id, "there is no such simulation")
        },
        Sensor(.named, "the simulation is sound") { evening in
            evening.know(evening.order())
            evening.room.failed(evening.ana, evening.id, "something is wrong")
        },
    ]
}
