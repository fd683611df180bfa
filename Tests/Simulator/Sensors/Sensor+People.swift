import PotluckCore
import PotluckEngine

@testable import PotluckSimulation

extension Sensor {
    /// Requests, answers and announced ends.
    static let ofPeople = [
        Sensor(.told, "did not hear how") { evening in
            evening.know(evening.order(), submitter: evening.bob.seat)
            evening.ana.observed.leads[evening.id]?.isOver = true
            evening.room.checkEnd()
        },
        Sensor(.told, "not every guest heard") { evening in
            evening.know(evening.order())
            evening.ana.observed.endings[evening.id] = .finished
            evening.room.checkEveryoneHeard()
        },
        Sensor(.told, "is lost, after its end") { evening in
            evening.know(evening.order())
            evening.bob.observed.endings[evening.id] = .finished
            evening.room.lost(evening.bob, evening.id)
        },
        Sensor(.told, "is told twice") { evening in
            evening.know(evening.order(.trap))
            evening.bob.observed.endings[evening.id] = .finished
            evening.room.failed(evening.bob, evening.id, "block 5 trapped")
        },
        Sensor(.answered, "has waited for an answer") { evening in
            _ = evening.wish(evening.bob, .takeOver)
            evening.room.checkEnd()
        },
        Sensor(.answered, "a request that does not wait for one") { evening in
            evening.room.answered(evening.bob, .taken(evening.id), 1)
        },
        Sensor(.answered, "another node's job") { evening in
            evening.know(evening.order(.plugin))
            let token = evening.wish(evening.bob, .order(evening.order(), evening.ticket()))
            evening.room.answered(evening.bob, .taken(evening.id), token)
        },
        Sensor(.answered, "the answer to another request") { evening in
            let token = evening.wish(evening.bob, .output(evening.id, evening.blob(1)))
            evening.room.answered(evening.bob, .taken(evening.id), token)
        },
        Sensor(.roles, "may only watch, but its order was taken") { evening in
            evening.room.guests = .watches
            let token = evening.wish(evening.bob, .order(evening.order(), evening.ticket()))
            evening.room.answered(evening.bob, .taken(evening.id), token)
        },
        Sensor(.roles, "may not cancel") { evening in
            evening.know(evening.order(), submitter: evening.ana.seat)
            let token = evening.wish(evening.bob, .command(.cancel, evening.id, ticket: nil))
            evening.room.answered(evening.bob, .taken(evening.id), token)
        },
        Sensor(.rest, "no user paused it") { evening in
            evening.know(evening.order())
            evening.does([.tell(.snapshot(evening.snapshot(.paused)))])
        },
    ]

    /// How nodes judge each other.
    static let ofNodes = [
        Sensor(.honest, "calls bob a liar") { evening in
            evening.know(evening.order())
            evening.does([.tell(.news(.liar(evening.id, evening.bob.node, name: "bob")))])
        },
        Sensor(.honest, "removed bob") { $0.room.removed($0.ana, $0.bob.node) },
        Sensor(.session, "broke the protocol") { evening in
            evening.room.perform(evening.ana, .session(.trouble(.protocolBroken(evening.bob.node, "a bad word"))))
        },
        Sensor(.session, "the session ended for bob") { evening in
            evening.room.perform(evening.bob, .session(.ended(.removed)))
        },
    ]
}
