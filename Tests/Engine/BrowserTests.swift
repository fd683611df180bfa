import PotluckKit
import Testing

@testable import PotluckCore
@testable import PotluckEngine

/// A browser's work is believed less than a program's, and an order may do without it.
@Suite struct BrowserTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let browser = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))
    private static let laptop = NodeID(firstOctetsOf: [UInt8](repeating: 3, count: 16))
    private static let id = JobID(7)
    private static let ticket = JobTicket([UInt8](repeating: 3, count: JobTicket.length))!

    private static func run(takesBrowsers: Bool = true) -> JobRun {
        var order = VirtualNode.order(seed: 5, goal: Goal())
        order.takesBrowsers = takesBrowsers
        let taken = TakenJob(order: order, ticket: ticket, submitter: own, submitterName: "ana")
        var run = JobRun(
            id: id, taken, facts: VirtualNode.facts, kept: nil, epoch: 0, own: own, seed: 1, now: .start)
        run.joined(own, now: .start)
        run.joined(browser, isBrowser: true, now: .start)
        run.joined(laptop, now: .start)
        return run
    }

    private static func workers() -> OrderedTable<NodeID, Worker> {
        var workers = OrderedTable<NodeID, Worker>()
        workers[own] = Worker(node: own, name: "ana", cores: 1)
        workers[browser] = Worker(node: browser, name: "bo", address: [10, 0, 0, 2], cores: 1, isBrowser: true)
        workers[laptop] = Worker(node: laptop, name: "cy", address: [10, 0, 0, 3], cores: 1)
        return workers
    }

    /// One block in ten, whatever the size of a chunk.
    @Test(arguments: [1, 3, 10, 50] as [UInt64])
    func oneBlockInTenIsAudited(size: UInt64) {
        var run = Self.run()
        run.workerProgress.change(Self.browser) { $0.chunks = 1 << 30 }
        let chunks = 40_000 / size
        var audited: UInt64 = 0
        for number in 0..<chunks where run.wantsAudit(Self.browser, number * size..<(number + 1) * size) {
            audited += 1
        }
        #expect(abs(Double(audited) * 10 / Double(chunks) - 1) < 0.15, "\(audited) of \(chunks)")
    }

    /// Two pages say that a block fails. Laptops compute it, so the simulation is not the cause.
    @Test func pagesAloneFailNoJob() {
        var run = Self.run()
        var turn = Turn(now: .start, keepsJournal: false)
        let second = NodeID(firstOctetsOf: [UInt8](repeating: 4, count: 16))
        run.joined(second, isBrowser: true, now: .start)
        var workers = Self.workers()
        workers[second] = Worker(node: second, name: "di", address: [10, 0, 0, 4], cores: 1, isBrowser: true)
        for node in workers.keys {
            run.ready(node, now: .start)
            run.workerProgress.change(node) { $0.chunks = 1 }
        }
        run.count(workers, .start)
        for round in 0..<20 {
            for node in [Self.browser, second] {
                guard case .chunk(let chunk) = run.next(for: workers[node]!, workers, mostBlocks: 1, &turn) else {
                    continue
                }
                run.failed(chunk.attempt, block: chunk.blocks.lowerBound, "no", at: node, name: "x", &turn)
            }
            #expect(!run.isOver, "round \(round)")
        }
    }

    @Test func anOrderMayDoWithoutBrowsers() {
        let workers = Self.workers()
        let (all, programs) = (Self.run(), Self.run(takesBrowsers: false))
        #expect(workers.elements.allSatisfy { all.isAllowed($0.value) })
        #expect(workers.elements.filter { programs.isAllowed($0.value) }.map(\.key) == [Self.own, Self.laptop])
    }

    /// What browsers computed, and how much of it a program computed again, stands in the rows.
    @Test func rowsShowRecomputedTrials() {
        var run = Self.run()
        let workers = Self.workers()
        run.workerProgress.change(Self.browser) { ($0.trials, $0.recomputed) = (100, 10) }
        run.workerProgress.change(Self.laptop) { $0.trials = 300 }
        let rows = run.snapshot(.running, workers, now: .start).nodes
        #expect(rows.map(\.recomputed) == [nil, 10, nil])
        #expect(rows.browsers == BrowserShare(trials: 100, recomputed: 10, of: 400))
        #expect(rows.filter { $0.recomputed == nil }.browsers == nil)
    }

    /// A browser says where it runs through its gateway. Who is neither on this computer nor a node of the session is
    /// not believed: it could get another laptop removed.
    @Test func onlyAGatewayMayNameABrowsersAddress() throws {
        let claimed: [UInt8] = [10, 0, 0, 77]
        for (from, device) in [([127, 0, 0, 1], claimed), ([10, 0, 0, 9], [10, 0, 0, 9])] as [([UInt8], [UInt8])] {
            let founding = Founding(1)
            let setup = SessionSetup(
                node: Self.own, name: "ana", cores: 1,
                session: SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length)), mode: .server,
                founding: founding, seed: 1)
            var machine = SessionMachine(setup, now: .start)
            let link = LinkName.accepted(1)
            _ = machine.handle(.opened(link, address: from), at: .start)
            let hello = Introduction(
                session: setup.session, mode: .client, name: "bo", cores: 1, dial: 1, kind: .browser(at: claimed))
            _ = machine.handle(.greeted(link, hello, by: Self.browser), at: .start)
            #expect(machine.addresses(of: Self.browser) == [device])
        }
    }

    @Test func aServerIsNoBrowser() {
        let setup = SessionSetup(
            node: Self.own, name: "ana", cores: 1,
            session: SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length)), mode: .peer, seed: 1)
        var machine = SessionMachine(setup, now: .start)
        let link = LinkName.accepted(1)
        _ = machine.handle(.opened(link, address: [10, 0, 0, 9]), at: .start)
        let hello = Introduction(
            session: setup.session, mode: .peer, name: "bo", cores: 1, dial: 1, kind: .browser(at: [10, 0, 0, 9]))
        let outputs = machine.handle(.greeted(link, hello, by: Self.browser), at: .start)
        #expect(machine.members[Self.browser] == nil, "\(outputs)")
    }
}
