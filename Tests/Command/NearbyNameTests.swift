import PotluckCore
import PotluckNet
import Testing

@testable import PotluckCommand

/// Which session a user means by a name.
@Suite struct NearbyNameTests {
    @Test func capitalsMakeNoDifference() {
        #expect(NearbyName.match("monty", among: ["Monty", "Lab"]) == .sameLetters("Monty"))
        #expect(NearbyName.match("Monty", among: ["monty", "Monty"]) == .typed)
        // Two sessions differ in capitals alone, so neither is meant for sure.
        #expect(NearbyName.match("MONTY", among: ["monty", "Monty"]) == .typed)
    }

    @Test func aMistypedNameIsRecognised() {
        #expect(NearbyName.match("Mnty", among: ["Lab", "Monty"]) == .similar("Monty"))
        #expect(NearbyName.match("Physics", among: ["Lab", "Monty"]) == .typed)
        #expect(NearbyName.match("Monty", among: []) == .typed)
    }

    @Test func theSessionsNearbyAreNamedWhereTheOneTypedIsMissing() {
        #expect(
            NearbyName.absence(of: "Physics", among: ["Monty", "Lab"])
                == "no session called 'Physics' nearby yet; sessions nearby: 'Lab', 'Monty'")
        #expect(NearbyName.absence(of: "Lab", among: ["Monty", "Lab"]) == nil)
        #expect(NearbyName.absence(of: "Lab", among: []) == nil)
        let many = (1...9).map { "room \($0)" }
        #expect(NearbyName.absence(of: "Lab", among: many)?.hasSuffix("'room 5', …") == true)
    }

    @Test func twoServersOfOneNameAreWarned() throws {
        let own = node(1)
        func warning(_ name: String, _ number: UInt8, _ mode: Mode, _ source: Sighting.Source = .beacon) -> String? {
            let session = SessionID(name)
            let entry = NodeEntry(
                announcement: Announcement(
                    node: node(number), mode: mode,
                    sessionHash: SessionHash(firstOctetsOf: [UInt8](repeating: 1, count: 8)), session: session,
                    name: "lab", port: 7077),
                standing: .present, trust: .unverified, sources: [source], host: nil, sameMachine: false,
                endpoints: [], since: .start)
            return SessionID("Monty").flatMap { NearbyName.namesake(of: $0, own: own, [name: [node(number): entry]]) }
        }
        #expect(warning("Monty", 2, .server) == "lab serves another session called 'Monty'; rename one of them")
        #expect(warning("monty", 2, .server) == "lab serves another session called 'monty'; rename one of them")
        #expect(warning("Monty", 1, .server) == nil)
        #expect(warning("Monty", 2, .peer) == nil)
        #expect(warning("Monty", 2, .server, .mdns) == nil)
        #expect(warning("Lab", 2, .server) == nil)
    }

    private func node(_ number: UInt8) -> NodeID { NodeID(firstOctetsOf: [UInt8](repeating: number, count: 16)) }
}
