import PotluckLinks
import PotluckModel
import Testing

/// Who may try to come in.
@Suite struct DoorkeeperTests {
    private func address(_ number: Int) -> [UInt8] { [10, 0, UInt8(number >> 8), UInt8(number & 0xff)] }

    @Test func nobodyAloneKeepsTheDoorShut() {
        var door = Doorkeeper()
        let first = (0..<100).count { _ in door.admit(address(1), at: .start) }
        #expect(first == LinkLimits.strangersPerAddress)
        let others = (2..<100).count { door.admit(address($0), at: .start) }
        #expect(first + others == LinkLimits.strangers)
        door.leave(address(1), .nothing, at: .start)
        let next = door.admit(address(200), at: .start)
        #expect(next)
    }

    /// However fast somebody guesses, after ten it takes minutes; the neighbours notice nothing.
    @Test func guessersAreSlowedDownAndNobodyElse() {
        var door = Doorkeeper()
        var now = Instant.start
        var guesses = 0
        while now < .start + .seconds(600) {
            if door.admit(address(1), at: now) {
                guesses += 1
                door.leave(address(1), .wrongCode, at: now)
            }
            let isNeighbourIn = door.admit(address(2), at: now)
            #expect(isNeighbourIn)
            door.leave(address(2), .knewTheCode, at: now)
            now = now + .milliseconds(100)
        }
        // Ten at once; then 2, 4, 8, 16, 32 s and one a minute, with one forgiven each minute.
        #expect(guesses >= 20 && guesses <= 50)
    }

    @Test func whoKnowsTheCodeIsForgivenAtOnceAndOthersInTime() {
        var door = Doorkeeper()
        for _ in 0..<LinkLimits.wrongCodes - 1 {
            #expect(enter(&door, .wrongCode, at: .start))
        }
        #expect(enter(&door, .knewTheCode, at: .start))
        for _ in 0..<LinkLimits.wrongCodes { #expect(enter(&door, .wrongCode, at: .start)) }
        #expect(!enter(&door, .nothing, at: .start))
        let later = Instant.start + LinkLimits.forgiveness * LinkLimits.wrongCodes
        for _ in 0..<LinkLimits.wrongCodes { #expect(enter(&door, .wrongCode, at: later)) }
    }

    private func enter(_ door: inout Doorkeeper, _ outcome: Doorkeeper.Outcome, at now: Instant) -> Bool {
        guard door.admit(address(1), at: now) else { return false }
        door.leave(address(1), outcome, at: now)
        return true
    }

    @Test func memoryIsBounded() {
        var door = Doorkeeper()
        var most = 0
        for number in 0..<5000 {
            let now = Instant.start + .milliseconds(number)
            if door.admit(address(number), at: now) { door.leave(address(number), .wrongCode, at: now) }
            most = max(most, door.remembered)
        }
        #expect(most <= LinkLimits.addresses && most > LinkLimits.addresses / 2)
        var polite = Doorkeeper()
        for number in 0..<500 {
            if polite.admit(address(number), at: .start) { polite.leave(address(number), .knewTheCode, at: .start) }
        }
        #expect(polite.remembered == 0)
    }
}
