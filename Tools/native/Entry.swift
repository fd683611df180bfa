import Glibc
import PotluckKit

// The native program of an author's file, which `potluck run --native` starts. It answers the requests on its standard
// input until that ends. The workshop inserts the author's type and the hash of the source.

@main private enum NativeProgram {
    static func main() {
        var module = NativeModule(AnySimulation(AuthorsSimulation.self, source: "HashOfTheSource"))
        // A call that takes longer than this many seconds ends the program.
        let patience = CommandLine.arguments.dropFirst().first.flatMap { UInt32($0) } ?? 0
        let variables = variables()
        while let head = take(2) {
            guard let call = NativeModule.Call(rawValue: head[0]), let request = take(Int(head[1])) else { return }
            alarm(patience)
            let answer = request.withUnsafeBufferPointer { module.answer(call, $0, kept: { hash(variables) }) }
            alarm(0)
            guard give([UInt64(answer.count)] + answer) else { return }
        }
    }

    /// Where the variables of this program are, as the system lists its memory: what can be written of the program's own file,
    /// and what follows without a file. Those of Swift's library are among them.
    private static func variables() -> [UnsafeBufferPointer<UInt64>] {
        guard let maps = fopen("/proc/self/maps", "re") else { return [] }
        defer { fclose(maps) }
        var found: [UnsafeBufferPointer<UInt64>] = []
        var program: Substring?
        var end: UInt = 0
        var line = [CChar](repeating: 0, count: 8192)
        while fgets(&line, Int32(line.count), maps) != nil {
            let octets = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
            let text = String(decoding: octets, as: UTF8.self)
            // For example "55d0c000-55d0d000 rw-p 00001000 08:01 1234    /path/of/the program".
            let words = text.split(separator: " ", maxSplits: 5)
            let place = (words.first ?? "").split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard words.count >= 5, place.count == 2 else { continue }
            let path = words.count > 5 ? words[5] : ""
            if program == nil { program = path }
            let isOwn = path == program || path.isEmpty && place[0] == end
            if isOwn { end = place[1] }
            guard isOwn, words[1].hasPrefix("rw") else { continue }
            let start = UnsafePointer<UInt64>(bitPattern: place[0])
            found.append(UnsafeBufferPointer(start: start, count: Int(place[1] - place[0]) / 8))
        }
        return found
    }

    /// Returns a hash of these variables.
    private static func hash(_ variables: [UnsafeBufferPointer<UInt64>]) -> UInt64 {
        var hash: UInt64 = 0
        for words in variables {
            for word in words {
                let mixed = hash ^ word
                hash = (mixed << 29 | mixed >> 35) &* 0x9E37_79B9_7F4A_7C15
            }
        }
        return hash
    }

    /// Reads this many slots; nil at the end of the requests.
    private static func take(_ count: Int) -> [UInt64]? {
        var slots = [UInt64](repeating: 0, count: count)
        let isWhole = slots.withUnsafeMutableBytes { octets in
            var done = 0
            while done < octets.count {
                let taken = read(0, octets.baseAddress! + done, octets.count - done)
                guard taken > 0 else { return false }
                done += taken
            }
            return true
        }
        return isWhole ? slots : nil
    }

    private static func give(_ slots: [UInt64]) -> Bool {
        slots.withUnsafeBytes { octets in
            var done = 0
            while done < octets.count {
                let given = write(1, octets.baseAddress! + done, octets.count - done)
                guard given > 0 else { return false }
                done += given
            }
            return true
        }
    }
}
