/// A declared input: a table that is read from a file.
public struct Input: Sendable {
    /// The name that users type in `--input NAME=FILE`.
    public let name: ParameterLabel
    /// A description of a few words.
    public let help: ParameterLabel
    /// The names of the columns that the table has, in this order. Without names the table has all columns of the file.
    public let columns: [ParameterLabel]
    /// Whether the rows of a file may have names: one column of texts among the numbers.
    public let hasRowNames: Bool

    /// Declares an input, as an author writes it: `Input("people", "one line for each", columns: "height", "weight")`. From
    /// a file with a line of names at its beginning, the table gets the columns of these names.
    public init(_ name: StaticString, _ help: StaticString, columns: StaticString...) {
        self.init(
            name: ParameterLabel(of: name), help: ParameterLabel(of: help),
            columns: columns.map { ParameterLabel(of: $0) })
    }

    /// Declares an input whose rows may have names, as an author writes it: `Input("cities", "x and y", hasRowNames: true)`.
    public init(_ name: StaticString, _ help: StaticString, hasRowNames: Bool) {
        self.init(name: ParameterLabel(of: name), help: ParameterLabel(of: help), hasRowNames: hasRowNames)
    }

    /// Creates an input from labels, such as those that a module declares.
    public init(
        name: ParameterLabel, help: ParameterLabel, columns: [ParameterLabel] = [], hasRowNames: Bool = false
    ) {
        self.name = name
        self.help = help
        self.columns = columns
        self.hasRowNames = hasRowNames
    }

    /// The most columns that an input may name.
    public static var mostColumns: Int { 256 }
}

/// A table of numbers. All rows have the same length.
public struct Table: Sendable, Equatable {
    /// The number of rows.
    public let rows: Int
    /// The number of numbers in each row.
    public let columns: Int
    /// The numbers, row by row.
    public let numbers: [Double]
    /// The names of the columns that its input declares.
    private var names: [ParameterLabel] = []
    /// The names of the rows in UTF-8; empty if the file has none, or if its input does not take them.
    public internal(set) var rowNames: [[UInt8]] = []

    /// Creates a table. The number of `numbers` must be `rows * columns`.
    public init(rows: Int, columns: Int, numbers: [Double]) {
        precondition(rows >= 0 && columns >= 0 && numbers.count == rows * columns, "the numbers must fill the table")
        self.rows = rows
        self.columns = columns
        self.numbers = numbers
    }

    /// The table of an input for which the user gave no file.
    public static var empty: Table { Table(rows: 0, columns: 0, numbers: []) }
    /// Whether there are no numbers, as for an input without a file.
    public var isEmpty: Bool { numbers.isEmpty }

    /// Returns the table that a simulation gets for an input, of one that travelled.
    public func given(to input: Input) -> Table {
        var table = input.hasRowNames ? withNamesApart() : self
        table.names = input.columns
        return table
    }

    /// Whether all numbers are the same. The names are not compared, because they are those of the input.
    public static func == (one: Table, other: Table) -> Bool {
        one.rows == other.rows && one.columns == other.columns && one.numbers == other.numbers
    }

    /// Returns the numbers of a column that the input declares by its name; none if there is no file.
    public func column(_ name: StaticString) -> [Double] {
        let label = ParameterLabel(of: name)
        guard let place = names.firstIndex(where: { $0.isSame(as: label) }) else {
            Misuse.stop("the input declares no column of this name")
        }
        return column(place)
    }

    /// Returns the numbers of a column, from 0; none if there is no file.
    public func column(_ place: Int) -> [Double] {
        if isEmpty { return [] }
        Misuse.stop(unless: place >= 0 && place < columns, "the table has no column of this number")
        var found: [Double] = []
        found.reserveCapacity(rows)
        for row in 0..<rows { found.append(numbers[row * columns + place]) }
        return found
    }
}
