/// A kind of store: how to recognize its files, and how to migrate each version to the next.
package struct StoreKind: Sendable {
    /// The number in the file's header. It must never be that of another program or kind.
    let applicationID: Int32
    /// The script at `index` migrates version `index` to version `index + 1`; version 0 is an empty file. A script must
    /// never change once it has been on main.
    let scripts: [StaticString]
    /// Migrations that need code, by the version that they lead to. Each runs after the script for that version, and
    /// must never change either.
    let rewrites: [Int: Rewrite]
    /// The first version whose pages have seals; nil if no version has them.
    let sealedSince: Int?
    /// Whether one process has the store to itself while it is open.
    let isExclusive: Bool
    /// What users should do if the store is damaged.
    let advice: String

    typealias Rewrite = @Sendable (Database) throws(StoreError) -> Void

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

    /// The seals of a new store.
    var seals: Database.Seals { hasSeals(version: newest) ? .all : .none }

    /// Returns "Pot" followed by a letter for the kind.
    package static func identifier(_ letter: Unicode.Scalar) -> Int32 { 0x506f_7400 | Int32(letter.value & 0x7f) }
}
