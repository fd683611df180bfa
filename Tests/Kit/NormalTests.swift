import Foundation
import PotluckKit
import Testing

@Suite struct NormalTests {
    /// Correct values, computed with 50 digits.
    @Test(arguments: [
        (-8.0, 6.2209605742717841235e-16), (-5, 2.8665157187919391167e-7), (-3, 0.0013498980316300945267),
        (-2.999, 0.0013543365337271061616), (-1.5, 0.066807201268858066004), (-0.25, 0.40129367431707627576), (0, 0.5),
        (0.7, 0.75803634777692697138), (1, 0.84134474606854294859), (2.5, 0.99379033467422386483),
        (3, 0.99865010196836990547), (4, 0.99996832875816688008),
    ])
    func knownValues(x: Double, below: Double) {
        #expect((Maths.normal(below: x) - below).magnitude <= 1e-15)
        #expect((Maths.normal(below: x) / below - 1).magnitude <= (x == -8 || x == -5 ? 1e-14 : 1e-12))
    }

    @Test func itAgreesWithTheSystemsEverywhere() {
        for step in -4000...4000 {
            let x = Double(step) / 100
            #expect((Maths.normal(below: x) - Foundation.erfc(-x / 2.0.squareRoot()) / 2).magnitude <= 1e-15)
        }
    }

    @Test func theEnds() {
        #expect(Maths.normal(below: -.infinity) == 0 && Maths.normal(below: .infinity) == 1)
        #expect(Maths.normal(below: -1e300) == 0 && Maths.normal(below: 1e300) == 1)
        #expect(Maths.normal(below: .nan).isNaN)
        #expect(Maths.normal(below: 3) >= Maths.normal(below: 3.0.nextDown))
    }

    /// Correct values, computed with 50 digits.
    @Test(arguments: [
        (1e-15, -7.9413453261709967713), (1e-50, -14.933337534788488981), (1e-300, -37.047096299361199237),
        (0x1p-1074, -38.467405617144346251), (0.999999999999, 7.0344869100478352057), (0.07, -1.4757910281791706856),
        (0.3, -0.52440051270804081597), (0.975, 1.9599639845400542355),
    ])
    func knownQuantiles(probability: Double, number: Double) {
        #expect((Maths.normalQuantile(probability) / number - 1).magnitude <= 1e-15)
    }

    @Test func theEndsOfTheQuantile() {
        #expect(Maths.normalQuantile(0) == -.infinity && Maths.normalQuantile(1) == .infinity)
        #expect(Maths.normalQuantile(0.5) == 0)
        for wrong in [-0.1, 1.1, .nan, .infinity, -.infinity] { #expect(Maths.normalQuantile(wrong).isNaN) }
    }
}
