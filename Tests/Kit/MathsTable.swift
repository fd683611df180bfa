import Foundation
import PotluckKit

/// The functions under test, with the names that the table uses.
enum Elementary: String, CaseIterable {
    case log, exp, sin, cos, pow
    case cbrt, hypot, log1p, expm1, sinh, cosh, tanh, erf, erfc, gamma, lgamma

    /// The greatest error in ulp that the doc comments promise.
    var bound: Double {
        switch self {
        case .log: 0.52
        case .exp: 0.53
        case .sin, .cos: 0.85
        case .pow: 0.6
        case .cbrt: 0.67
        case .hypot: 0.51
        case .log1p: 0.7
        case .expm1, .sinh, .cosh, .tanh: 0.9
        case .erf: 0.95
        case .erfc: 2.3
        case .gamma, .lgamma: 1.4
        }
    }

    /// Whether it has a second argument.
    var isOfTwo: Bool { self == .pow || self == .hypot }

    func callAsFunction(_ x: Double, _ y: Double = 0) -> Double {
        switch self {
        case .log: Maths.log(x)
        case .exp: Maths.exp(x)
        case .sin: Maths.sin(x)
        case .cos: Maths.cos(x)
        case .pow: Maths.pow(x, y)
        case .cbrt: Maths.cbrt(x)
        case .hypot: Maths.hypot(x, y)
        case .log1p: Maths.log1p(x)
        case .expm1: Maths.expm1(x)
        case .sinh: Maths.sinh(x)
        case .cosh: Maths.cosh(x)
        case .tanh: Maths.tanh(x)
        case .erf: Maths.erf(x)
        case .erfc: Maths.erfc(x)
        case .gamma: Maths.gamma(x)
        case .lgamma: Maths.lgamma(x)
        }
    }
}

/// Correct results, computed by `Tools/maths-table.py` with hundreds of bits.
struct MathsTable {
    struct Row {
        let function: Elementary
        let x: Double
        let y: Double
        /// The correctly rounded result.
        let result: Double
        /// The exact value minus `result`, in ulp of `result`.
        let distance: Double

        /// Returns the distance of `value` from the exact result, in ulp.
        func error(of value: Double) -> Double {
            guard result.isFinite, value.isFinite else { return result == value ? 0 : .infinity }
            return ((value - result) / result.ulp - distance).magnitude
        }
    }

    let rows: [Row]

    /// Reads the table in the file beside this one. Malformed lines are skipped; the
    /// test that counts the rows notices them.
    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "maths-table.txt")
        rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let name = words.first, let function = Elementary(rawValue: String(name)),
                let thousandths = words.last.flatMap({ Double($0) })
            else { return nil }
            let numbers = words.dropFirst().dropLast().compactMap { UInt64($0, radix: 16) }
                .map { Double(bitPattern: $0) }
            guard numbers.count == (function.isOfTwo ? 3 : 2) else { return nil }
            return Row(
                function: function, x: numbers[0], y: function.isOfTwo ? numbers[1] : 0,
                result: numbers[numbers.count - 1], distance: thousandths / 1000)
        }
    }
}
