import PotluckKit
import PotluckSystem
import Testing

@testable import PotluckMachine

/// What the chunks of a search on one machine tell each other, and the other nodes.
@Suite struct SharedBestTests {
    @Test func onlyOwnFindsAreTold() {
        let told = Guarded<[Best]>([])
        let best = SharedBest { better in told.with { $0.append(better) } }
        best.learn(Best(key: 9, point: 1))
        #expect(best.merge(Best()) == Best(key: 9, point: 1))
        #expect(best.merge(Best(key: 9, point: 1)) == Best(key: 9, point: 1))
        #expect(best.merge(Best(key: 7, point: 4)) == Best(key: 7, point: 4))
        #expect(best.merge(Best(key: 8, point: 0)) == Best(key: 7, point: 4))
        #expect(told.with { $0 } == [Best(key: 7, point: 4)])
    }
}
