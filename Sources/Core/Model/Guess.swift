/// What the user of a page guesses of a job that has not begun.
public struct Guess: Hashable, Sendable {
    /// The number of the page that guesses. Only that page knows from what it was made.
    public var page: UInt64
    /// The value of the job's first reading that has one; if that is a category, the place of the largest one among the readings.
    public var value: Double
    /// The name under which others know the page.
    public var by: String

    public init(page: UInt64, value: Double, by: String) { (self.page, self.value, self.by) = (page, value, by) }
}

/// The guesses of a job in the order in which they came to its coordinator, one of each page.
public struct Guesses: Hashable, Sendable {
    /// The most guesses of a job: as many as pages of a gateway. All of them fit in a short message.
    public static let most = 256

    public private(set) var list: [Guess] = []

    public init() {}

    public init(_ guesses: some Sequence<Guess>) { add(guesses) }

    /// Adds the guesses of pages that have none yet. Returns those that were added.
    @discardableResult public mutating func add(_ guesses: some Sequence<Guess>) -> [Guess] {
        let known = list.count
        var pages = Set(list.map(\.page))
        for guess in guesses where list.count < Self.most && pages.insert(guess.page).inserted { list.append(guess) }
        return Array(list[known...])
    }
}
