import PotluckCore
import PotluckNet
import Testing

/// Which connections may attempt a handshake.
@Suite struct DoorkeeperTests {
    /// A doorkeeper and the connections that have a place.
    private final class Door {
        var keeper: Doorkeeper
        var last: UInt32 = 0
        var inside: [UInt32] = []

        init(_ places: Doorkeeper.Places = .usual) { keeper = Doorkeeper(places) }

        /// Returns the connection's number, or nil if it was refused.
        func admit(_ address: [UInt8], at now: Instant) -> UInt32? {
            last += 1
            guard case .admitted(let gone) = keeper.admit(last, from: address, at: now) else { return nil }
            inside.removeAll { $0 == gone }
            inside.append(last)
            return last
        }

        func mayAttemptHandshake(_ connection: UInt32, at now: Instant) -> Bool {
            keeper.mayAttemptHandshake(connection, at: now)
        }

        func leave(_ connection: UInt32, _ outcome: Doorkeeper.Outcome, at now: Instant) {
            inside.removeAll { $0 == connection }
            keeper.leave(connection, outcome, at: now)
        }

        /// Admits a connection, which attempts a handshake and leaves at once. Returns false if it was refused.
        func enter(_ address: [UInt8], _ outcome: Doorkeeper.Outcome, at now: Instant) -> Bool {
            guard let connection = admit(address, at: now) else { return false }
            let isPermitted = mayAttemptHandshake(connection, at: now)
            leave(connection, isPermitted ? outcome : .nothing, at: now)
            return isPermitted
        }
    }

    private func address(_ number: Int) -> [UInt8] { [10, 0, UInt8(number >> 8), UInt8(number & 0xff)] }

    /// Devices of a room may share the address of a router.
    @Test func thereAreMorePlacesWhereBrowsersAreServed() {
        let door = Door(.withTexts)
        let first = (0..<400).compactMap { _ in door.admit(address(1), at: .start) }
        #expect(first.count == LinkLimits.strangersPerAddressWithTexts)
        for number in 2..<600 { _ = door.admit(address(number), at: .start) }
        #expect(door.inside.count == LinkLimits.strangersWithTexts)
    }

    /// A browser keeps its connection for the next request.
    @Test func anAnsweredConnectionGoesFirstUnlessItAsksAgain() throws {
        let door = Door()
        let inside = (0..<LinkLimits.strangersPerAddress).compactMap { _ in door.admit(address(1), at: .start) }
        for connection in inside.prefix(2) { door.keeper.serve(connection) }
        door.keeper.serve(inside[0], false)
        #expect(door.admit(address(1), at: .start) != nil && door.inside.contains(inside[0]))
        #expect(!door.inside.contains(inside[1]) && door.admit(address(1), at: .start) == nil)
    }

    @Test func nobodyAloneKeepsTheDoorShut() {
        let door = Door()
        let first = (0..<100).compactMap { _ in door.admit(address(1), at: .start) }
        #expect(first.count == LinkLimits.strangersPerAddress)
        let others = (2..<100).count { door.admit(address($0), at: .start) != nil }
        #expect(first.count + others == LinkLimits.strangers)
        door.leave(first[0], .nothing, at: .start)
        #expect(door.admit(address(200), at: .start) != nil)
    }

    /// A newcomer gets a place, however many connections arrive from however many addresses.
    @Test func aNewcomerGetsAPlaceAtAFullDoor() {
        for addresses in [8, 20, 64, 1000] {
            let door = Door()
            for number in 0..<1000 { _ = door.admit(address(number % addresses), at: .start) }
            #expect(door.inside.count == LinkLimits.strangers)
            #expect(door.admit(address(5000), at: .start) == nil, "those there have not had the time for a handshake")
            let later = Instant.start + LinkLimits.firmPlace
            let newcomer = door.admit(address(5000), at: later)
            #expect(newcomer != nil && door.inside.count == LinkLimits.strangers)
            // The flood continues, and the newcomer has time for its handshake.
            for number in 0..<1000 { _ = door.admit(address(number % addresses), at: later + .milliseconds(10)) }
            #expect(door.inside.contains { $0 == newcomer })
        }
    }

    /// When hundreds reconnect at once, no connection is closed during its handshake while others become links.
    @Test func nobodyMakesPlaceWhileTheDoorMoves() {
        let door = Door()
        var waiting = (0..<LinkLimits.strangers).compactMap { door.admit(address($0), at: .start) }
        var now = Instant.start
        while !waiting.isEmpty {
            now = now + LinkLimits.firmPlace / 2
            door.leave(waiting.removeFirst(), .knewTheCode, at: now)
            for number in 0..<10 { _ = door.admit(address(1000 + number), at: now) }
            #expect(waiting.allSatisfy(door.inside.contains))
        }
        #expect(door.inside.count == LinkLimits.strangers)
        // After that, a connection that sends nothing soon gives up its place again.
        #expect(door.admit(address(5000), at: now + LinkLimits.firmPlace * 3) != nil)
    }

