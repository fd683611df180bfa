import PotluckSystem

/// Bytes that several streams may keep together. Any thread may use it.
final class SharedRoom: Sendable {
    private let left: Guarded<Int>

    init(_ octets: Int) { left = Guarded(octets) }

    /// Returns false, and takes nothing, if so many bytes are not left.
    func take(_ octets: Int) -> Bool {
        left.with { left in
            guard octets <= left else { return false }
            left -= octets
            return true
        }
    }

    func giveBack(_ octets: Int) { left.with { $0 += octets } }
}
