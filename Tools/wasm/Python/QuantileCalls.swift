// Quantiles for the author's code: the counts, then how many numbers were not at the end of their bucket.

private func counts(_ address: UInt32) -> UnsafeMutablePointer<UInt64> { pointer(to: UInt64(address)) }

@_expose(wasm, "rt_quantiles_add") @_cdecl("rt_quantiles_add")
public func quantilesAdd(_ address: UInt32, _ x: Double) {
    let counts = counts(address)
    QuantileCounts.add(x, counts, &counts[QuantileCounts.count])
}

@_expose(wasm, "rt_quantile") @_cdecl("rt_quantile")
public func estimateQuantile(_ address: UInt32, _ part: Double, _ estimate: UInt32) {
    put(.quantile(QuantileCounts(counts(address), between: counts(address)[QuantileCounts.count]), part), estimate)
}

@_expose(wasm, "rt_shortfall") @_cdecl("rt_shortfall")
public func estimateShortfall(_ address: UInt32, _ part: Double, _ estimate: UInt32) {
    put(.shortfall(QuantileCounts(counts(address), between: counts(address)[QuantileCounts.count]), part), estimate)
}
