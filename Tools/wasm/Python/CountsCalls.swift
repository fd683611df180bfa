// Categories for the author's code: a count for each.

@_expose(wasm, "rt_category") @_cdecl("rt_category")
public func estimateCategory(_ counts: UInt32, _ size: UInt32, _ place: UInt32, _ estimate: UInt32) {
    let counts: UnsafeMutablePointer<UInt64> = pointer(to: UInt64(counts))
    put(.category(Int(place), CategoryCounts(counts, Int(size))), estimate)
}
