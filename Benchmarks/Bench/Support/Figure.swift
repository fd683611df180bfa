import Glibc

/// A figure that a benchmark measured.
struct Figure {
    /// What it should be.
    enum Bound: CustomStringConvertible {
        case atLeast(Double)
        case atMost(Double)

        var description: String {
            switch self {
            case .atLeast(let bound): "≥ \(Figure.short(bound))"
            case .atMost(let bound): "≤ \(Figure.short(bound))"
            }
        }
    }

    let what: String
    let value: Double
    /// The unit, or what the figure is a ratio to.
    let unit: String
    var bound: Bound?
    /// The measurements behind it.
    var remark = ""

    /// Prints the figure. Also adds it to the file that Benchmarks/run makes its table of.
    func report() { Self.report([what, Self.short(value), unit, bound?.description ?? "", remark]) }

    /// The same for what could not be measured.
    static func report(_ what: String, missing why: String) { report([what, "", "", "", why]) }

    private static func report(_ cells: [String]) {
        let got = cells[1].isEmpty ? "not measured" : "\(cells[1]) \(cells[2])"
        printLine([cells[0], got, cells[3].isEmpty ? "" : "wanted \(cells[3])", cells[4]], widths: [38, 30, 14, 0])
        guard let path = getenv("POTLUCK_BENCH_FIGURES") else { return }
        guard let file = fopen(path, "a") else { fail("cannot write \(String(cString: path))") }
        fputs(cells.joined(separator: "\t") + "\n", file)
        fclose(file)
    }

    /// A number with as many digits as matter.
    private static func short(_ number: Double) -> String {
        if number >= 1000 || number == number.rounded() { return "\(Int(number.rounded()))" }
        return number >= 10 ? tenths(number) : hundredths(number)
    }
}
