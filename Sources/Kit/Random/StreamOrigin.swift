/// The trial that a stream belongs to, from which its named streams follow.
@frozen @usableFromInline struct StreamOrigin: Sendable {
    @usableFromInline var seed: UInt64
    /// The trial's number in the run, with `waiting` or `foreign` in its upper bits where there is no trial.
    @usableFromInline var trial: UInt64

    /// Marks a number to which `next` must be applied before the first trial.
    @usableFromInline static var waiting: UInt64 { 1 &<< 63 }

    /// The origin of a stream that belongs to no trial.
    @inlinable @inline(__always)
    static var none: StreamOrigin { StreamOrigin(seed: 0, trial: .max) }

    @inlinable @inline(__always)
    init(seed: UInt64, trial: UInt64) {
        self.seed = seed
        self.trial = trial
    }

    /// The origin of a lane before its first trial. A simulation's own `lane` does not say when a trial begins, so that its
    /// stream has no named ones.
    @inlinable @inline(__always)
    init(seed: UInt64, before first: UInt64) {
        self.init(seed: seed, trial: (first &- UInt64(RandomStream.lanes)) | Self.waiting)
    }

    /// Goes on to the next trial of the lane.
    @inlinable @inline(__always)
    mutating func next() { trial = (trial &+ UInt64(RandomStream.lanes)) & ~Self.waiting }
}

#if hasFeature(Embedded)
    extension RandomStream {
        /// Where the trial that runs is kept: a module has one thread, so that one trial runs at a time. A stream with it would
        /// not fit into registers.
        @usableFromInline nonisolated(unsafe) static var running = StreamOrigin.none

        @inlinable @inline(__always)
        var origin: StreamOrigin {
            get { isGiven ? Self.running : .none }
            set { (Self.running, isGiven) = (newValue, true) }
        }

        /// Goes on to the next trial of the lane.
        @inlinable @inline(__always)
        func beginTrial() { Self.running.next() }
    }
#else
    extension RandomStream {
        /// Goes on to the next trial of the lane.
        @inlinable @inline(__always)
        mutating func beginTrial() { origin.next() }
    }
#endif
