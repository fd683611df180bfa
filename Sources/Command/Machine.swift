import Glibc
import PotluckModel

/// The cores and the name of this machine, from the settings or the system.
enum Machine {
    /// The default number of cores: the setting, but at most the cores that this process may use.
    static var cores: Int { Settings.cores.map { min($0, allowed) } ?? allowed }

    /// The cores this process may run on. Under taskset and in many containers they are fewer than the machine's.
    private static var allowed: Int {
        // Swift does not import `sched_getaffinity`, so read the mask from a file.
        guard let file = fopen("/proc/self/status", "r") else { return online }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), file) != nil {
            guard let mask = mask(in: String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)) else {
                continue
            }
            return mask > 0 ? mask : online
        }
        return online
    }

    /// The number of cores in a line such as `Cpus_allowed: ff,ffffffff`; nil for other lines.
    private static func mask(in line: String) -> Int? {
        guard line.hasPrefix("Cpus_allowed:") else { return nil }
        return line.dropFirst("Cpus_allowed:".count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }

    /// The default name of a node: the setting, or the host name if it can be shown on a screen.
    static var name: String {
        if let name = Settings.name { return name }
        var text = [CChar](repeating: 0, count: 65)
        guard gethostname(&text, text.count - 1) == 0 else { return "potluck" }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Announcement.isValid(name: name) ? name : "potluck"
    }

    private static var online: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Returns a random seed below 2⁵³, so that programs whose numbers are all floating-point read it exactly.
    static func drawSeed() -> UInt64 { UInt64.random(in: 0..<(1 << 53)) }
}
