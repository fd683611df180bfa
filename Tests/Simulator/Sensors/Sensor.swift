import PotluckCore
import PotluckEngine
import Testing

@testable import PotluckSimulation

/// A violation, and the law that must detect it. A law that nothing breaks proves nothing.
struct Sensor: Sendable, CustomTestStringConvertible {
    let law: PotluckSimulation.Failure.Law
    /// A part of the law's message, which identifies the check.
    let says: String
    let spoil: @Sendable (Evening) throws -> Void

    init(_ law: PotluckSimulation.Failure.Law, _ says: String, _ spoil: @escaping @Sendable (Evening) throws -> Void) {
        (self.law, self.says, self.spoil) = (law, says, spoil)
    }

    var testDescription: String { "\(law): \(says)" }

    static let all = ofResults + ofStopping + ofPeople + ofBounds + ofMessages + ofNodes + ofDisks + ofBlobs + ofScreens
}
