extension Count {
    /// Adds the number of lanes in which it happened.
    @inlinable @inline(__always)
    public mutating func add(_ happened: LaneMask) { value &+= UInt64(truncatingIfNeeded: happened.count) }
}
