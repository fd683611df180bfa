import PotluckCore
import Testing

@Suite struct EndpointTests {
    @Test(
        arguments: [
            ([10, 0, 0, 1], 0, "10.0.0.1:7077"),
            ([UInt8](repeating: 0, count: 15) + [1], 0, "[::1]:7077"),
            ([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [9], 3, "[fe80::9%3]:7077"),
            ([0x20, 1, 0x0d, 0xb8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 0, "[2001:db8:0:1::]:7077"),
            ([0x20, 1, 0x0d, 0xb8, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0xab, 0xcd], 0, "[2001:db8:1:1:1:0:1:abcd]:7077"),
        ] as [([UInt8], UInt32, String)])
    func addressesAsPeopleReadThem(octets: [UInt8], scope: UInt32, text: String) {
        #expect(Endpoint(octets: octets, scope: scope, port: 7077)?.description == text)
    }

    @Test func onlyFourOrSixteenOctetsAreAnAddress() {
        for count in 0...20 {
            let endpoint = Endpoint(octets: [UInt8](repeating: 1, count: count), port: 1)
            #expect((endpoint != nil) == (count == 4 || count == 16))
        }
    }
}
