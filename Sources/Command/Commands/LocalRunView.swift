import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// What the user sees of a run on this machine while it computes.
struct LocalRunView {
    private let arguments: Arguments
    private let solutions: Solutions

    init(_ arguments: Arguments, _ solutions: Solutions) { (self.arguments, self.solutions) = (arguments, solutions) }

    /// Prints a line of JSON for each snapshot, until the run ends.
    func print(_ run: LocalRun, to descriptor: Int32) async {
        for await snapshot in run.snapshots {
            solutions.follow(snapshot, run.search(of: snapshot.id))
            let solution = solutions.latest(of: snapshot.id)
            do {
                try JobJSON.write(.snapshot(snapshot), solution: solution, to: descriptor)
            } catch {
                // Nobody reads it. Printing the result will fail, too, and say so.
                run.stop()
            }
        }
    }

    /// The only worker is this program. While none is ready, it prepares the simulation.
    private static func shown(_ snapshot: JobSnapshot) -> JobSnapshot {
        guard case .waiting(.workers) = snapshot.state else { return snapshot }
        var snapshot = snapshot
        snapshot.state = .waiting(.simulation)
        return snapshot
    }

    /// Shows the run until it ends: on a screen or, without a terminal, in lines on stderr.
    func show(_ run: LocalRun, orStdout: Bool) async {
        // Without a reader, snapshots would pile up.
        if arguments[LogArguments.quiet] {
            for await _ in run.snapshots {}
            return
        }
        let clock = BootClock()
        guard let screen = ClusterScreen(orStdout: orStdout, clock: clock) else {
            var progress = ProgressLine(unicode: Environment.isUnicode)
            for await snapshot in run.snapshots {
                for text in progress.lines(Self.shown(snapshot)) { try? Output.write(text + "\n", to: STDERR_FILENO) }
            }
            return
        }
        let takesKeys = screen.watchKeys { action in
            switch action {
            case .quit: Interrupts.ask(with: SIGINT)
            case .command(.cancel, _): run.stop()
            case .command(.pause, _): run.pause()
            case .command(.resume, _): run.resume()
            case .command(.reveal, _), .command(.hide, _), .command(.prioritize, _), .answer, .otherWords, .say, .door,
                .repaint:
                break
            }
        }
        let hidesExact = arguments[JobArguments.hideExact]
        var estimate = Estimate()
        for await given in run.snapshots {
            let snapshot = Self.shown(given)
            estimate.note(snapshot, at: clock.now)
            solutions.follow(snapshot, run.search(of: snapshot.id))
            var picture = ClusterPicture(
                jobs: [snapshot], commandable: [snapshot.id], hidesExact: hidesExact, leaving: .stops,
                takesKeys: takesKeys)
            picture.estimates = [snapshot.id: estimate]
            picture.solutions = solutions.pictures
            screen.show(picture)
        }
        screen.end()
    }
}
