/// A law that holds for any octets, tried on as many seeds as there is time for. The tests try a few of each;
/// `potluck-check` is built for speed and tries a million.
package struct Check: Sendable, CustomStringConvertible {
    package let name: String
    /// So many seeds take a build for debugging about a second.
    package let few: UInt64
    /// Tries these seeds, and throws at the first one for which the law does not hold.
    package let run: @Sendable (_ seeds: Range<UInt64>) throws -> Void

    package var description: String { name }

    package static let all = [frames, messages, packets(hasKey: false), packets(hasKey: true)] + records
}

/// A law did not hold.
package struct Broken: Error, CustomStringConvertible {
    package let description: String
}

/// Throws where a law does not hold.
func must(_ holds: Bool, _ what: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: what()) }
}
