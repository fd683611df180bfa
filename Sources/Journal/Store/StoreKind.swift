/// What a store's file is, and how each version of it became the next.
package struct StoreKind: Sendable {
    /// Stands in the file's header; never anybody else's.
    let applicationID: Int32
    /// The script at `index` makes version `index + 1` of version `index`; version 0 is an empty file. A script that was ever
    /// on main never changes.
    let scripts: [StaticString]
    /// What a script cannot say, done after the one that makes the version. It never changes either.
    let rewrites: [Int: Rewrite]
    /// From this version on each page has a seal; nil where none has.
    let sealedSince: Int?
    /// Whether one process has it to itself for as long as it is open.
    let isExclusive: Bool
    /// What to do about a damaged one.
    let advice: String

    typealias Rewrite = @Sendable (Database) throws(StoreTrouble) -> Void

    package init(applicationID: Int32, scripts: [StaticString], isExclusive: Bool, advice: String) {
        self.init(
            applicationID: applicationID, scripts: scripts, rewrites: [:], sealedSince: nil, isExclusive: isExclusive,
            advice: advice)
    }

    init(
        applicationID: Int32, scripts: [StaticString], rewrites: [Int: Rewrite], sealedSince: Int?, isExclusive: Bool,
        advice: String
    ) {
        self.applicationID = applicationID
        self.scripts = scripts
        self.rewrites = rewrites
        self.sealedSince = sealedSince
        self.isExclusive = isExclusive
        self.advice = advice
    }

    var newest: Int { scripts.count }

    func hasSeals(version: Int) -> Bool { sealedSince.map { version >= $0 } ?? false }

    /// How a new one is written.
    var seals: Database.Seals { hasSeals(version: newest) ? .all : .none }

    /// "Pot" and a letter for each kind.
    package static func identifier(_ letter: Unicode.Scalar) -> Int32 { 0x506f_7400 | Int32(letter.value & 0x7f) }
}
