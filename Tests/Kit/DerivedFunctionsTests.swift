import Foundation
import PotluckKit
import Testing

/// The plain names of mathematical functions, and those functions that are made of others.
@Suite struct DerivedFunctionsTests {
    /// The distance of two results in units of the last place of the second.
    private func ulps(_ ours: Double, _ theirs: Double) -> Double {
        ours == theirs || ours.isNaN && theirs.isNaN ? 0 : (ours - theirs).magnitude / theirs.ulp
    }

    /// The C library is off by less than one unit, so the bounds are a unit larger than those that are promised.
    @Test func theyAreNearTheCLibrarys() {
        var random = stream(77)
        for _ in 0..<20_000 {
            let wide = (random.unit() - 0.5) * PotluckKit.exp(random.real(in: -20..<20))
            let share = random.real(in: -1..<1)
            #expect(ulps(Maths.atan(wide), Foundation.atan(wide)) <= 2, "atan(\(wide))")
            #expect(ulps(Maths.tan(wide), Foundation.tan(wide)) <= 3, "tan(\(wide))")
            #expect(ulps(Maths.atan2(share, wide), Foundation.atan2(share, wide)) <= 3, "atan2(\(share), \(wide))")
            #expect(ulps(Maths.asin(share), Foundation.asin(share)) <= 4, "asin(\(share))")
            #expect(ulps(Maths.acos(share), Foundation.acos(share)) <= 4, "acos(\(share))")
            let size = wide.magnitude
            #expect(ulps(Maths.log2(size), Foundation.log2(size)) <= 3, "log2(\(size))")
            #expect(ulps(Maths.log10(size), Foundation.log10(size)) <= 3, "log10(\(size))")
        }
    }

    @Test func wholeNumbersAreThoseOfTheCLibrary() {
        var random = stream(78)
        let special = [
            0, -0.0, 0.5, -0.5, 1.5, -2.5, 0.49999999999999994, 0x1p52, -0x1p53, .infinity, -.infinity, .nan,
        ]
        let drawn = (0..<20_000).map { _ in (random.unit() - 0.5) * PotluckKit.exp(random.real(in: -5..<40)) }
        for x in special + drawn {
            for (ours, theirs) in [
                (PotluckKit.floor(x), Foundation.floor(x)), (PotluckKit.ceil(x), Foundation.ceil(x)),
                (PotluckKit.trunc(x), Foundation.trunc(x)), (PotluckKit.round(x), Foundation.round(x)),
            ] {
                #expect(ours.bitPattern == theirs.bitPattern || ours.isNaN && theirs.isNaN, "\(x)")
            }
        }
    }

    @Test func exactValuesAreComputedExactly() {
        for exponent in -1074...1023 {
            #expect(Maths.log2(Double(sign: .plus, exponent: exponent, significand: 1)) == Double(exponent))
        }
        var power = 1.0
        for exponent in 0...22 {
            #expect(Maths.log10(power) == Double(exponent))
            power *= 10
        }
        #expect(PotluckKit.sqrt(2.25) == 1.5 && PotluckKit.pow(2, 10) == 1024 && Maths.atan2(0, -1) == .pi)
        #expect(Maths.atan2(-1, -1) == -0.75 * .pi && Maths.atan(.infinity) == 0.5 * .pi)
        #expect(Maths.asin(2).isNaN && Maths.acos(-2).isNaN && Maths.log2(-1).isNaN && Maths.log10(0) == -.infinity)
    }

    /// Every plain name is the kit's function and not the C library's, for both kinds of real numbers.
    @Test func plainNamesAreTheKits() {
        let (x, y) = (0.7310585786300049, 1.25)
        let (small, other) = (Float(x), Float(y))
        #expect(PotluckKit.log(x) == Maths.log(x) && PotluckKit.log(small) == Float(Maths.log(Double(small))))
        #expect(PotluckKit.exp(x) == Maths.exp(x) && PotluckKit.exp(small) == Float(Maths.exp(Double(small))))
        #expect(PotluckKit.sin(x) == Maths.sin(x) && PotluckKit.sin(small) == Float(Maths.sin(Double(small))))
        #expect(PotluckKit.cos(x) == Maths.cos(x) && PotluckKit.cos(small) == Float(Maths.cos(Double(small))))
        #expect(PotluckKit.tan(x) == Maths.tan(x) && PotluckKit.tan(small) == Float(Maths.tan(Double(small))))
        #expect(PotluckKit.pow(x, y) == Maths.pow(x, y))
        #expect(PotluckKit.pow(small, other) == Float(Maths.pow(Double(small), Double(other))))
        #expect(PotluckKit.atan2(x, y) == Maths.atan2(x, y) && PotluckKit.atan(x) == Maths.atan(x))
        #expect(PotluckKit.asin(x) == Maths.asin(x) && PotluckKit.acos(x) == Maths.acos(x))
        #expect(PotluckKit.floor(small) == 0 && PotluckKit.ceil(small) == 1 && PotluckKit.round(-small) == -1)
    }

    /// The bits are part of what a seed means.
    @Test func bitsAreTheSameEverywhere() {
        var random = stream(79)
        var digest: UInt64 = 0
        for _ in 0..<10_000 {
            let (x, y) = (random.real(in: -1..<1), random.real(in: -50..<50))
            let results = [
                Maths.atan(y), Maths.atan2(x, y), Maths.tan(y), Maths.asin(x), Maths.acos(x), Maths.log2(y.magnitude),
                Maths.log10(y.magnitude), Maths.floor(y), Maths.round(y),
            ]
            for result in results { digest = (digest ^ result.bitPattern) &* 0x100_0000_01b3 ^ digest >> 29 }
        }
        #expect(digest == 0x7098_c853_6888_ccb3)
    }
}
