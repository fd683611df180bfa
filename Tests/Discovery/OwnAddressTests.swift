import PotluckCore
import Testing

@testable import PotluckNet

/// The address that people are told.
@Suite struct OwnAddressTests {
    private func interface(_ kind: NetworkInterface.Kind, _ addresses: [UInt8]...) -> NetworkInterface {
        NetworkInterface(
            index: 1, name: "x", kind: kind, multicasts: true,
            addresses: addresses.map { .init(octets: $0, prefix: 24) })
    }

    private let loopback: [UInt8] = [127, 0, 0, 1]
    private let bridge: [UInt8] = [172, 17, 0, 1]
    private let card: [UInt8] = [10, 0, 0, 5]
    private let global: [UInt8] = [0x20, 1] + [UInt8](repeating: 3, count: 14)
    private let local: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 3, count: 14)
    private let automatic: [UInt8] = [169, 254, 1, 1]

    private func best(of interfaces: [NetworkInterface]) -> [UInt8]? { OwnAddress.ranked(interfaces).first }

    @Test func aNetworkCardIsBetterThanABridgeAndIPv4ThanIPv6() {
        let lo = interface(.loopback, loopback)
        #expect(best(of: []) == loopback && best(of: [lo]) == loopback)
        #expect(
            best(of: [lo, interface(.virtual, bridge), interface(.wireless, local, global, card)]) == card)
        #expect(best(of: [interface(.virtual, bridge), interface(.wired, local, global)]) == global)
        #expect(best(of: [lo, interface(.virtual, bridge)]) == bridge)
    }

    /// A browser takes no address that needs the name of an interface.
    @Test func linkLocalAddressesAreTheLast() {
        #expect(best(of: [interface(.wired, local)]) == loopback)
        #expect(best(of: [interface(.wired, local, automatic)]) == automatic)
        #expect(best(of: [interface(.wired, automatic), interface(.virtual, bridge)]) == bridge)
    }

    @Test func theFirstOfSeveralStays() {
        #expect(best(of: [interface(.wired, card), interface(.wireless, [10, 0, 0, 6])]) == card)
    }

    @Test func allAreThereTheBestFirst() {
        let interfaces = [
            interface(.loopback, loopback), interface(.virtual, bridge), interface(.wired, local, global, automatic),
            interface(.wireless, card),
        ]
        #expect(OwnAddress.ranked(interfaces) == [card, global, bridge, automatic])
    }
}
