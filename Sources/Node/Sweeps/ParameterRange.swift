import PotluckCore
import PotluckKit
import PotluckScreen

/// A range from which `potluck sensitivity` draws the values of a parameter: `0..1`, both ends included.
package struct ParameterRange {
    private enum Ends {
        case whole(Int64, Int64)
        case real(Double, Double)
    }

    package let name: String
    /// The parameter's place among those of the simulation.
    package let place: Int
    private let ends: Ends

    /// Returns nil if the text is no range: a single value.
    package init?(_ name: String, _ text: String, of simulation: AnySimulation) throws(UsageError) {
        guard let dots = text.firstRange(of: ".."),
            let place = simulation.parameters.firstIndex(where: { $0.label == name })
        else { return nil }
        let parameter = simulation.parameters[place]
        func slot(_ end: Substring) throws(UsageError) -> UInt64 {
            do throws(ParameterTextError) {
                return try parameter.slot(of: String(end))
            } catch {
                throw UsageError(ValueError(error.reason).message(value: String(end), of: "parameter '\(name)'"))
            }
        }
        let (low, high) = (try slot(text[..<dots.lowerBound]), try slot(text[dots.upperBound...]))
        switch parameter.domain {
        case .integer: ends = .whole(Int64(bitPattern: low), Int64(bitPattern: high))
        case .real: ends = .real(Double(bitPattern: low), Double(bitPattern: high))
        case .choice, .flag, .several: throw UsageError("parameter '\(name)' is no number, so it has no range")
        }
        let goesUp =
            switch ends {
            case .whole(let low, let high): low < high
            case .real(let low, let high): low < high
            }
        guard goesUp else { throw UsageError("the range of parameter '\(name)' goes up, as in 0..1") }
        (self.name, self.place) = (name, place)
    }

    /// Draws a value, as a slot.
    package func draw(_ random: inout RandomStream) -> UInt64 {
        switch ends {
        case .whole(let low, let high):
            UInt64(bitPattern: Int64(random.integer(in: Int(low)...Int(high))))
        case .real(let low, let high): (low + (high - low) * random.unit()).bitPattern
        }
    }
}
