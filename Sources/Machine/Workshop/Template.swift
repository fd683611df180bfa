/// The files that `potluck new` creates: a small, complete simulation with comments on each decision of the author. Their texts
/// are in `Tools/Templates` and, for Python, in the package's folder `_command/texts`.
public struct Template {
    public static let longestName = 40
    let name: String

    /// What an author begins with.
    public enum Kind: String, CaseIterable, Sendable {
        case dice, data, series, search, ranks, lanes
    }

    /// Returns nil if the name is not valid for a simulation.
    public init?(_ name: String) {
        let isFine = name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        guard isFine, name.utf8.count <= Self.longestName, let first = name.utf8.first, (97...122).contains(first),
            name.utf8.last != 45
        else { return nil }
        self.name = name
    }

    /// The file of a kind in Swift.
    public func swift(_ kind: Kind) -> String {
        // The suffix avoids the names of types in Swift and the kit.
        let suffix = kind == .search ? "Search" : kind == .ranks ? "Program" : "Simulation"
        return Self.text("\(kind.rawValue).swift").map { filled($0, type: type + suffix) } ?? ""
    }

    /// The file of a kind in Python; nil for one that Python has not.
    public func python(_ kind: Kind) -> String? {
        Self.text("\(kind.rawValue).py.txt").map {
            filled($0, type: Self.taken.contains(type) ? "\(type)Simulation" : type)
        }
    }

    /// A file of numbers that a kind begins with, and its name.
    public static func numbers(_ kind: Kind) -> (name: String, text: String)? {
        kind == .data ? text("heights.csv").map { ("heights.csv", $0) } : nil
    }

    /// The embedded text of a file, with its last line end, which a literal leaves out.
    private static func text(_ name: String) -> String? {
        KitSources.templates.first { $0.name == name }.map { $0.text + "\n" }
    }

    /// Names of classes that mean something else in the file or in Python.
    private static let taken: Set<String> = [
        "Count", "Empirical", "False", "Moments", "None", "Parameter", "Quantiles", "Series", "Table", "True",
    ]

    private func filled(_ text: String, type: String) -> String {
        text.replacing("ExampleName", with: type).replacing("example-name", with: name)
            .replacing("Parameter(2, ", with: "Parameter(\(dice), ")
            .replacing("var dice = 2\n", with: "var dice = \(dice)\n")
    }

    /// `ThreeDice` for `three-dice`.
    private var type: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The number of dice: 3 for `three-dice`, and 2 for a name without a number.
    private var dice: Int {
        let numbers = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        return name.split(separator: "-").lazy.compactMap { word in
            numbers.firstIndex(of: String(word)).map { $0 + 2 }
                ?? Int(word).flatMap { (2...10).contains($0) ? $0 : nil }
        }.first ?? 2
    }
}
