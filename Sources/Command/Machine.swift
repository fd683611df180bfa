import Glibc
import PotluckModel

/// What this machine has, or is set to give.
enum Machine {
    /// The cores that compute unless a command line says otherwise: as set, but never more than there are.
    static var cores: Int { Settings.cores.map { min($0, allowed) } ?? allowed }

    /// The cores this process may run on: fewer than the machine's under taskset or in many containers.
    private static var allowed: Int {
        // The kernel's call for this is not among those that Swift imports; its text is.
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

    /// How many cores a line like `Cpus_allowed: ff,ffffffff` names; nil for other lines.
    private static func mask(in line: String) -> Int? {
        guard line.hasPrefix("Cpus_allowed:") else { return nil }
        return line.dropFirst("Cpus_allowed:".count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }

    /// What others see unless a command line says otherwise: as set, or what the machine calls itself, as far as that can be
    /// shown.
    static var name: String {
        if let name = Settings.name { return name }
        var text = [CChar](repeating: 0, count: 65)
        guard gethostname(&text, text.count - 1) == 0 else { return "potluck" }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Announcement.isValid(name: name) ? name : "potluck"
    }

    private static var online: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// A seed nobody has thought of: below 2⁵³, so that programs that know only floating-point numbers read it exactly.
    static func drawSeed() -> UInt64 { UInt64.random(in: 0..<(1 << 53)) }
}
