// Comoments for the author's code: a count, then the sums, then the numbers that are added next.

private func sums(_ address: UInt32, _ size: UInt32) -> ComomentSums {
    ComomentSums(pointer(to: UInt64(address) + 8), Int(size))
}

private func count(_ address: UInt32) -> UnsafeMutablePointer<UInt64> { pointer(to: UInt64(address)) }

/// Adds the numbers behind the sums.
@_expose(wasm, "rt_comoments_add") @_cdecl("rt_comoments_add")
public func comomentsAdd(_ address: UInt32, _ size: UInt32) {
    let sums = sums(address, size)
    let numbers = UnsafeRawPointer(sums.sums + ComomentSums.count(sums.size)).assumingMemoryBound(to: Double.self)
    sums.add { numbers[$0] }
    count(address).pointee &+= 1
    if count(address).pointee & (PendingSum.most - 1) == 0 { sums.fold() }
}

/// Adds the two numbers behind the sums of pairs, and their products.
@_expose(wasm, "rt_pairs_add") @_cdecl("rt_pairs_add")
public func pairsAdd(_ address: UInt32) {
    let sums = sums(address, UInt32(Pairs.parts))
    let numbers = UnsafeMutableRawPointer(sums.sums + ComomentSums.count(sums.size)).assumingMemoryBound(
        to: Double.self)
    let (x, y) = (numbers[0], numbers[1])
    (numbers[2], numbers[3], numbers[4]) = (x * y, x * x, y * y)
    comomentsAdd(address, UInt32(Pairs.parts))
}

@_expose(wasm, "rt_comoments_mean") @_cdecl("rt_comoments_mean")
public func comomentsMean(_ address: UInt32, _ size: UInt32, _ i: UInt32) -> Double {
    sums(address, size).mean(Int(i), of: count(address).pointee) ?? .nan
}

@_expose(wasm, "rt_comoments") @_cdecl("rt_comoments")
public func handleComoments(_ address: UInt32, _ sums: UInt32, _ deed: UInt32, _ slots: UInt32) {
    let all: UnsafeMutablePointer<ExactSum> = pointer(to: UInt64(address) + 8)
    for index in 0..<Int(sums) {
        // The count of comoments stands for those of the sums.
        if deed == Deed.write.rawValue { all[index].fold() }
        // The count is in the first slot.
        handle(all + index, empty: ExactSum(), deed, slots &+ 8 &+ UInt32(index) &* 40)
    }
}

@_expose(wasm, "rt_pairs") @_cdecl("rt_pairs")
public func estimatePairs(_ rule: UInt32, _ address: UInt32, _ estimate: UInt32) {
    guard let rule = PairRule(rawValue: UInt64(rule)) else { return }
    put(.pairs(rule, sums(address, UInt32(Pairs.parts)), count(address).pointee), estimate)
}

/// A function of the means. The author's code gets their address in the place of the number of trials.
@_expose(wasm, "rt_means") @_cdecl("rt_means")
public func estimateMeans(_ reading: UInt32, _ address: UInt32, _ size: UInt32, _ estimate: UInt32) {
    let function = { (means: UnsafePointer<Double>) in authorDerived(reading, .nan, UInt64(UInt(bitPattern: means))) }
    put(.derived(from: sums(address, size), count(address).pointee, function), estimate)
}

/// A mean with controls. The author's code gets the number of a control, and gives its true mean.
@_expose(wasm, "rt_controlled") @_cdecl("rt_controlled")
public func estimateControlled(_ reading: UInt32, _ address: UInt32, _ size: UInt32, _ estimate: UInt32) {
    put(
        .controlled(
            sums(address, size), count(address).pointee, trueMean: { authorDerived(reading, Double($0), 0) }), estimate)
}
