extension Count {
    /// Adds the number of lanes in which it happened.
    @inlinable @inline(__always)
    public mutating func add(_ happened: LaneMask) { value &+= UInt64(truncatingIfNeeded: happened.count) }
}

extension Minimum {
    /// Adds the numbers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>) { add(x, where: LaneMask(true)) }

    /// Adds the numbers of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ x: Lane<Double>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(x[lane]) }
    }
}

extension Maximum {
    /// Adds the numbers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>) { add(x, where: LaneMask(true)) }

    /// Adds the numbers of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ x: Lane<Double>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(x[lane]) }
    }
}

extension Histogram {
    /// Adds the numbers of all lanes, each to its bin.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>) { add(x, where: LaneMask(true)) }

    /// Adds the numbers of the lanes in which the condition holds, each to its bin.
    @inlinable
    public mutating func add(_ x: Lane<Double>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(x[lane]) }
    }
}
