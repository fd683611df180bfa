// Draws that the author's code leaves to the kit, because they are rare or long. They take the stream's words from memory,
// and leave them there.

nonisolated(unsafe) private var words: RandomStream.Words = (0, 0, 0, 0)

/// Returns the address of the words.
@_expose(wasm, "rt_words") @_cdecl("rt_words")
public func wordsPlace() -> UInt32 {
    withUnsafeMutablePointer(to: &words) { UInt32(UInt(bitPattern: $0)) }
}

/// Continues a draw below `n` after its first word.
@_expose(wasm, "rt_below_rest") @_cdecl("rt_below_rest")
public func below(_ n: UInt64, after word: UInt32) -> UInt64 {
    let drawn = RandomStream(words: words).below(exactly: n, after: word)
    words = drawn.words
    return drawn.number
}

/// Makes the table of a weighted choice from real numbers at an address: the number of columns, then `keep` with eight bytes
/// for each column, then `alias` with four. See docs/RANDOM.md.
@_expose(wasm, "rt_weighted") @_cdecl("rt_weighted")
public func weighted(_ address: UInt32, _ count: UInt32) -> UInt32 {
    let weights: UnsafeMutablePointer<Double> = pointer(to: UInt64(address))
    let choice = WeightedChoice(Array(UnsafeBufferPointer(start: weights, count: Int(count))))
    let start = allocate(8 + 12 * count)
    let head: UnsafeMutablePointer<UInt64> = pointer(to: UInt64(start))
    let alias: UnsafeMutablePointer<UInt32> = pointer(to: UInt64(start + 8 + 8 * count))
    head.pointee = UInt64(count)
    for column in choice.keep.indices {
        head[column + 1] = choice.keep[column]
        alias[column] = choice.alias[column]
    }
    return start
}
