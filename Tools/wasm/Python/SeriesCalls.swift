// Series for the author's code: the moments of each time.

private func moments(_ address: UInt32) -> UnsafeMutablePointer<Moments> { pointer(to: UInt64(address)) }

extension Moments {
    /// A count and two sums.
    static var slots: UInt64 { 11 }
}

@_expose(wasm, "rt_series_add") @_cdecl("rt_series_add")
public func seriesAdd(_ address: UInt32, _ time: UInt32, _ x: Double) { moments(address)[Int(time)].add(x) }

@_expose(wasm, "rt_series") @_cdecl("rt_series")
public func handleSeries(_ address: UInt32, _ times: UInt32, _ deed: UInt32, _ slots: UInt32) {
    for time in 0..<times {
        handle(moments(address) + Int(time), empty: Moments(), deed, slots &+ time &* UInt32(8 * Moments.slots))
    }
}

/// Writes the words of a series' reading, unless their address is 0. Returns whether the series is spoilt, as 0 or 1.
@_expose(wasm, "rt_curve") @_cdecl("rt_curve")
public func writeCurve(_ address: UInt32, _ times: UInt32, _ words: UInt32) -> UInt32 {
    var isSpoilt: UInt32 = 0
    var next = UnsafeMutablePointer<UInt64>(bitPattern: UInt(words))
    for time in 0..<Int(times) {
        if moments(address)[time].isSpoilt { isSpoilt = 1 }
        guard var place = next else { continue }
        for word in Estimate.curve(moments(address)[time]) {
            place.pointee = word
            place += 1
        }
        next = place
    }
    return isSpoilt
}
