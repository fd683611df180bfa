// Draws that the author's code leaves to the kit, because they are rare or long. They take the stream's words from memory,
// and leave them there.

/// The words of the stream, and 0, or all ones if it is mirrored.
nonisolated(unsafe) private var stream: (words: RandomStream.Words, flip: UInt32) = ((0, 0, 0, 0), 0)
/// The seed, the first trial of the lane that runs, and how many trials it has.
nonisolated(unsafe) private var lane: (seed: UInt64, first: UInt64, trials: UInt32) = (0, 0, 0)

/// Notes whose named streams the trials that come next may have.
func beginLane(seed: UInt64, first: UInt64, trials: UInt32) { lane = (seed, first, trials) }

/// Returns the address of the words.
@_expose(wasm, "rt_words") @_cdecl("rt_words")
public func wordsPlace() -> UInt32 {
    withUnsafeMutablePointer(to: &stream) { UInt32(UInt(bitPattern: $0)) }
}

/// Begins the stream whose name has this key, for the trial that has `left - 1` trials of its lane after it.
@_expose(wasm, "rt_stream") @_cdecl("rt_stream")
public func namedStream(_ key: UInt64, _ left: UInt32) {
    let trial = lane.first &+ UInt64(RandomStream.lanes) &* UInt64(lane.trials &- left)
    stream.words = RandomStream.named(key, StreamOrigin(seed: lane.seed, trial: trial)).words
}

/// Continues a draw below `n` after its first word.
@_expose(wasm, "rt_below_rest") @_cdecl("rt_below_rest")
public func below(_ n: UInt64, after word: UInt32) -> UInt64 {
    let drawn = RandomStream.below(exactly: n, after: word, stream.words, stream.flip)
    stream.words = drawn.words
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
