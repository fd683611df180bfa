// Sums for the author's code, which adds usual numbers to their pending parts itself.

private func sum(_ address: UInt32) -> UnsafeMutablePointer<ExactSum> { pointer(to: UInt64(address)) }
private func moments(_ address: UInt32) -> UnsafeMutablePointer<Moments> { pointer(to: UInt64(address)) }

@_expose(wasm, "rt_sum_rare") @_cdecl("rt_sum_rare")
public func sumRare(_ address: UInt32, _ x: Double) { sum(address).pointee.addRare(x) }

@_expose(wasm, "rt_sum_add_square") @_cdecl("rt_sum_add_square")
public func sumAddSquare(_ address: UInt32, _ x: Double) { sum(address).pointee.addSquare(of: x) }

@_expose(wasm, "rt_sum_add_square_int") @_cdecl("rt_sum_add_square_int")
public func sumAddSquareOfInteger(_ address: UInt32, _ n: Int64) { sum(address).pointee.addSquare(of: n) }

@_expose(wasm, "rt_sum_value") @_cdecl("rt_sum_value")
public func sumValue(_ address: UInt32) -> Double { sum(address).pointee.value ?? .nan }

@_expose(wasm, "rt_moments_rare") @_cdecl("rt_moments_rare")
public func momentsRare(_ address: UInt32, _ x: Double) { moments(address).pointee.addRare(x) }

@_expose(wasm, "rt_moments_add_int") @_cdecl("rt_moments_add_int")
public func momentsAddInteger(_ address: UInt32, _ n: Int64) { moments(address).pointee.add(n) }

/// Settles the pending parts of both sums.
@_expose(wasm, "rt_moments_fold") @_cdecl("rt_moments_fold")
public func momentsFold(_ address: UInt32) { moments(address).pointee.settle() }

@_expose(wasm, "rt_moments_mean") @_cdecl("rt_moments_mean")
public func momentsMean(_ address: UInt32) -> Double { moments(address).pointee.mean ?? .nan }

@_expose(wasm, "rt_moments_variance") @_cdecl("rt_moments_variance")
public func momentsVariance(_ address: UInt32) -> Double { moments(address).pointee.variance ?? .nan }

@_expose(wasm, "rt_minimum_value") @_cdecl("rt_minimum_value")
public func minimumValue(_ address: UInt32) -> Double {
    (pointer(to: UInt64(address)) as UnsafeMutablePointer<Minimum>).pointee.value ?? .nan
}

@_expose(wasm, "rt_maximum_value") @_cdecl("rt_maximum_value")
public func maximumValue(_ address: UInt32) -> Double {
    (pointer(to: UInt64(address)) as UnsafeMutablePointer<Maximum>).pointee.value ?? .nan
}
