import Glibc
import PotluckKit

// The native program of an author's file, which `potluck run --native` starts. It answers the requests on its standard
// input until that ends. The workshop inserts the author's type and the hash of the source.

@main private enum NativeProgram {
    static func main() {
        var module = NativeModule(AnySimulation(AuthorsSimulation.self, source: "HashOfTheSource"))
        // A call that takes longer than this many seconds ends the program.
        let patience = CommandLine.arguments.dropFirst().first.flatMap { UInt32($0) } ?? 0
        while let head = take(2) {
            guard let call = NativeModule.Call(rawValue: head[0]), let request = take(Int(head[1])) else { return }
            alarm(patience)
            let answer = request.withUnsafeBufferPointer { module.answer(call, $0) }
            alarm(0)
            guard give([UInt64(answer.count)] + answer) else { return }
        }
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
