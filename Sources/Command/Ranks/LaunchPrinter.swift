import Glibc
import Potluck
import PotluckCore
import PotluckRanks
import PotluckScreen
import PotluckSystem

/// Prints the lines of a program's ranks as they come, and draws below them what the ranks do.
final class LaunchPrinter: Sendable {
    /// How a line shows its rank.
    enum Style {
        /// `[3] the line`
        case ranked
        case plain, json
    }

    private struct State {
        /// Why nothing more can be printed.
        var failure: OutputError?
        var onFailure: (@Sendable () -> Void)?
    }

    let descriptor: Int32
    private let style: Style
    /// Whether only lines of ranks are printed.
    private let isQuiet: Bool
    private let screen: Screen?
    private let state = Guarded(State())
    private let drawing: Guarded<Task<Void, Never>?> = Guarded(nil)

    init(descriptor: Int32, style: Style, isQuiet: Bool, screen: Screen?) {
        (self.descriptor, self.style, self.isQuiet, self.screen) = (descriptor, style, isQuiet, screen)
    }

    /// The first failure to print.
    var failure: OutputError? { state.with { $0.failure } }

    /// Sets what a failure to print does.
    func onFailure(_ action: @escaping @Sendable () -> Void) { state.with { $0.onFailure = action } }

    /// Prints a line, to stderr if the rank wrote it there. Any thread may call it.
    func print(_ line: RankLine) {
        let descriptor = line.isError && style != .json ? STDERR_FILENO : descriptor
        let octets = shown(line, isTerminal: isatty(descriptor) == 1)
        if let screen {
            screen.printAbove { write(octets, to: descriptor) }
        } else {
            write(octets, to: descriptor)
        }
    }

    /// Prints a line about the session to stderr.
    func say(_ text: String) {
        guard !isQuiet else { return }
        if let screen { screen.printAbove { GuestSession.say(text) } } else { GuestSession.say(text) }
    }

    /// Prints a note about the launch.
    func note(_ note: SessionLaunch.Note, _ session: SessionID) {
        if style == .json {
            write(Array((LaunchJSON.note(note).text + "\n").utf8), to: descriptor)
        } else {
            say(LaunchText.note(note, session))
        }
    }

    private func write(_ octets: [UInt8], to descriptor: Int32) {
        let action = state.with { state -> (@Sendable () -> Void)? in
            guard state.failure == nil else { return nil }
            do throws(OutputError) {
                try Output.write(octets, to: descriptor)
                return nil
            } catch {
                state.failure = error
                return state.onFailure
            }
        }
        action?()
    }

    private func shown(_ line: RankLine, isTerminal: Bool) -> [UInt8] {
        let end = UInt8(ascii: "\n")
        switch style {
        case .json: return Array(LaunchJSON.line(line).text.utf8) + [end]
        case .plain, .ranked:
            let front = style == .plain ? [] : Array("[\(line.rank)] ".utf8)
            guard isTerminal else { return front + line.octets + [end] }
            let text = String(decoding: line.octets, as: UTF8.self).escapedForScreen(keeping: ["\t"])
            return front + Array(text.utf8) + [end]
        }
    }

    /// A program that ends sooner shows only its lines.
    private static let beforeDrawing = Duration.milliseconds(400)
    private static let betweenDrawings = Duration.milliseconds(200)
    /// Other programs need fewer pictures than people.
    private static let betweenLines = Duration.seconds(1)

    /// Draws the ranks, or prints them as JSON, until `end`.
    func follow(_ launch: some RunningLaunch) {
        let task = Task.detached { [self] in
            try? await Task.sleep(for: Self.beforeDrawing)
            while !Task.isCancelled {
                if let picture = launch.picture {
                    if let screen {
                        screen.draw { RanksView.live(picture, on: $0) }
                    } else if style == .json {
                        write(Array((LaunchJSON.picture(picture).text + "\n").utf8), to: descriptor)
                    }
                }
                try? await Task.sleep(for: style == .json ? Self.betweenLines : Self.betweenDrawings)
            }
        }
        drawing.with { $0 = task }
    }

    /// Stops drawing.
    func end() async {
        let task = drawing.with { $0 }
        task?.cancel()
        await task?.value
        screen?.clear()
    }
}