    /// An address that connects again and again takes no place from an address that connected once.
    @Test func placesAreTakenFromTheBusiestAddress() {
        let door = Door()
        let single = (0..<LinkLimits.strangers - 8).compactMap { door.admit(address($0), at: .start) }
        for _ in 0..<8 { #expect(door.admit(address(2000), at: .start) != nil) }
        let later = Instant.start + .seconds(1)
        #expect(door.admit(address(2000), at: later) == nil)
        for number in 3000..<3007 { #expect(door.admit(address(number), at: later) != nil) }
        #expect(single.allSatisfy(door.inside.contains), "seven of the eight made place")
    }

    /// A connection that was answered gives up its place at once, also to others from its address.
    @Test func theAnsweredMakePlace() {
        for addresses in [1, 3, 64, 1000] {
            let door = Door()
            for number in 0..<1000 {
                let visitor = door.admit(address(number % addresses), at: .start)
                #expect(visitor != nil)
                if let visitor { door.keeper.serve(visitor) }
                #expect(door.inside.count <= LinkLimits.strangers)
            }
            #expect(door.admit(address(0), at: .start) != nil)
        }
    }

    /// However fast a node guesses, it needs minutes after ten guesses. Other nodes are not affected.
    @Test(arguments: [Doorkeeper.Places.usual, .withTexts])
    func guessersAreSlowedDownAndNobodyElse(_ places: Doorkeeper.Places) {
        let door = Door(places)
        var now = Instant.start
        var guesses = 0
        while now < .start + .seconds(600) {
            if door.enter(address(1), .wrongCode, at: now) { guesses += 1 }
            #expect(door.enter(address(2), .knewTheCode, at: now))
            now = now + .milliseconds(100)
        }
        // Ten at once; then after 2, 4, 8, 16 and 32 s, and then one a minute, with one forgotten each minute.
        #expect(guesses >= 20 && guesses <= 50)
    }

    /// A router gives its address to a guesser and to the browsers of a whole room.
    @Test func aGuesserShutsOutNoBrowserOfItsAddress() throws {
        let door = Door(.withTexts)
        for _ in 0..<LinkLimits.wrongCodes { #expect(door.enter(address(1), .wrongCode, at: .start)) }
        let browsers = (0..<400).compactMap { _ in door.admit(address(1), at: .start) }
        #expect(browsers.count == LinkLimits.strangersPerAddressWithTexts, "as many as of any other address")
        #expect(browsers.allSatisfy { !door.mayAttemptHandshake($0, at: .start) })
        #expect(door.enter(address(2), .knewTheCode, at: .start))
        for browser in browsers { door.leave(browser, .nothing, at: .start) }
        // After the pause its handshakes come one at a time.
        let later = Instant.start + LinkLimits.slowdown.first
        let three = (0..<3).compactMap { _ in door.admit(address(1), at: later) }
        try #require(three.count == 3)
        #expect(door.mayAttemptHandshake(three[0], at: later))
        #expect(!door.mayAttemptHandshake(three[1], at: later))
        door.leave(three[0], .nothing, at: later)
        #expect(door.mayAttemptHandshake(three[2], at: later))
    }

    @Test func aConnectionFromBeforeTheWrongCodesIsRefusedToo() throws {
        let door = Door(.withTexts)
        let early = try #require(door.admit(address(1), at: .start))
        for _ in 0..<LinkLimits.wrongCodes { #expect(door.enter(address(1), .wrongCode, at: .start)) }
        #expect(!door.mayAttemptHandshake(early, at: .start))
        door.leave(early, .nothing, at: .start)
        #expect(!door.mayAttemptHandshake(early, at: .start), "it has no place any more")
    }

    @Test(arguments: [Doorkeeper.Places.usual, .withTexts])
    func aRightCodeForgivesAtOnceAndTimeForgivesOthers(_ places: Doorkeeper.Places) {
        let door = Door(places)
        for _ in 0..<LinkLimits.wrongCodes - 1 { #expect(door.enter(address(1), .wrongCode, at: .start)) }
        #expect(door.enter(address(1), .knewTheCode, at: .start))
        for _ in 0..<LinkLimits.wrongCodes { #expect(door.enter(address(1), .wrongCode, at: .start)) }
        #expect(!door.enter(address(1), .nothing, at: .start))
        let later = Instant.start + LinkLimits.forgiveness * LinkLimits.wrongCodes
        for _ in 0..<LinkLimits.wrongCodes { #expect(door.enter(address(1), .wrongCode, at: later)) }
    }

    @Test func memoryIsBounded() {
        let door = Door()
        var most = 0
        for number in 0..<5000 {
            _ = door.enter(address(number), .wrongCode, at: .start + .milliseconds(number))
            most = max(most, door.keeper.remembered)
        }
        #expect(most <= LinkLimits.addresses && most > LinkLimits.addresses / 2)
        let polite = Door()
        for number in 0..<500 { _ = polite.enter(address(number), .knewTheCode, at: .start) }
        #expect(polite.keeper.remembered == 0)
    }
}
