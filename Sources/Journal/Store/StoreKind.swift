/// What a store's file is, and how each version of it became the next.
package struct StoreKind: Sendable {
    /// Stands in the file's header; never anybody else's.
    let applicationID: Int32
    /// The script at `index` makes version `index + 1` of version `index`; version 0 is an empty file. A script that was ever
    /// on main never changes.
    let scripts: [StaticString]
    /// Whether one process has it to itself for as long as it is open.
    let isExclusive: Bool
    /// What to do about a damaged one.
    let advice: String

    package init(applicationID: Int32, scripts: [StaticString], isExclusive: Bool, advice: String) {
        self.applicationID = applicationID
        self.scripts = scripts
        self.isExclusive = isExclusive
        self.advice = advice
    }

    var newest: Int { scripts.count }

    /// "Pot" and a letter for each kind.
    package static func identifier(_ letter: Unicode.Scalar) -> Int32 { 0x506f_7400 | Int32(letter.value & 0x7f) }
}
