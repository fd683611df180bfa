/// The trial that a stream belongs to, from which its named streams follow.
@frozen @usableFromInline struct StreamOrigin: Sendable {
    @usableFromInline var seed: UInt64
    /// The trial's number in the run, with `waiting` added where there is no trial.
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
    /// The trial that runs. A module has one thread, so that one trial runs at a time, and streams stay small enough for
    /// registers. A trial begins with one number that is stored, which costs nothing beside its draws.
    @frozen @usableFromInline struct RunningTrial: Sendable {
        @usableFromInline var seed: UInt64 = 0
        /// The number that would follow on the lane's last trial.
        @usableFromInline var end: UInt64 = 0
        /// How many trials the lane has left, with the one that runs; 0 before the first.
        @usableFromInline var left = 0

        @inlinable @inline(__always) init() {}
    }

    extension RandomStream {
        @usableFromInline nonisolated(unsafe) static var running = RunningTrial()

        @inlinable
        var origin: StreamOrigin {
            get {
                let running = Self.running
                if !isGiven || running.left == 0 { return .none }
                return StreamOrigin(
                    seed: running.seed, trial: running.end &- UInt64(running.left) &* UInt64(RandomStream.lanes))
            }
            set {
                Self.running.seed = newValue.seed
                Self.running.end = newValue.trial &+ UInt64(RandomStream.lanes)
                Self.running.left = 1
                isGiven = true
            }
        }

        /// Notes the lane whose first trial has this number. No trial of it runs yet.
        @inlinable @inline(__always)
        mutating func beginLane(seed: UInt64, first: UInt64, trials: Int) {
            Self.running.seed = seed
            Self.running.end = first &+ UInt64(truncatingIfNeeded: trials) &* UInt64(RandomStream.lanes)
            Self.running.left = 0
            isGiven = true
        }

        /// Goes on to the next trial of the lane. `left` trials are left, with that one.
        @inlinable @inline(__always)
        func beginTrial(left: Int) { Self.running.left = left }
    }
#else
    extension RandomStream {
        /// Notes the lane whose first trial has this number. No trial of it runs yet.
        @inlinable @inline(__always)
        mutating func beginLane(seed: UInt64, first: UInt64, trials: Int) {
            origin = StreamOrigin(seed: seed, before: first)
        }

        /// Goes on to the next trial of the lane.
        @inlinable @inline(__always)
        mutating func beginTrial(left: Int) { origin.next() }
    }
#endif
