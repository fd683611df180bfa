import PotluckKit

/// How far a value is from another one that it should agree with, in standard errors.
package struct Distance: Equatable {
    package let standardErrors: Double

    package init(_ standardErrors: Double) { self.standardErrors = standardErrors }

    /// How far a reading is off its exact answer; nil if that is unknown.
    package init?(_ reading: Reading) {
        guard let value = reading.value, let exact = reading.exact, let half = reading.halfWidth, half > 0 else {
            return nil
        }
        self.init((value - exact).magnitude / (half / Reading.standardErrors))
    }

    /// A larger distance says nothing more.
    private static let most = 1e6

    package func text(_ unit: String) -> String { Figures.fixed(min(standardErrors, Self.most), 1) + " " + unit }

    /// A correct result is three standard errors off once in 370 runs, and five once in about two million.
    var ink: Ink { isImpossible ? .bad : standardErrors >= 3 ? .warning : .plain }

    /// Whether chance alone does not explain it.
    var isImpossible: Bool { standardErrors >= 5 }
}
