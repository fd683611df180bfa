import Glibc

/// A trap in the engine ends the program; its last words are the seeds that were being lived.
enum Crash {
    static let mostThreads = 64

    /// What each thread lives, and room for its digits. Plain memory, because a signal's handler may use nothing else.
    nonisolated(unsafe) private static let seeds: UnsafeMutablePointer<UInt64> = {
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: mostThreads)
        memory.initialize(repeating: 0, count: mostThreads)
        return memory
    }()
    nonisolated(unsafe) private static let threads: UnsafeMutablePointer<pthread_t> = {
        let memory = UnsafeMutablePointer<pthread_t>.allocate(capacity: mostThreads)
        memory.initialize(repeating: 0, count: mostThreads)
        return memory
    }()

    static func begins(_ seed: UInt64, on thread: Int) {
        threads[thread] = pthread_self()
        seeds[thread] = seed
    }

    static func watch() {
        _ = (seeds, threads)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
            signal(number) { number in
                Crash.lastWords()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    private static func lastWords() {
        let own = pthread_self()
        for index in 0..<mostThreads where pthread_equal(threads[index], own) != 0 {
            say("trapped; this shows it:\n    make sim VERBOSE=1 SEED=")
            var digits = (0 as UInt8, 0 as UInt8)
            var power: UInt64 = 10_000_000_000_000_000_000
            var isLeading = true
            while power > 0 {
                let digit = UInt8(seeds[index] / power % 10)
                if digit != 0 || !isLeading || power == 1 {
                    isLeading = false
                    digits.0 = UInt8(ascii: "0") + digit
                    withUnsafeBytes(of: &digits.0) { _ = write(STDERR_FILENO, $0.baseAddress, 1) }
                }
                power /= 10
            }
            say("\n")
        }
    }

    private static func say(_ text: StaticString) { _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount) }
}
