import Glibc
import PotluckScreen
import Synchronization

/// Draws a block of lines on a terminal, in place.
package final class Screen: Sendable {
    private let descriptor: Int32
    /// Nil after `clear`, while another thread may still want to draw.
    private let redraw: Mutex<Redraw?> = Mutex(Redraw())

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Hold the lock while suspended, so that nothing is drawn while the shell has the terminal. Afterwards draw
        // everything again.
        Interrupts.sleep { [weak self] sleep in
            guard let self else { return sleep() }
            redraw.withLock { redraw in
                redraw?.forget()
                sleep()
            }
        }
    }

    /// Returns the screen to draw on: stderr, so that stdout can be redirected, or else stdout. Returns nil if neither
    /// is a terminal that can move its cursor.
    package static func find(orStdout: Bool) -> Screen? {
        guard Terminal.isCapable else { return nil }
        if isatty(STDERR_FILENO) == 1 { return Screen(STDERR_FILENO) }
        return orStdout && isatty(STDOUT_FILENO) == 1 ? Screen(STDOUT_FILENO) : nil
    }

    /// Draws the lines for the screen's present size. Ignores failures, because the run must continue without the
    /// terminal.
    package func draw(_ lines: (Canvas) -> [StyledLine]) {
        redraw.withLock { redraw in
            guard redraw != nil else { return }
            guard TerminalMode.isForeground(descriptor) else { redraw?.forget(); return }
            TerminalMode.quieten(descriptor)
            let canvas = Terminal.canvas(of: descriptor)
            guard let frame = redraw?.frame(lines(canvas), on: canvas) else { return }
            try? Output.write(frame, to: descriptor)
        }
    }

    /// Lets `write` print lines where the block is. The next drawing puts the block below them.
    package func printAbove(_ write: () -> Void) {
        redraw.withLock { redraw in
            if TerminalMode.isForeground(descriptor),
                let gone = redraw?.erase(on: Terminal.canvas(of: descriptor)), !gone.isEmpty
            {
                try? Output.write(gone, to: descriptor)
            }
            write()
        }
    }

    var canvas: Canvas { Terminal.canvas(of: descriptor) }

    /// Draws everything again next time, because another program may have written to the terminal.
    func repaint() { redraw.withLock { $0?.forget() } }

    /// Erases the block and draws no more.
    package func clear() {
        redraw.withLock { redraw in
            defer { redraw = nil }
            guard TerminalMode.isForeground(descriptor), let last = redraw?.erase(on: Terminal.canvas(of: descriptor))
            else { return }
            try? Output.write(last, to: descriptor)
        }
        TerminalMode.restore()
    }
}

/// The abilities of the terminal.
package enum Terminal {
    /// Whether the cursor can be moved. False if TERM is not set or "dumb".
    package static var isCapable: Bool { Environment["TERM"].map { $0 != "dumb" } ?? false }

    /// The canvas for a descriptor, whether or not it is a terminal.
    package static func canvas(of descriptor: Int32) -> Canvas {
        let said = Environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let colours = Settings.colours
        guard isatty(descriptor) == 1 else {
            // Do not wrap lines in a file.
            return Canvas(columns: said ?? 1000, unicode: Environment.isUnicode, colour: colours == .always)
        }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        let columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
        return Canvas(
            // COLUMNS may make output narrower than the terminal, but not wider: an exported value may be stale.
            columns: min(said ?? columns ?? 80, columns ?? .max),
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24, unicode: Environment.isUnicode,
            colour: colours == .always || colours == .auto && isCapable)
    }
}
