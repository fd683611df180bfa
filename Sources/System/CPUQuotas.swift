/// The CPU quotas of the control groups that this process is in, of version 1 and of version 2. The quota of a group
/// also limits all groups in it.
struct CPUQuotas {
    /// The whole cores of each quota, at least one, with the path of the file that has it.
    let all: [(path: String, cores: Int)]

    /// `file` returns a file's text; nil if there is none.
    init(_ file: (String) -> String?) {
        let mounts = Self.mounts(file("/proc/self/mountinfo") ?? "")
        all = Self.groups(file("/proc/self/cgroup") ?? "").flatMap { group in
            mounts.filter { $0.isOfVersion2 == group.isOfVersion2 }.flatMap { mount in
                Self.folders(of: group.path, below: mount).compactMap { folder in
                    Self.quota(in: folder, isOfVersion2: group.isOfVersion2, file)
                }
            }
        }
    }

    /// A group of this process that can have a quota.
    private struct Group {
        /// Its path in its hierarchy.
        let path: String
        let isOfVersion2: Bool
    }

    /// A place where such a hierarchy is visible.
    private struct Mount {
        /// The group that is at this place.
        let root: String
        let folder: String
        let isOfVersion2: Bool
    }

    /// Reads lines such as `0::/user.slice` and `4:cpu,cpuacct:/job`.
    private static func groups(_ text: String) -> [Group] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            let isOfVersion2 = parts[0] == "0" && parts[1].isEmpty
            guard isOfVersion2 || parts[1].split(separator: ",").contains("cpu") else { return nil }
            return Group(path: String(parts[2]), isOfVersion2: isOfVersion2)
        }
    }

    /// Reads lines such as `30 23 0:26 /root /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw`. Any number of fields
    /// stand before the lone hyphen.
    private static func mounts(_ text: String) -> [Mount] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let hyphen = fields.dropFirst(6).firstIndex(of: "-"), fields.count > hyphen + 3 else { return nil }
            let kind = fields[hyphen + 1]
            let isOfVersion2 = kind == "cgroup2"
            guard isOfVersion2 || kind == "cgroup" && fields[hyphen + 3].split(separator: ",").contains("cpu") else {
                return nil
            }
            return Mount(root: plain(fields[3]), folder: plain(fields[4]), isOfVersion2: isOfVersion2)
        }
    }

    /// The text of a field, in which a blank is written as `\040`.
    private static func plain(_ field: Substring) -> String {
        var octets: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let first = rest.first {
            let digits = rest.dropFirst().prefix(3)
            if first == UInt8(ascii: "\\"), digits.count == 3,
                let octet = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                octets.append(octet)
                rest = rest.dropFirst(4)
            } else {
                octets.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The folders of a group and of all groups around it that are visible there. In a container the group may be
    /// outside of what is visible; then only the outermost folder is left.
    private static func folders(of path: String, below mount: Mount) -> [String] {
        let root = mount.root == "/" ? "" : mount.root
        var parts: [Substring] = []
        if path == root || path.hasPrefix(root + "/") { parts = path.dropFirst(root.count).split(separator: "/") }
        if parts.contains("..") { parts = [] }
        return (0...parts.count).reversed().map { mount.folder + parts.prefix($0).map { "/" + $0 }.joined() }
    }

    /// The quota in `cpu.max`, such as `150000 100000`, or in the two files of version 1.
    private static func quota(
        in folder: String, isOfVersion2: Bool, _ file: (String) -> String?
    ) -> (path: String, cores: Int)? {
        func numbers(_ name: String) -> [Int]? {
            file("\(folder)/\(name)").map { $0.split(whereSeparator: \.isWhitespace).map { Int($0) ?? 0 } }
        }
        let name = isOfVersion2 ? "cpu.max" : "cpu.cfs_quota_us"
        guard var pair = numbers(name) else { return nil }
        if !isOfVersion2 { pair += numbers("cpu.cfs_period_us") ?? [] }
        // Without a quota the number is `max` or -1.
        guard pair.count == 2, pair[0] > 0, pair[1] > 0 else { return nil }
        return ("\(folder)/\(name)", max(1, pair[0] / pair[1]))
    }
}
