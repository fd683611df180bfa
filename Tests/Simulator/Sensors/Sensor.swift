import PotluckEngine
import PotluckModel
import Testing

@testable import PotluckSimulator

/// Something wrong, and the law that has to find it: a law that nothing breaks says nothing.
struct Sensor: Sendable, CustomTestStringConvertible {
    let law: Failure.Law
    /// A part of what the law says, so that it is this check of the law's that finds it and no other.
    let says: String
    let spoil: @Sendable (Evening) throws -> Void

    init(_ law: Failure.Law, _ says: String, _ spoil: @escaping @Sendable (Evening) throws -> Void) {
        (self.law, self.says, self.spoil) = (law, says, spoil)
    }

    var testDescription: String { "\(law): \(says)" }

    static let all = ofResults + ofStopping + ofPeople + ofBounds + ofMessages + ofNodes + ofDisks + ofBlobs
}
