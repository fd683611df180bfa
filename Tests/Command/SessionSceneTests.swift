import Potluck
import PotluckModel
import Testing

@testable import PotluckCommand

/// What a session tells its user.
@Suite struct SessionSceneTests {
    @Test func anotherCodeIsToldOnceHoweverManyAddressesAHostHas() {
        let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
        var scene = SessionScene(id: "Monty", mode: .client, own: own, ownName: "ana", port: 7077)
        let first = scene.apply(.trouble(.otherCodeAt(host: "10.0.0.1", port: 7077)), at: .start)?.text
        let second = scene.apply(.trouble(.otherCodeAt(host: "10.9.0.1", port: 7077)), at: .start)?.text
        #expect(first?.hasPrefix("Monty at 10.0.0.1:7077 has another join code; still looking.") == true)
        #expect(second == nil)
        #expect(scene.refusal == "Monty at 10.0.0.1:7077 has other words than yours")
        let other = scene.apply(.trouble(.unreachable(host: "10.9.0.2", port: 7077)), at: .start)?.text
        #expect(other == "10.9.0.2:7077 does not answer; retrying")
    }
}
