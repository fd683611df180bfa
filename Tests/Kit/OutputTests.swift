import PotluckKit
import Testing

/// Output is the same on every machine.
@Suite struct OutputTests {
    private func octets(_ number: Double) -> [UInt8] {
        var output = Output()
        output.put(number)
        return output.octets
    }

    private func bits(_ random: inout RandomStream) -> UInt64 { UInt64(random.next()) << 32 | UInt64(random.next()) }

    private func little(_ bits: UInt64) -> [UInt8] {
        (0..<8 as Range<UInt64>).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }

    /// Processors differ in the sign and the payload of a NaN.
    @Test func everyNaNIsWrittenTheSame() {
        var random = stream(12)
        let one = random.real(in: 1..<2)
        let zero = one - one
        let made = [
            zero / zero, -(zero / zero), one / zero - one / zero, (-one).squareRoot(), .nan, -.nan, .signalingNaN,
        ]
        let given = (0..<1000).map { _ in
            Double(bitPattern: bits(&random) | 0x7ff0_0000_0000_0001)
        }
        for number in made + given {
            #expect(number.isNaN && octets(number) == little(Double.nan.bitPattern))
        }
    }

    @Test func aRowIsItsNumbers() {
        var random = stream(14)
        for nans in [0, 1, 7] {
            var numbers = (0..<50).map { _ in random.real(in: -1..<1) }
            for _ in 0..<nans { numbers[random.below(50)] = -.nan }
            for slice in [numbers[...], numbers[3..<20], numbers[..<0]] {
                var (row, single) = (Output(), Output())
                row.write("row")
                single.write("row")
                row.put(slice)
                for number in slice { single.put(number) }
                #expect(row.octets == single.octets)
            }
        }
    }

    @Test func everyNumberKeepsItsBits() {
        var random = stream(13)
        let given = (0..<1000).map { _ in Double(bitPattern: bits(&random)) }
        for number in given + [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude] where !number.isNaN {
            #expect(octets(number) == little(number.bitPattern))
        }
    }
}
