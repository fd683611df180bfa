import PotluckCore

@testable import PotluckEngine
@testable import PotluckSimulation

extension Sensor {
    /// Sizes that must stay bounded.
    static let ofBounds = [
        Sensor(.bounded, "pictures of") { evening in
            for _ in 0...Laws.mostUnread {
                evening.room.read(
                    evening.ana, ReadRequest(job: evening.id, tally: [], trials: 0, purpose: .picture))
            }
        },
        Sensor(.bounded, "chunks wait on bob") { evening in
            evening.bob.bench.cores = 0
            for number in 0...UInt64(2 * LentChunk.most) {
                evening.room.compute(evening.bob, evening.task(number, blocks: 0..<1))
            }
        },
        Sensor(.bounded, "which do not exist") { evening in
            evening.room.compute(evening.bob, evening.task(1, blocks: Truth.most..<Truth.most + 1))
            evening.wait(.seconds(1))
        },
        // At most thirty-six blobs may be in transfer.
        Sensor(.bounded, "blobs at once") { evening in
            for number in 0..<37 as Range<UInt8> { evening.room.keepPart(evening.bob, evening.blob(number), 0, [1]) }
        },
        Sensor(.bounded, "octets in 1 messages wait") { evening in
            evening.plug()
            evening.room.transmit(evening.ana, evening.link, octets: Network.backlog + 1) { _ in .woke }
        },
        Sensor(.bounded, "has more than 32 links") { evening in
            evening.plug()
            let cable = evening.ana.network.links[evening.link]
            for number in 0..<32 as Range<UInt64> { evening.bob.network.links[.accepted(100 + number)] = cable }
            evening.room.dial(evening.ana, .dialled(2), .address(host: "bob", port: 1))
            evening.wait(.seconds(1))
        },
        Sensor(.bounded, "has lent 0 chunks") { $0.sends(.lend($0.id, [])) },
        Sensor(.bounded, "a drop without attempts") { $0.sends(.drop($0.id, attempts: [])) },
        Sensor(.bounded, "has \(Laws.mostInTable + 1) elements in the table .heap") { evening in
            evening.room.check(evening.ana, Tables(of: (heap: [Int](repeating: 0, count: Laws.mostInTable + 1), 0)))
        },
        Sensor(.wake, "requests a wake-up at") { evening in
            evening.does([.wake(at: evening.ana.clock.local(evening.room.now))])
        },
        Sensor(.storm, "\(Laws.mostEvents + 1) events") { evening in
            evening.room.events = Laws.mostEvents + 1
            evening.does([])
        },
        Sensor(.storm, "effects after") { evening in
            evening.does(
                (0...Laws.mostEffects).map { .job(.discard(evening.blob(UInt8(truncatingIfNeeded: $0)).hash)) })
        },
    ]

    /// Messages.
    static let ofMessages = [
        Sensor(.wire, "cannot be decoded") { evening in
            let message = Message.job(.ready(evening.id))
            _ = evening.room.read(message.encoded().dropLast(), as: message, from: evening.ana)
        },
        Sensor(.wire, "the receiver skips") { evening in
            // An unknown kind of message.
            _ = evening.room.read([0x7f], as: .job(.ready(evening.id)), from: evening.ana)
        },
        Sensor(.wire, "was decoded as job") { evening in
            // An unknown field is skipped when read, and missing when written again.
            let message = Message.job(.ready(evening.id))
            _ = evening.room.read(message.encoded() + [0x7f, 1, 1], as: message, from: evening.ana)
        },
        Sensor(.paused, "lends chunks of the paused") { evening in
            evening.know(evening.order())
            evening.ana.observed.leads[evening.id]?.state = .paused
            evening.sends(.lend(evening.id, [LentChunk(attempt: 1, blocks: 0..<1)]))
        },
    ]

    /// Journals.
    static let ofDisks = [
        Sensor(.kept, "records changes but has no journal") { evening in
            evening.bob.disk = nil
            evening.room.record(evening.bob, [.forgotten(evening.id)])
        },
        Sensor(.kept, "before it has told how it ended") { evening in
            evening.know(evening.order())
            evening.ana.disk = VirtualDisk()
            evening.room.record(evening.ana, [.forgotten(evening.id)])
        },
        Sensor(.kept, "its journal has lost it") { evening in
            evening.know(evening.order())
            evening.ana.disk = VirtualDisk()
            evening.ana.disk?.promised.insert(evening.id)
            evening.room.checkDisk(evening.ana)
        },
        Sensor(.kept, "would resume it") { evening in
            evening.know(evening.order())
            evening.ana.disk = VirtualDisk()
            evening.ana.disk?.append([
                .accepted(JobRecord(id: evening.id, spec: [], simulation: "even", submitter: "bob", acceptedAt: 0))
            ])
            _ = evening.ana.disk?.commit()
            evening.ana.disk?.stopped.insert(evening.id)
            evening.room.checkDisk(evening.ana)
        },
    ]

    /// Blobs.
    static let ofBlobs = [
        Sensor(.modules, "the part at 0 twice") { evening in
            for _ in 0..<2 { evening.room.keepPart(evening.bob, evening.blob(1), 0, [1]) }
        },
        Sensor(.modules, "of which no part arrived") { $0.room.shelve($0.bob, $0.blob(1)) },
        Sensor(.modules, "has a part at 2 after 1 bytes of a blob") { evening in
            for offset in [0, 2] { evening.room.keepPart(evening.bob, evening.blob(1), offset, [1]) }
            evening.room.shelve(evening.bob, evening.blob(1))
        },
        Sensor(.modules, "has 1 of 3 bytes of a blob") { evening in
            evening.room.keepPart(evening.bob, evening.blob(1), 0, [1])
            evening.room.shelve(evening.bob, evening.blob(1))
        },
    ]
}
