/// How urgent work is. On a machine it says how far computing threads give way to other programs; in a session it says
/// how much of the nodes' time a job gets beside other jobs.
public enum Priority: String, Sendable, Hashable, CaseIterable {
    /// The same priority as any other program.
    case interactive
    /// Gives way a little to interactive programs.
    case normal
    /// Gives way to ordinary programs.
    case utility
    /// Uses only time that no other program needs. The owner of a lent laptop does not notice it.
    case background

    /// How many chunks a job of this priority gets for one of a background job. So the more urgent of two jobs gets
    /// four fifths of the nodes' time or more, and the other one never stands still.
    public var turns: Int {
        switch self {
        case .interactive: 64
        case .normal: 16
        case .utility: 4
        case .background: 1
        }
    }

    /// Its number in messages. 0 is normal, so that a message need not say so.
    package var number: UInt64 {
        switch self {
        case .normal: 0
        case .interactive: 1
        case .utility: 2
        case .background: 3
        }
    }

    package init?(number: UInt64) {
        guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = found
    }
}

extension Priority: Comparable {
    /// The less urgent one is the smaller one.
    public static func < (a: Priority, b: Priority) -> Bool { a.turns < b.turns }
}
