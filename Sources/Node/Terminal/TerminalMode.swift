import Glibc
import Synchronization

/// Stops the terminal from echoing keys while a screen is drawn, and restores it however the program ends.
package enum TerminalMode {
    private struct Saved {
        let descriptor: Int32
        let attributes: termios
    }

    private static let saved = Mutex<Saved?>(nil)

    // For the crash handler, which may not take a lock. Written before any crash; the handler only reads them.
    nonisolated(unsafe) private static var crashDescriptor: Int32 = -1
    // On the heap: as a global variable this C structure gets no room for its padding, and writing it would overrun it.
    nonisolated(unsafe) private static let crashAttributes: UnsafeMutablePointer<termios> = {
        let memory = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        memory.initialize(to: termios())
        return memory
    }()
    nonisolated(unsafe) private static var crashActions: [sigaction] = []
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

    /// Stops the echo. Does nothing if it is stopped already.
    static func quieten(_ descriptor: Int32) {
        saved.withLock { saved in
            guard saved == nil else { return }
            var attributes = termios()
            guard tcgetattr(descriptor, &attributes) == 0 else { return }
            saved = Saved(descriptor: descriptor, attributes: attributes)
            crashDescriptor = descriptor
            crashAttributes.pointee = attributes
            // Also deliver each key at once, without waiting for Enter.
            attributes.c_lflag &= ~tcflag_t(ECHO | ICANON)
            tcsetattr(descriptor, TCSANOW, &attributes)
        }
    }

    /// Restores the terminal.
    static func restore() {
        saved.withLock { saved in
            guard let found = saved else { return }
            saved = nil
            crashDescriptor = -1
            // In the background the terminal belongs to another program, which has its own settings.
            var attributes = found.attributes
            if isForeground(found.descriptor) { tcsetattr(found.descriptor, TCSANOW, &attributes) }
        }
    }

    /// Whether this program may draw on the terminal. False after `&` or `bg`.
    static func isForeground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        // The call fails if this is not the controlling terminal. Then no other job uses it.
        return group == getpgrp() || group < 0
    }

    /// Installs the crash handlers. Call it first: the sandbox installs its handlers later and so sees each fault
    /// before these. It can then tell the faults of modules from those of the program.
    package static func watchForCrashes() {
        for number in crashes {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in TerminalMode.crashed(number) }
            var before = sigaction()
            sigaction(number, &action, &before)
            crashActions.append(before)
        }
    }

    /// Only calls functions that are safe in a signal handler. Raises the signal again for the previous handler.
    private static func crashed(_ number: Int32) {
        if crashDescriptor >= 0 { tcsetattr(crashDescriptor, TCSANOW, crashAttributes) }
        for index in crashes.indices where crashes[index] == number { sigaction(number, &crashActions[index], nil) }
        raise(number)
    }
}
