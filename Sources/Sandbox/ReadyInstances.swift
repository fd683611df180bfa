import PotluckSystem

/// The instances that have prepared one search. Preparing may take longer than a chunk, so a chunk leaves its instance to
/// the next one, with the memory that it had when it was ready: nothing is left of earlier chunks.
final class ReadyInstances: Sendable {
    /// An instance, and its memory when it was ready. Only one chunk uses it at a time.
    struct Kept: @unchecked Sendable {
        let instance: Instance
        fileprivate let image: [UInt8]
    }

    private let kept: Guarded<[Kept]> = Guarded([])
    private let made = Guarded(0)

    /// The most bytes of an instance that is kept. To copy more could take longer than to prepare.
    private static let most = 16 << 20

    /// How many instances were prepared.
    var count: Int { made.with { $0 } }

    /// Notes an instance that has just prepared. Returns nil if it is too large to be kept.
    func note(_ instance: Instance) -> Kept? {
        made.with { $0 += 1 }
        return instance.image(most: Self.most).map { Kept(instance: instance, image: $0) }
    }

    /// Returns an instance as it was when it was ready; nil if none is free.
    func next() -> Kept? {
        let next = kept.with { $0.popLast() }
        if let next { next.instance.restore(next.image) }
        return next
    }

    /// Keeps the instance for another chunk. Returns false if that is impossible, because what it computed does not count
    /// or a call failed.
    func keep(_ one: Kept) -> Bool {
        if one.instance.madeNaN || one.instance.hasFailed { return false }
        kept.with { $0.append(one) }
        return true
    }
}
