/// A broken law of programs with ranks.
public struct RankLawError: Error, Hashable, Sendable {
    public enum Law: String, Sendable, CaseIterable {
        case matching = "a receive takes the first message that matches"
        case order = "messages of one rank with the same tag do not overtake each other"
        case whole = "a message is received once, with its own bytes"
        case synchronous = "a synchronous send waits for a receive of its message"
        case kept = "no message is lost"
        case woken = "a rank waits until it can go on"
        case same = "a program whose outcome does not depend on time has the same on every map"
        case deadlock = "a deadlock is reported when no rank can go on, with what each waits for"
        case ends = "every program ends"
        case reason = "a program ends early only for its own faults and for lost nodes"
        case checkpoint = "a checkpoint has the states of all ranks, and finds nothing open"
        case bounded = "what waits at a rank takes room there, and room is limited"
        case refused = "a letter that fits nothing is refused"
    }

    public let law: Law
    public let what: String

    init(_ law: Law, _ what: String) { (self.law, self.what) = (law, what) }
}
