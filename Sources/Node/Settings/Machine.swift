import Glibc
import PotluckCore
import PotluckSystem

/// The cores and the name of this machine, from the settings or the system.
package enum Machine {
    /// The default number of cores: the setting, but at most the cores that this process may use.
    package static var cores: Int { Settings.cores.map { min($0, granted.count) } ?? granted.count }

    /// The cores that this process may use. They are read once, so that they stay the same while it runs.
    package static let granted = GrantedCores(
        online: sysconf(Int32(_SC_NPROCESSORS_ONLN)), file: text, variable: { Environment[$0] })

    /// The most bytes of a file of the kernel. The longest is the list of mounts; on a machine with thousands of
    /// containers the first of them are enough.
    private static let longestText = 1 << 20

    /// Returns the text of a file of the kernel; nil if there is none.
    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while octets.count < longestText {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            octets += buffer.prefix(count)
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The default name of a node: the setting, or the host name if it can be shown on a screen.
    package static var name: String {
        if let name = Settings.name { return name }
        var text = [CChar](repeating: 0, count: 65)
        guard gethostname(&text, text.count - 1) == 0 else { return "potluck" }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Announcement.isValid(name: name) ? name : "potluck"
    }

    /// The host names that systems and installers choose. A list of laptops that are all called so tells nobody who is who.
    private static let nobodys: Set<Substring> = [
        "ubuntu", "debian", "localhost", "raspberrypi", "raspberry", "fedora", "arch", "archlinux", "linux", "mint",
        "linuxmint", "manjaro", "opensuse", "kali", "pop", "nixos", "potluck", "laptop", "desktop", "computer", "pc",
        "notebook", "user",
    ]

    /// Whether a host name is one of those, with a number or a domain behind it.
    package static func isNobodys(_ name: String) -> Bool {
        nobodys.contains(name.lowercased().prefix { $0.isLetter })
    }

    /// Returns a random seed below 2⁵³, so that programs whose numbers are all floating-point read it exactly.
    package static func drawSeed() -> UInt64 { UInt64.random(in: 0..<(1 << 53)) }
}

extension GrantedCores {
    /// Says how many cores there are, and what limits them: the beginning of a sentence.
    package var words: String {
        let cores = count == 1 ? "1 core" : "\(count) cores"
        return switch source {
        case .machine: "this machine has \(cores)"
        case .affinity: "this process may run on \(cores)"
        case .quota(let path): "\(path) grants \(cores)"
        case .variable(let name): "\(name) grants \(cores)"
        }
    }
}
