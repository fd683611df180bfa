import PotluckSystem

/// The memory of a module that has prepared one search. Preparing may take longer than a chunk, so each chunk gets a
/// fresh instance with a copy of that memory. So all chunks begin alike, and nothing passes from one to another.
final class ReadyMemory: Sendable {
    private enum State: Sendable {
        case unknown
        case known([UInt8])
        /// To copy it could take longer than to prepare.
        case tooLarge
    }

    private let state = Guarded(State.unknown)
    private let made = Guarded(0)

    /// The most bytes of memory that are copied.
    private static let most = 16 << 20

    /// How often the search was prepared for it.
    var count: Int { made.with { $0 } }

    /// Returns the memory, for which `prepare` returns the one of a prepared instance; nil if it is too large.
    func octets(
        _ prepare: (_ most: Int) throws(SandboxError) -> [UInt8]?
    ) throws(SandboxError) -> [UInt8]? {
        switch state.with({ $0 }) {
        case .known(let octets): return octets
        case .tooLarge: return nil
        case .unknown: break
        }
        let octets = try prepare(Self.most)
        made.with { $0 += 1 }
        state.with { $0 = octets.map(State.known) ?? .tooLarge }
        return octets
    }
}
