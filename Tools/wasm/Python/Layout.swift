// What the author's class declares, as the compiler of Python writes it into the module (describe.py). Every number has
// eight bytes.

/// Returns a pointer to what is at an address of the module's memory.
func pointer<Value>(to address: UInt64) -> UnsafeMutablePointer<Value> {
    UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: address))!
}

/// The head of the tables.
struct Layout {
    /// The kind of a gathering's output.
    let writes: UInt64
    /// The number of slots of the tally.
    let slots: Int64
    let parameters: DeclaredTable<DeclaredParameter>
    let fields: DeclaredTable<DeclaredField>
    let inputs: DeclaredTable<DeclaredInput>
    /// The readings of the description. Readings that only others are computed from come after them in memory.
    let readings: DeclaredTable<DeclaredReading>

    static var author: UnsafePointer<Layout> { UnsafePointer(pointer(to: UInt64(authorLayout()))) }
}

/// A table of declarations.
struct DeclaredTable<Entry> {
    let count: UInt64
    let address: UInt64

    var entries: UnsafeBufferPointer<Entry> {
        UnsafeBufferPointer(start: pointer(to: address), count: Int(truncatingIfNeeded: count))
    }
}

/// The values that a parameter may have.
struct DeclaredParameter {
    /// A kind of `ModuleInterface.Domain`. A choice and a flag are integers here.
    let kind: UInt64
    /// The ends of the range: of an integer, of a real number, or of the number of names that may be chosen.
    let low: UInt64
    let high: UInt64
    /// The number of names that a user may choose from, for several names of a list; otherwise 0.
    let names: UInt64

    func contains(_ slot: UInt64) -> Bool {
        switch kind {
        case ModuleInterface.Domain.real.rawValue:
            Double(bitPattern: low) <= Double(bitPattern: slot) && Double(bitPattern: slot) <= Double(bitPattern: high)
        case ModuleInterface.Domain.several.rawValue:
            slot >> names == 0 && low <= UInt64(slot.nonzeroBitCount) && UInt64(slot.nonzeroBitCount) <= high
        default:
            Int64(bitPattern: low) <= Int64(bitPattern: slot) && Int64(bitPattern: slot) <= Int64(bitPattern: high)
        }
    }
}

/// A field of the tally.
struct DeclaredField {
    /// A kind of `FieldKind`.
    let kind: UInt64
    /// Where the accumulator is.
    let address: UInt64
    /// The number of its slots in a tally.
    let slots: UInt64
    /// The range of a histogram's bins or columns; otherwise 0.
    let low: Double
    let high: Double
}

/// An input: where its table is.
struct DeclaredInput {
    /// The address of an `InputTable`.
    let address: UInt64
}

/// A table of real numbers for the author's code.
struct InputTable {
    var rows: UInt32
    var columns: UInt32
    /// The address of the numbers, row by row.
    var numbers: UInt32
}

/// What a reading with the kind `derived` is computed from, where the kit has the rule.
enum DerivedRule {
    /// A covariance and the other `PairRule`s, each with its number added.
    static var pairs: UInt64 { 16 }
    /// A function of the means of comoments.
    static var means: UInt64 { 24 }
    static var quantile: UInt64 { 25 }
    static var shortfall: UInt64 { 26 }
    /// A mean of comoments that is corrected by the others, whose true means the author's function gives.
    static var controlled: UInt64 { 27 }
    /// How many trials of equal weight would say as much.
    static var effective: UInt64 { 28 }
}

/// A reading.
struct DeclaredReading {
    /// A kind of `ReadingKind`, or a `DerivedRule`.
    let kind: UInt64
    /// The index of the field; without meaning for a derived reading.
    let field: UInt64
    /// The index of the reading that it is derived from, plus 1; 0 if it is computed from the whole tally.
    let source: UInt64
    /// 1 if the author gives an exact answer, otherwise 0.
    let hasExact: UInt64
    /// The part of a quantile, how many numbers comoments have, the place of a category, or the address of the words of a
    /// histogram in two dimensions that are known before it: its columns, and the ends of y as bits. Otherwise 0.
    let part: Double
}
