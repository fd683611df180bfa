/// The custom section of a module that holds a second module: the same simulation, which runs sixteen lanes at once with
/// 128-bit vectors. It gives the same tallies. Engines ignore custom sections, so one without vectors runs the module
/// around it. The contents of a custom section, whose number is 0, begin with a name.
public enum LanesSection {
    private static let name = Array("potluck.lanes".utf8)
    /// The bytes at the start of every module: `asm`, and the version of WebAssembly.
    private static let beginning: [UInt8] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

    /// Returns a module with a section that holds another.
    public static func joined(_ module: [UInt8], lanes: [UInt8]) -> [UInt8] {
        let contents = encoded(name.count) + name + lanes
        return module + [0] + encoded(contents.count) + contents
    }

    /// Returns what the first such section holds. Returns nil if there is none, if it does not begin like a module, or if
    /// the sections before it are damaged.
    public static func lanes(in module: [UInt8]) -> [UInt8]? {
        guard module.starts(with: beginning) else { return nil }
        for (kind, contents) in ModuleSections(module) where kind == 0 {
            var contents = contents
            guard let count = ModuleSections.number(&contents), count == name.count, contents.starts(with: name) else {
                continue
            }
            let lanes = contents.dropFirst(count)
            return lanes.starts(with: beginning) ? Array(lanes) : nil
        }
        return nil
    }

    private static func encoded(_ number: Int) -> [UInt8] {
        var octets: [UInt8] = []
        var rest = number
        while rest >= 0x80 {
            octets.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return octets + [UInt8(rest)]
    }
}
