extension Endpoint: CustomStringConvertible {
    /// `10.0.0.1:7077` or `[fe80::1%2]:7077`, as users type it and other programs read it.
    public var description: String { octets.count == 4 ? "\(host):\(port)" : "[\(host)]:\(port)" }

    /// The address without the port, with its scope.
    public var host: String { IPAddressText.text(octets) + (scope == 0 ? "" : "%\(scope)") }
}

/// Converts IP addresses to text.
public enum IPAddressText {
    /// Returns dotted decimal for IPv4. For IPv6 returns RFC 5952: lower case, no
    /// leading zeros, and `::` for the longest run of zero groups.
    public static func text(_ octets: [UInt8]) -> String {
        guard octets.count == 16 else { return octets.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]) }
        let run = longestRunOfZeros(groups)
        func text(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard run.count > 1 else { return text(groups[...]) }
        return text(groups[..<run.lowerBound]) + "::" + text(groups[run.upperBound...])
    }

    private static func longestRunOfZeros(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<index + 1 }
        }
        return longest
    }
}

extension [UInt8] {
    /// Whether this address of four or sixteen bytes is the computer's own.
    package var isLoopback: Bool {
        count == 4 ? self[0] == 127 : count == 16 && self[15] == 1 && prefix(15).allSatisfy { $0 == 0 }
    }
}
