import Glibc

/// A value under a lock, and a condition variable to wait for changes. It uses a pthread mutex for the same reason as
/// `Guarded`.
final class Monitor<Value>: @unchecked Sendable {
    // The mutex and the condition must not move, so they are on the heap. The mutex guards `value`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func with<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    /// Waits until `body` returns a value, and returns it. `body` is called again after each wake-up.
    func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Wakes one waiting thread.
    func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    func wakeAll() { pthread_cond_broadcast(condition) }
}
