import Glibc
import Potluck
import PotluckScreen
import PotluckSystem

extension ClusterScreen {
    /// The screen of a session. It uses stdout only if stdout is a terminal; a file or another program gets lines
    /// instead. A command that only submits a job draws on stderr, because its result goes to stdout.
    convenience init?(of task: SessionTask, isJSON: Bool, clock: BootClock) {
        guard task.isSubmitOnly || !isJSON && isatty(STDOUT_FILENO) == 1 else { return nil }
        self.init(orStdout: !isJSON && task.stdout == STDOUT_FILENO, clock: clock)
    }
}
