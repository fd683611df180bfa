import Glibc

/// A program that runs beside this one in a box, and writes its output into a file.
final class Subprocess {
    let id: pid_t
    private let output: String
    private let box: Box
    private var isOver = false

    /// Starts the program. `output` is the path of a file to create for its stdout and stderr.
    init(
        _ program: String, _ arguments: [String], in folder: String, output: String, _ box: Box
    ) throws(WorkshopError) {
        id = try box.start([program] + arguments, in: folder, output: output)
        (self.output, self.box) = (output, box)
    }

    /// Ends the program if nobody waited for it, because another one failed.
    deinit {
        guard !isOver else { return }
        kill(id, SIGKILL)
        _ = end()
    }

    /// Waits for the end of the program. Returns whether it succeeded, and its output. Throws if it exceeded a limit when
    /// it compiled `label`.
    func wait(_ label: String) throws(WorkshopError) -> (succeeded: Bool, said: String) {
        let (succeeded, said, excess) = finish()
        if let excess { throw .refused("cannot compile \(label): the compiler \(excess); make the file smaller") }
        return (succeeded, said)
    }

    /// Waits for the end of the program. Returns whether it succeeded, its output, and which limit it exceeded, if any.
    func finish() -> (succeeded: Bool, said: String, excess: String?) {
        let (status, used) = end()
        let said = File.read(output).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard status != 0 else { return (true, said, nil) }
        let seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec
        return (false, said, box.excess(status: status, seconds: seconds, said: said))
    }

    private func end() -> (status: Int32, used: rusage) {
        var (status, used): (Int32, rusage) = (0, rusage())
        while wait4(id, &status, 0, &used) < 0, errno == EINTR {}
        isOver = true
        return (status, used)
    }
}
