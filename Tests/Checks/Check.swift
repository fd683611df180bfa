/// An invariant that holds for any bytes, checked on as many seeds as time allows. The tests check a few;
/// `potluck-check` is built for speed and checks a million.
package struct Check: Sendable, CustomStringConvertible {
    package let name: String
    /// The number of seeds that take about a second in a debug build.
    package let few: UInt64
    /// Checks these seeds. Throws at the first one for which the invariant does not hold.
    package let run: @Sendable (_ seeds: Range<UInt64>) throws -> Void

    package var description: String { name }

    package static let all =
        [frames, messages, items, partials, packets(hasKey: false), packets(hasKey: true)] + records + pages
}

/// An invariant did not hold.
package struct Broken: Error, CustomStringConvertible {
    package let description: String
}

/// Throws `Broken` if an invariant does not hold.
func must(_ holds: Bool, _ what: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: what()) }
}
