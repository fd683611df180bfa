import PotluckSystem

/// Bytes that several streams may keep together. Any thread may use it.
final class SharedRoom: Sendable {
    private let left: Guarded<Int>

    init(_ octets: Int) { left = Guarded(octets) }

    /// Takes this many bytes. Returns false, and takes nothing, if fewer are left.
    func take(_ octets: Int) -> Bool {
        left.with { left in
            guard octets <= left else { return false }
            left -= octets
            return true
        }
    }

    func giveBack(_ octets: Int) { left.with { $0 += octets } }
}
