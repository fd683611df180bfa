/// The device that computes for a node.
public enum NodeKind: Hashable, Sendable {
    /// A computer with this program.
    case program
    /// A page in a browser. Another node answers for it, so its links come from there. `at` is the browser's own
    /// address.
    case browser(at: [UInt8])

    public var isBrowser: Bool { if case .browser = self { true } else { false } }
}
