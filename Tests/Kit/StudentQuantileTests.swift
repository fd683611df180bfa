import PotluckKit
import Testing

@Suite struct StudentQuantileTests {
    /// Correct values, computed with mpmath and 50 digits.
    @Test(arguments: [
        (0.975, 1.0, 12.706204736174693314), (0.975, 3, 3.1824463052837084359), (0.975, 5, 2.5705818356363147828),
        (0.95, 10, 1.8124611228116758693), (0.995, 31, 2.7440419192942689588), (0.6, 7, 0.26316686135202275215),
        (0.501, 2.5, 0.0027638962690653825402), (0.025, 126, -1.9789706019906286827),
        (0.9, 999, 1.2823995700373974274), (0.975, 1000, 1.9623390808264081039),
        (0.999999, 1500, 4.7721815455239330856), (1e-9, 4, -234.02761040611893336),
        (1e-12, 20, -15.151149592103091798), (1e-300, 30, -50178575360.505080714),
        (1e-300, 5000, -39.74320948181748756),
        (1e-100, 1e5, -21.297598389715317752), (0.3, 1e9, -0.52440051287519294163),
        (1e-20, 0.5, -1.0284911563163401247e39), (1e-300, 1, -3.1830988618379066356e299),
    ])
    func knownValues(probability: Double, freedom: Double, number: Double) {
        let found = Maths.studentQuantile(probability, freedom: freedom)
        #expect((found / number - 1).magnitude <= (probability < 1e-12 ? 2e-13 : 5e-14), "\(found)")
    }

    /// With 2 and 4 degrees of freedom it has a closed form.
    @Test func closedForms() {
        for step in 1..<1000 where step != 500 {
            let p = Double(step) / 1000
            let product = 4 * p * (1 - p)
            let two = (2 * p - 1) / (product / 2).squareRoot()
            #expect((Maths.studentQuantile(p, freedom: 2) / two - 1).magnitude < 1e-13, "\(p)")
            let angle = cos(acos(product.squareRoot()) / 3) / product.squareRoot()
            let four = (p < 0.5 ? -2 : 2) * (angle - 1).squareRoot()
            // Near the middle the closed form loses digits.
            #expect((Maths.studentQuantile(p, freedom: 4) / four - 1).magnitude < 1e-9, "\(p)")
        }
    }

    @Test func itIsOddAndRisesWithTheProbability() {
        for freedom in [0.5, 1, 2.5, 7, 40, 159, 161, 999, 1000, 1e4, 1e6, 1e12] {
            var last = -Double.infinity
            for step in 1..<256 {
                let p = Double(step) / 256
                let found = Maths.studentQuantile(p, freedom: freedom)
                #expect(found > last && Maths.studentQuantile(1 - p, freedom: freedom) == -found, "\(p), \(freedom)")
                last = found
            }
        }
    }

    @Test func theEnds() {
        #expect(Maths.studentQuantile(0, freedom: 5) == -.infinity && Maths.studentQuantile(1, freedom: 5) == .infinity)
        #expect(Maths.studentQuantile(0.5, freedom: 5) == 0)
        #expect(Maths.studentQuantile(0.2, freedom: .infinity) == Maths.normalQuantile(0.2))
        for wrong in [-0.1, 1.1, .nan] { #expect(Maths.studentQuantile(wrong, freedom: 5).isNaN) }
        for wrong in [0.4, 0, -1, .nan] { #expect(Maths.studentQuantile(0.2, freedom: wrong).isNaN) }
    }
}
