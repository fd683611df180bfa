import Glibc
import PotluckCore

/// Where one rank's thread waits until another one lets it continue.
final class RankGate: @unchecked Sendable {
    // A semaphore must not move, so it is on the heap. It synchronizes itself.
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let looks: Duration

    /// How long a thread polls before it sleeps: about as long as it takes to put a thread to sleep and to wake it.
    private static let looksWithCore = Duration.microseconds(50)
    /// How often it polls between two looks at the clock.
    private static let looksPerClock = 64

    /// - Parameter hasCore: whether each rank has a core of its own. Otherwise a thread that polls takes time from the
    ///   one that it waits for.
    init(hasCore: Bool) {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        looks = hasCore ? Self.looksWithCore : .zero
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func open() { sem_post(semaphore) }

    /// `now` is a clock.
    func wait(_ now: () -> Instant) {
        if looks > .zero {
            let end = now() + looks
            repeat {
                for _ in 0..<Self.looksPerClock where sem_trywait(semaphore) == 0 { return }
            } while now() < end
        }
        // A signal interrupts it.
        while sem_wait(semaphore) != 0 {}
    }
}
