import Glibc
import PotluckConsole
import Synchronization

/// A terminal that a block of lines is drawn on, in place.
final class Screen: Sendable {
    private let descriptor: Int32
    /// Nil once it is taken away: somebody may just be about to draw.
    private let redraw: Mutex<Redraw?> = Mutex(Redraw())

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Nothing is drawn while the shell has the terminal, nor afterwards over what was typed there.
        Interrupts.sleep { [weak self] sleep in
            guard let self else { return sleep() }
            redraw.withLock { redraw in
                redraw?.forget()
                sleep()
            }
        }
    }

    /// The terminal there is: stderr, so that stdout can go elsewhere meanwhile, or else stdout. Nil where neither is one
    /// that can move its cursor.
    static func find(orStdout: Bool) -> Screen? {
        guard Terminal.isCapable else { return nil }
        if isatty(STDERR_FILENO) == 1 { return Screen(STDERR_FILENO) }
        return orStdout && isatty(STDOUT_FILENO) == 1 ? Screen(STDOUT_FILENO) : nil
    }

    /// Draws what `lines` makes for the screen's present size. A terminal that has gone away is not missed: the run goes on.
    func draw(_ lines: (Canvas) -> [Line]) {
        redraw.withLock { redraw in
            guard redraw != nil else { return }
            guard TerminalMode.isForeground(descriptor) else { redraw?.forget(); return }
            TerminalMode.quieten(descriptor)
            let canvas = Terminal.canvas(of: descriptor)
            guard let frame = redraw?.frame(lines(canvas), on: canvas) else { return }
            try? Output.write(frame, to: descriptor)
        }
    }

    var canvas: Canvas { Terminal.canvas(of: descriptor) }

    /// Writes everything anew next time: something else wrote into it.
    func repaint() { redraw.withLock { $0?.forget() } }

    /// Takes the block away, and draws no more.
    func clear() {
        redraw.withLock { redraw in
            defer { redraw = nil }
            guard TerminalMode.isForeground(descriptor), let last = redraw?.erase(on: Terminal.canvas(of: descriptor))
            else { return }
            try? Output.write(last, to: descriptor)
        }
        TerminalMode.restore()
    }
}

/// What stdout and stderr can show.
enum Terminal {
    /// Whether the cursor can be moved. A terminal that does not say what it is cannot be trusted to.
    static var isCapable: Bool { Environment["TERM"].map { $0 != "dumb" } ?? false }

    /// Whatever a descriptor leads to, terminal or not.
    static func canvas(of descriptor: Int32) -> Canvas {
        let said = Environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let colours = Settings.colours
        guard isatty(descriptor) == 1 else {
            // Lines in a file are as long as they are.
            return Canvas(columns: said ?? 1000, unicode: Environment.isUnicode, colour: colours == .always)
        }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        let columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
        return Canvas(
            // People may ask for less than there is, but a variable that was exported once and is stale cannot ask for more.
            columns: min(said ?? columns ?? 80, columns ?? .max),
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24, unicode: Environment.isUnicode,
            colour: colours == .always || colours == .auto && isCapable)
    }
}
