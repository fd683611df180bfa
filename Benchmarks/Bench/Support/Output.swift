import Glibc

/// Ends the benchmark, because something is wrong.
func fail(_ why: String) -> Never {
    let line = "bench: \(why)\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

/// Prints a line of results, in columns of at least these widths.
func printLine(_ cells: [String], widths: [Int]) {
    print(zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }.joined(separator: "  "))
    fflush(nil)
}

/// Returns a number with one decimal place.
func tenths(_ number: Double) -> String {
    let tenths = Int((number.magnitude * 10).rounded())
    return (number < 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
}

/// Returns a number with two decimal places.
func hundredths(_ number: Double) -> String {
    let hundredths = Int((number.magnitude * 100).rounded())
    return (number < 0 ? "-" : "") + "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
}
