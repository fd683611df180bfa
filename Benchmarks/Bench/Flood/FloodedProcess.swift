import Glibc
import PotluckSystem

/// The process of a node under the flood, measured from outside.
struct FloodedProcess {
    private let id: pid_t
    private let clock: clockid_t
    private let input: Int32
    private let output: Int32

    init(role: String, port: UInt16) {
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&input) == 0, pipe(&output) == 0 else { fail("no pipe") }
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = []
        for word in [CommandLine.arguments[0], "flood", "node", "\(port)", role] { words.append(strdup(word)) }
        words.append(nil)
        var id: pid_t = 0
        guard posix_spawn(&id, "/proc/self/exe", &actions, nil, &words, environ) == 0 else {
            fail("no process")
        }
        posix_spawn_file_actions_destroy(&actions)
        for word in words { free(word) }
        close(input[0])
        close(output[1])
        var clock = clockid_t()
        clock_getcpuclockid(id, &clock)
        (self.id, self.clock, self.input, self.output) = (id, clock, input[1], output[0])
    }

    /// The CPU time used so far, in nanoseconds.
    var cost: Int64 { nanoseconds(of: clock) }

    /// The resident memory in kB, without what is mapped from files.
    var memory: Int {
        let memory = PotluckBench.memory(of: "\(id)")
        return (memory.resident - memory.mapped) / 1000
    }

    /// Ends the process. Returns the number of changes that it printed and of datagrams that it received.
    func end() -> (told: Int, heard: Int) {
        close(input)
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(output, &part, part.count), count > 0 { text += part[0..<count] }
        close(output)
        waitpid(id, nil, 0)
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        guard let last = lines.last, last.hasPrefix("heard "), let heard = Int(last.dropFirst(6)) else {
            fail("the node did not end normally")
        }
        return (lines.count - 1, heard)
    }
}
