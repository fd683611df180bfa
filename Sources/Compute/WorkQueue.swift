import Glibc

/// A queue that threads wait at. Closed, it is emptied first.
final class WorkQueue<Element>: @unchecked Sendable {
    // The mutex and the condition must not move, so they live on the heap; the mutex guards the two variables.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Element] = []
    private var isClosed = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func append(_ element: Element) {
        pthread_mutex_lock(mutex)
        waiting.append(element)
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for an element; nil once the queue is closed and empty.
    func next() -> Element? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty {
            if isClosed { return nil }
            pthread_cond_wait(condition, mutex)
        }
        return waiting.removeFirst()
    }
}
