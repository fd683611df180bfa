import Glibc
import Synchronization

/// Keeps what people type while a block is drawn from being written into it, and takes that back however the program ends.
enum TerminalMode {
    private struct Saved {
        let descriptor: Int32
        let attributes: termios
    }

    private static let saved = Mutex<Saved?>(nil)

    // For the handler of a crash, which may take no lock: written while nothing has crashed yet, and only read by it.
    nonisolated(unsafe) private static var crashDescriptor: Int32 = -1
    nonisolated(unsafe) private static var crashAttributes = termios()
    nonisolated(unsafe) private static var crashActions: [sigaction] = []
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

    /// Stops the terminal from showing keys. Does nothing where that was done already.
    static func quieten(_ descriptor: Int32) {
        saved.withLock { saved in
            guard saved == nil else { return }
            var attributes = termios()
            guard tcgetattr(descriptor, &attributes) == 0 else { return }
            saved = Saved(descriptor: descriptor, attributes: attributes)
            crashDescriptor = descriptor
            crashAttributes = attributes
            // Nor does it wait for Enter: a key is an answer.
            attributes.c_lflag &= ~tcflag_t(ECHO | ICANON)
            tcsetattr(descriptor, TCSANOW, &attributes)
        }
    }

    /// Makes the terminal as it was found.
    static func restore() {
        saved.withLock { saved in
            guard let found = saved else { return }
            saved = nil
            crashDescriptor = -1
            // In the background the terminal belongs to somebody else, who has set it up for themselves.
            var attributes = found.attributes
            if isForeground(found.descriptor) { tcsetattr(found.descriptor, TCSANOW, &attributes) }
        }
    }

    /// Whether the terminal is ours to draw on: not after `&` or `bg`.
    static func isForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        // A terminal that is not the one we were started from has nobody else on it.
        return group == getpgrp() || group < 0
    }

    /// Called before anything else: the sandbox takes the faults of modules for itself, and can tell them from ours only where it
    /// hears of them first.
    static func watchForCrashes() {
        for number in crashes {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in TerminalMode.crashed(number) }
            var before = sigaction()
            sigaction(number, &action, &before)
            crashActions.append(before)
        }
    }

    /// Only calls what a signal handler may call. The signal comes once more, for whoever handled it before us.
    private static func crashed(_ number: Int32) {
        if crashDescriptor >= 0 { tcsetattr(crashDescriptor, TCSANOW, &crashAttributes) }
        for index in crashes.indices where crashes[index] == number { sigaction(number, &crashActions[index], nil) }
        raise(number)
    }
}
